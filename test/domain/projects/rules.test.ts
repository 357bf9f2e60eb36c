/** Decisions about projects that need nothing but their facts. */
import { assert, it } from "@effect/vitest"
import { DateTime, Effect, Option, Result } from "effect"
import { UserId } from "../../../src/domain/accounts/model.ts"
import type { User } from "../../../src/domain/accounts/model.ts"
import { lookAfter } from "../../../src/domain/projects/access-rules.ts"
import { opensFor } from "../../../src/domain/projects/opening.ts"
import { availability, called, claim, endsPasses, pruning, publishable, retitled, roomForBytes, roomForProject, titled, visibilityIn } from "../../../src/domain/projects/rules.ts"
import { becomes, merged, replaces, takesFiles, takesPlace } from "../../../src/domain/projects/site-rules.ts"
import type { Reach } from "../../../src/domain/projects/store.ts"
import { MAX_FILES } from "../../../src/domain/projects/model.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import type { BillingState, Role } from "../../../src/domain/workspaces/model.ts"

const NOBODY = "018f4a2e-0000-7000-8000-000000000000"

it("a freed slug is its workspace's own until that has freed many others, and nobody's once it was taken down", () => {
  const [ours, theirs] = [WorkspaceId.make(NOBODY), WorkspaceId.make(NOBODY.replace(/.$/, "1"))]
  const among100 = { workspaceId: ours, plan: "studio", later: 99, takenDown: false } as const
  const freed = Option.some(among100)
  const many = Option.some({ ...among100, later: 100 })
  const more = Option.some({ ...among100, plan: "agency", later: 999 } as const)
  const most = Option.some({ ...among100, plan: "agency", later: 1000 } as const)
  const down = Option.some({ ...among100, later: 1000, takenDown: true })
  const refused = (...given: Parameters<typeof claim>) => Result.match(claim(...given), { onFailure: ({ _tag }) => _tag, onSuccess: () => null })
  for (const [slug, kept, among, expected] of [
    ["a-page", Option.none(), [theirs], null], ["a-page", Option.none(), [], null], ["a-page", freed, [ours], null], ["a-page", freed, [theirs, ours], null],
    ["a-page", freed, [theirs], "slug_taken"], ["a-page", freed, [], "slug_taken"], ["a-page", down, [ours, theirs], "slug_taken"],
    ["a-page", many, [theirs], null], ["a-page", many, [ours], null], ["a-page", more, [theirs], "slug_taken"], ["a-page", most, [theirs], null],
    ["admin", freed, [ours], "slug_reserved"], ["admin", most, [ours], "slug_reserved"]
  ] as const) {
    assert.strictEqual(refused(slug, kept, among), expected)
    assert.strictEqual(availability(slug, { freed: kept, reach: Option.none() }, among), expected)
  }
  const told = (among: ReadonlyArray<WorkspaceId>) => Result.match(claim("a-page", down, among), { onFailure: ({ message }) => message, onSuccess: () => undefined })
  assert.deepStrictEqual([told([ours]), told([theirs])], ["Whoever runs this service took down what was at this address. Choose another.", "This address is taken. Choose another."])
  const reach = Option.some({} as Reach)
  assert.deepStrictEqual([availability("a-page", { freed: Option.none(), reach }, [ours]), availability("admin", { freed: Option.none(), reach }, [ours])], ["slug_taken", "slug_reserved"])
})

it("who may not publish is told what they themselves can do about it", () => {
  const user = { emailVerified: true } as User
  const down = DateTime.makeUnsafe("2027-01-31T12:00:00Z")
  const page = "https://app.example/workspace/billing?workspace=w"
  const told = (billingState: BillingState, linksDownOn: DateTime.Utc | null, role: Role | undefined, sold: boolean) =>
    Result.match(publishable(user, { billingState, linksDownOn, ...(role && { role }) }, sold ? page : undefined), { onFailure: ({ message }) => message, onSuccess: () => undefined })
  for (const state of ["trialing", "active", "past_due"] as const) assert.isUndefined(told(state, null, "member", false))
  const [ended, begins] = ["The workspace’s trial or subscription has ended.", "Publishing in this workspace begins with a plan."]
  for (const state of ["lapsed", "down"] as const) {
    assert.strictEqual(told(state, down, "admin", true), `${ended} Choose a plan on its billing page.`)
    for (const role of ["member", undefined] as const) assert.strictEqual(told(state, down, role, true), `${ended} Ask one of its admins to choose a plan.`)
    for (const role of ["admin", "member"] as const) assert.strictEqual(told(state, down, role, false), `${ended} Ask whoever runs this service.`)
  }
  assert.strictEqual(told("lapsed", null, "member", true), `${begins} Ask one of its admins to choose a plan.`)
})

it("who reaches the plan's cap is told what to do, and where another plan is chosen, if any is sold", () => {
  const page = "https://app.example/workspace/billing?workspace=w"
  const [full, lapsed] = [{ plan: "starter", projectCount: 5, storageBytes: 1024 ** 3 }, { billingState: "lapsed", linksDownOn: null }] as const
  const told = (planPage: string | undefined) => {
    const verdicts: ReadonlyArray<Result.Result<void, { readonly details: object; readonly message: string }>> =
      [roomForProject(full, planPage), roomForBytes(full, 1, planPage), publishable({ emailVerified: true } as User, lapsed, planPage)]
    return verdicts.map(Result.match({ onFailure: ({ details, message }) => [message.includes("larger plan"), details], onSuccess: () => [] }))
  }
  assert.deepStrictEqual(told(page), [[true, { limit: 5, billing_url: page }], [true, { limit: 1024 ** 3, billing_url: page }], [false, { billing_url: page }]])
  assert.deepStrictEqual(told(undefined), [[false, { limit: 5 }], [false, { limit: 1024 ** 3 }], [false, {}]])
  assert.deepStrictEqual([roomForProject({ plan: "starter", projectCount: 4 }, page), roomForBytes(full, 0, page)].map(Result.isSuccess), [true, true])
})

it("a publish prunes what its plan does not keep, and never more than the one that it adds", () => {
  assert.deepStrictEqual([3, 4, 50].map((next) => pruning(next, "starter")), [0, 1, 47].map((upTo) => ({ upTo, atMost: 1 })))
  assert.deepStrictEqual(pruning(50, "studio"), { upTo: 30, atMost: 1 })
})

it("a title is read off each publish, or is the slug, until somebody gives one", () => {
  const read = { slug: "a", title: "First", titleGiven: false, servedTitle: "First" }
  const given = { ...read, titleGiven: true }
  assert.deepStrictEqual([titled(undefined, "Second", read), titled(undefined, "First", read), titled(undefined, null, read)], [{ title: "Second" }, {}, { title: "a" }])
  assert.deepStrictEqual([titled(undefined, "Second", given), titled(undefined, null, given)], [{}, {}])
  assert.deepStrictEqual([titled("Third", "Second", given), titled("First", null, read)], [{ title: "Third", titleGiven: true }, { title: "First", titleGiven: true }])
  assert.deepStrictEqual(titled(undefined, "Second", { ...read, title: "a", servedTitle: null }), { title: "Second" })
})

it("a version is called as it calls itself, else as the one before it called itself, else by its file's name", () => {
  const none = { servedTitle: null, servedTitleOwn: false }
  const [said, filed] = [{ servedTitle: "First", servedTitleOwn: true }, { servedTitle: "week-47", servedTitleOwn: false }]
  const [own, file, nothing] = [{ title: "Own", fileTitle: "file" }, { title: null, fileTitle: "week-48" }, { title: null, fileTitle: null }]
  for (const held of [none, said, filed]) assert.deepStrictEqual(called(own, held), { title: "Own", titleOwn: true })
  assert.deepStrictEqual([none, said, filed].map((held) => called(file, held)), [{ title: "week-48", titleOwn: false }, { title: "First", titleOwn: true }, { title: "week-48", titleOwn: false }])
  assert.deepStrictEqual([none, said, filed].map((held) => called(nothing, held)), [{ title: null, titleOwn: false }, { title: "First", titleOwn: true }, { title: "week-47", titleOwn: false }])
})

it("a title that is neither the slug nor what is served calls itself was given, whatever the flag says", () => {
  for (const servedTitle of ["First", null]) {
    const held = { slug: "a", title: "Ours", titleGiven: false, servedTitle }
    for (const read of ["Second", "Ours", null]) assert.deepStrictEqual(titled(undefined, read, held), { titleGiven: true })
    assert.deepStrictEqual(retitled({ slug: "b" }, held), {})
    assert.deepStrictEqual(retitled({ slug: "b", title: null }, held), { title: servedTitle ?? "b", titleGiven: false })
  }
  // Where the slug stands in for a title, the next one does.
  const moved = { slug: "a", title: "a", titleGiven: false, servedTitle: null }
  assert.deepStrictEqual([retitled({ slug: "b" }, moved), retitled({}, moved)], [{ title: "b", titleGiven: false }, {}])
})

it("a doorcode alone closes what is open to all, and opens nothing", () => {
  const [doorcode, cleared] = [{ password: "open sesame" }, { password: null }]
  for (const [changes, held, visibility] of [
    [doorcode, "public", "password"], [doorcode, "password", "password"], [doorcode, "private", "private"], [cleared, "public", "public"], [{}, "public", "public"],
    [{ ...doorcode, visibility: "public" }, "private", "public"], [{ ...doorcode, visibility: "private" }, "public", "private"]
  ] as const) assert.strictEqual(visibilityIn(changes, held), visibility, `${JSON.stringify(changes)} of ${held}`)
})

it("a project opens for nobody once it is taken down, and from the moment on at which it expires", () => {
  const now = DateTime.makeUnsafe("2027-01-31T12:00:00Z")
  const [before, after] = [-1, 1].map((milliseconds) => DateTime.add(now, { milliseconds })) as [DateTime.Utc, DateTime.Utc]
  const project = { expiresAt: after, takenDownAt: null, visibility: "private" } as const
  const said = [project, { ...project, expiresAt: null }, { ...project, expiresAt: now }, { ...project, expiresAt: before }, { ...project, takenDownAt: before }, { ...project, expiresAt: before, takenDownAt: before }]
  assert.deepStrictEqual(said.map((one) => opensFor(one, now)), ["private", "private", "expired", "expired", "taken down", "taken down"])
})

it("passes given for the doorcode end with the doorcode and with what the project is to whom, and with nothing else", () => {
  const held = { visibility: "password", password: "open sesame" } as const
  for (const changes of [{ password: "another one" }, { password: null }, { visibility: "public" }, { visibility: "private" }, { ...held, password: "another one" }] as const) {
    assert.isTrue(endsPasses(held, changes), JSON.stringify(changes))
  }
  for (const changes of [{}, held, { visibility: "password" }, { password: "open sesame" }, { password: undefined, visibility: undefined }, { slug: "moved", title: "New" }] as const) {
    assert.isFalse(endsPasses(held, changes), JSON.stringify(changes))
  }
  assert.isFalse(endsPasses({ visibility: "public", password: null }, { password: null }))
})

it("one text takes the place of one file, and of several only as a zip; the one Markdown among images it replaces alone", () => {
  const taken = [replaces({ kind: "site", fileCount: 1 }, "site"), replaces({ kind: "markdown", fileCount: 1 }, "text"), replaces({ kind: "site", fileCount: 9 }, "zip")]
  assert.isTrue(taken.every(Result.isSuccess))
  for (const kind of ["site", "markdown", "video"] as const) {
    for (const sent of ["site", "text", "markdown", undefined] as const) assert.isTrue(Result.isFailure(replaces({ kind, fileCount: 2 }, sent)))
  }
  for (const [sent, name, whether] of [["markdown", undefined, true], ["markdown", "a.md", true], ["markdown", "b.md", false], ["text", undefined, false], ["site", undefined, false]] as const) {
    assert.strictEqual(takesPlace({ kind: "markdown", fileCount: 2 }, sent, name, "a.md"), whether)
  }
})

it("files that are added and removed are laid over what is there, or are refused", async () => {
  const laid = (...given: Parameters<typeof merged<number>>) => Effect.runPromise(merged(...given))
  const held = { "index.html": 1, "a.css": 1, "n\u00e9.txt": 1 }
  assert.deepStrictEqual(await laid(held, [["a.css", 2], ["b.css", 2]], ["./ne\u0301.txt"]), { "index.html": 1, "a.css": 2, "b.css": 2 })
  assert.deepStrictEqual(await laid({}, [["index.html", 2]], []), { "index.html": 2 })
  // What is removed and sent anew is there.
  assert.deepStrictEqual(await laid({ "index.html": 1 }, [["index.html", 2]], ["index.html"]), { "index.html": 2 })

  const fault = async (...given: Parameters<typeof merged<number>>) => (await Effect.runPromise(Effect.flip(merged(...given)))).message
  assert.strictEqual(await fault(held, [], ["a.css", "toString"]), "There is no file named toString.")
  assert.strictEqual(await fault(held, [["new.css", 2]], ["new.css"]), "There is no file named new.css.")
  assert.strictEqual(await fault(held, [["A.css", 2]], []), "Two names differ only in what many systems ignore, such as capitals. Rename one of them. (a.css, A.css)")
  const many = (count: number) => Array.from({ length: count }, (_, n) => [`${n}.css`, 2] as const)
  assert.lengthOf(Object.keys(await laid({ "index.html": 1 }, many(MAX_FILES - 1), [])), MAX_FILES)
  assert.strictEqual(await fault({ "index.html": 1 }, many(MAX_FILES), []), "A site may hold 10000 files.")
})

it("a project whose files change stays what it is, until nothing it held is left", () => {
  const KINDS = { "index.html": "site", "a.md": "markdown", "b.md": "markdown", "film.mp4": "video", "p.pdf": "pdf" } as const
  const added = (...paths: ReadonlyArray<string>) => paths.map((path) => ({ path, kind: path in KINDS ? KINDS[path as keyof typeof KINDS] : path.endsWith(".png") ? "image" as const : undefined }))
  const [empty, site, brief, film] = [{ kind: null, entry: undefined }, { kind: "site", entry: "index.html" }, { kind: "markdown", entry: "a.md" }, { kind: "video", entry: "film.mp4" }] as const
  const told = (...given: Parameters<typeof becomes>) => Result.match(becomes(...given), { onFailure: ({ message }) => message, onSuccess: ({ entry, kind }) => `${kind} ${entry}` })
  const [first, only, still] = ["A site needs its first page, index.html.", "This project holds one Markdown file with its images, and nothing else. Publish anything else as a new project.", "This project holds one video with its still and captions, and nothing else. Publish anything else as a new project."]
  for (const [held, left, sent, expected] of [
    [empty, [], ["index.html", "a.css"], "site index.html"], [empty, [], ["a.md", "x.png"], "markdown a.md"], [site, ["index.html"], ["a.md", "x.png"], "site index.html"],
    [site, ["a.css"], ["index.html"], "site index.html"], [site, ["a.css"], [], first], [site, ["x.png"], ["a.md"], first], [site, [], [], first], [site, [], ["a.md", "x.png"], "markdown a.md"],
    [brief, ["a.md"], ["x.png"], "markdown a.md"], [brief, ["x.png"], ["a.md"], "markdown a.md"], [brief, ["x.png"], ["b.md"], "markdown b.md"], [brief, ["a.md"], [], "markdown a.md"],
    // An image that was let in by its type, whatever its name.
    [brief, ["a.md", "drawn"], ["x.png"], "markdown a.md"],
    [brief, ["a.md"], ["b.md"], only], [brief, ["a.md"], ["a.css"], only], [brief, ["x.png"], [], only], [brief, [], [], only], [brief, ["a.md"], ["index.html"], only], [brief, ["x.png"], ["film.mp4"], only],
    [brief, [], ["index.html", "a.css"], "site index.html"], [brief, [], ["p.pdf"], "pdf p.pdf"], [brief, [], ["p.pdf", "x.png"], "This folder has no index.html, its first page. Add one, or publish the files one by one."],
    [empty, [], ["p.pdf"], "pdf p.pdf"], [site, [], ["x.png"], "image x.png"], [site, ["index.html"], ["p.pdf"], "site index.html"], [site, ["a.css"], ["p.pdf"], first],
    [film, ["film.mp4", "film.vtt"], ["x.png"], "video film.mp4"], [film, ["film.mp4"], ["film.vtt"], "video film.mp4"], [film, ["film.vtt"], [], still], [film, ["film.mp4"], ["a.md"], still],
    [empty, [], ["report.html", "in/more.html", "a.css"], "This folder has no index.html, its first page. Rename report.html to index.html, if that is it."],
    [empty, [], ["report.html", "a/b/index.html", "dist/index.html"], "This folder has no index.html, its first page. There is dist/index.html: publish only what is in dist/, if that is it."],
    // By their names a Markdown and its picture.
    [empty, [], ["a.md", "pointer.jpg"], "The bytes of this file are not those of a .jpg file. It may be damaged or cut short: see whether it opens where it was made, and save it again."],
    [empty, [], ["one.html", "two.html"], "This folder has no index.html, its first page. Add one, or publish the files one by one."]
  ] as const) assert.strictEqual(told(held, left, added(...sent)), expected, `${held.kind}: ${left.join(" ")} + ${sent.join(" ")}`)
  for (const kind of ["pdf", "text", "image", "data"] as const) {
    const takes = (left: ReadonlyArray<string>, ...sent: ReadonlyArray<string>) => takesFiles({ kind }, left, added(...sent), "Otherwise.")
    for (const refused of [takes(["one"], "a.md"), takes([])]) assert.strictEqual(Result.getOrThrow(Result.flip(refused)).message, "This project is a single file. Otherwise.")
    assert.isTrue(Result.isSuccess(takes([], "a.md", "x.png")))
  }
})

it("a project is looked after by its owner, and by the admins of its workspace while the owner is away", () => {
  const [owner, admin, member] = [0, 1, 2].map((last) => UserId.make(NOBODY.replace(/.$/, String(last)))) as [UserId, UserId, UserId]
  const others = [{ userId: admin, role: "admin" }, { userId: member, role: "member" }] as const
  for (const [why, isActive, members, expected] of [
    ["the owner", true, [{ userId: owner, role: "member" }, ...others], [owner]],
    ["the owner, an admin", true, [{ userId: owner, role: "admin" }, ...others], [owner]],
    ["an account that is to be erased", false, [{ userId: owner, role: "member" }, ...others], [owner, admin]],
    ["an admin's account that is to be erased", false, [{ userId: owner, role: "admin" }, ...others], [owner, admin]],
    ["an owner who left", true, others, [admin]],
    ["an account that is erased", false, others, [admin]],
    ["an owner who left a workspace without an admin", true, [others[1]], []]
  ] as const) assert.deepStrictEqual(lookAfter(owner, isActive, members), expected, why)
})
