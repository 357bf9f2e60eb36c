/** Who may open a hosted project, to the millisecond, and which file a path names. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { Asset, FrameVisit, Manifest, Pass, PassId, Site } from "../../../src/domain/hosting/model.ts"
import { door, fileAt, frameDoor, holds, locate, original, seesHistory } from "../../../src/domain/hosting/rules.ts"
import type { Kind, ProjectId, VersionId } from "../../../src/domain/projects/model.ts"
import type { ShareLinkId } from "../../../src/domain/share-links/model.ts"
import type { WorkspaceId } from "../../../src/domain/workspaces/model.ts"

const now = DateTime.makeUnsafe("2026-06-01T12:00:00.000Z")
const enforced = { enforcedSince: DateTime.makeUnsafe(0) }
const version = (kind: Kind, entry = "index.html") => ({ id: "v" as VersionId, number: 1, kind, entry, publishedAt: now })
const site: Site = {
  projectId: "p" as ProjectId, workspaceId: "w" as WorkspaceId, slug: "s", title: "t", visibility: "public", indexable: false,
  htmlDisplayMode: "auto", commentsEnabled: false, commentAccess: "allowlist", deleted: false, takenDown: false, expiresAt: null, trialEndsAt: null, subscriptionStatus: null, subscriptionEndsAt: null, succeeds: false,
  accessEpoch: 0, servedRaw: false, frameName: "f", version: version("site")
}
const before = (milliseconds: number) => DateTime.subtract(now, { milliseconds })
const ended = (milliseconds: number) => DateTime.subtract(before(milliseconds), { days: 30 })

describe("door", () => {
  const table: ReadonlyArray<readonly [name: string, facts: Partial<Site>, verdict: string]> = [
    ["public", {}, "open"],
    ["nothing published", { version: null }, "empty"],
    ["a doorcode", { visibility: "password" }, "doorcode"],
    ["members only", { visibility: "private" }, "private"],
    ["a doorcode with nothing behind it", { visibility: "password", version: null }, "doorcode"],
    ["expiring in a millisecond", { expiresAt: DateTime.add(now, { milliseconds: 1 }) }, "open"],
    ["expired this millisecond", { expiresAt: now }, "expired"],
    ["expired comes before private", { expiresAt: now, visibility: "private" }, "expired"],
    ["lapsed, within its grace", { trialEndsAt: ended(-1) }, "open"],
    ["at the end of its grace", { trialEndsAt: ended(0) }, "down"]
  ]
  for (const [name, facts, verdict] of table) {
    it(`${name}: ${verdict}`, () => assert.strictEqual(door({ site: { ...site, ...facts }, pass: null }, enforced, now), verdict))
  }
  it("nobody's address is unknown, and no trial lapses where trials are open", () => {
    assert.strictEqual(door(undefined, enforced, now), "unknown")
    assert.strictEqual(door({ site: { ...site, trialEndsAt: ended(99_999) }, pass: null }, "open", now), "open")
  })
})

describe("passes", () => {
  const pass: Pass = { id: "g" as PassId, via: "doorcode", givenAt: now, accessEpoch: 0, frameName: "f", member: null, link: null }
  const member: Pass = { ...pass, via: "member", member: { belongs: true, hidden: false, sessionHolds: true, signedInAt: pass.givenAt } }
  const link: Pass = { ...pass, via: "link", link: { id: "l" as ShareLinkId, expiresAt: null, revoked: false } }
  const old = DateTime.subtract(now, { days: 30 })
  const later = DateTime.add(now, { milliseconds: 1 })

  it("earlier versions are for members whose pass holds, and for nobody else, whatever opens the door to them", () => {
    const shown: Site = { ...site, version: version("markdown", "a.md") }
    const sees = (pass: Pass | null, facts: Partial<Site> = {}) => seesHistory({ site: { ...shown, ...facts }, pass }, now)
    for (const visibility of ["public", "password", "private"] as const) {
      assert.isTrue(sees(member, { visibility }), visibility)
      for (const other of [null, pass, link]) assert.isFalse(sees(other, { visibility }), visibility)
    }
    for (const ended of [{ belongs: false }, { hidden: true }, { sessionHolds: false }]) {
      assert.isFalse(sees({ ...member, member: { ...member.member!, ...ended } }))
    }
    assert.isFalse(sees({ ...member, member: null }))
    assert.isTrue(sees({ ...member, givenAt: DateTime.add(old, { milliseconds: 1 }) }))
    assert.isFalse(sees({ ...member, givenAt: old }))
    // Where an author's script runs, nobody does.
    const framed: Partial<Site> = { version: version("site"), commentsEnabled: true, htmlDisplayMode: "framed" }
    assert.isTrue(sees(member, framed))
    assert.isFalse(sees(member, { ...framed, htmlDisplayMode: "raw" }))
    assert.isFalse(sees(member, { ...framed, commentsEnabled: false }))
    assert.isFalse(sees(member, { version: null }))
  })

  const table: ReadonlyArray<readonly [name: string, pass: Pass, on: { readonly [of in Site["visibility"]]: boolean }]> = [
    ["a doorcode's", pass, { public: false, password: true, private: false }],
    ["a doorcode's, since changed", { ...pass, accessEpoch: 1 }, { public: false, password: false, private: false }],
    ["a member's", member, { public: true, password: true, private: true }],
    ["a removed member's", { ...member, member: { ...member.member!, belongs: false } }, { public: false, password: false, private: false }],
    ["a member's who may not see the folder", { ...member, member: { ...member.member!, hidden: true } }, { public: false, password: false, private: false }],
    ["a member's who signed out everywhere", { ...member, member: { ...member.member!, sessionHolds: false } }, { public: false, password: false, private: false }],
    ["a member's whose session is over", { ...member, member: { ...member.member!, signedInAt: old } }, { public: false, password: false, private: false }],
    ["a member's whose account is gone", { ...member, member: null }, { public: false, password: false, private: false }],
    ["a link's", link, { public: true, password: true, private: true }],
    ["a link's, of another epoch", { ...link, accessEpoch: 9 }, { public: true, password: true, private: true }],
    ["a revoked link's", { ...link, link: { ...link.link!, revoked: true } }, { public: false, password: false, private: false }],
    ["a link's for another millisecond", { ...link, link: { ...link.link!, expiresAt: later } }, { public: true, password: true, private: true }],
    ["a link's that is over now", { ...link, link: { ...link.link!, expiresAt: now } }, { public: false, password: false, private: false }],
    ["a link's that is gone", { ...link, link: null }, { public: false, password: false, private: false }],
    ["one of a millisecond less than thirty days", { ...link, givenAt: DateTime.add(old, { milliseconds: 1 }) }, { public: true, password: true, private: true }],
    ["one of thirty days", { ...link, givenAt: old }, { public: false, password: false, private: false }]
  ]
  for (const [name, given, on] of table) {
    it(`${name} opens ${Object.entries(on).flatMap(([of, held]) => held ? [of] : []).join(", ") || "nothing"}`, () => {
      for (const visibility of ["public", "password", "private"] as const) {
        const visit = { site: { ...site, visibility }, pass: given }
        assert.strictEqual(holds(visit, now), on[visibility], visibility)
        const shut = visibility === "password" ? "doorcode" : "private"
        assert.strictEqual(door(visit, enforced, now), visibility === "public" || on[visibility] ? "open" : shut)
      }
    })
  }

  it("opens nothing whose time is up, or that is not there", () => {
    const visit = (facts: Partial<Site>) => ({ site: { ...site, visibility: "private" as const, ...facts }, pass: member })
    assert.strictEqual(door(visit({ expiresAt: now }), enforced, now), "expired")
    assert.strictEqual(door(visit({ trialEndsAt: ended(0) }), enforced, now), "down")
    assert.strictEqual(door(visit({ version: null }), enforced, now), "empty")
    assert.isFalse(holds({ site, pass: null }, now))
  })

  it("a frame's host asks for the frame's own key beside it", () => {
    const framed: FrameVisit = { site: { ...site, visibility: "private", commentsEnabled: true }, pass: member, entered: true }
    assert.strictEqual(frameDoor(framed, enforced, now), "open")
    assert.strictEqual(frameDoor({ ...framed, entered: false }, enforced, now), "private")
    assert.strictEqual(frameDoor({ ...framed, entered: false, pass, site: { ...framed.site, visibility: "password" } }, enforced, now), "doorcode")
    assert.strictEqual(frameDoor({ ...framed, pass: null }, enforced, now), "private")
    for (const facts of [{ commentsEnabled: false }, { htmlDisplayMode: "raw" as const }, { version: version("text", "a.txt") }, { version: null }]) {
      assert.strictEqual(frameDoor({ ...framed, site: { ...framed.site, ...facts } }, enforced, now), "unknown")
    }
    assert.strictEqual(frameDoor(undefined, enforced, now), "unknown")
  })
})

describe("locate", () => {
  const asset: Asset = { pack: "p", offset: 0, length: 1, hash: "h", type: "t" }
  const manifest = (...paths: ReadonlyArray<string>): Manifest => Object.fromEntries(paths.map((path) => [path, asset]))
  const files = manifest("index.html", "page.html", "dir/index.html", "both.html", "both/index.html", "404.html")
  const table: ReadonlyArray<readonly [path: string, named: string]> = [
    ["/", "200 index.html"], ["/page", "200 page.html"], ["/page.html", "200 page.html"], ["/dir/", "200 dir/index.html"],
    ["/dir", "→ /dir/"], ["/both", "200 both.html"], ["/both/", "200 both/index.html"], ["/page/", "→ /page"], ["/none/", "404 404.html"],
    ["/none", "404 404.html"], ["/toString", "404 404.html"], ["/404", "200 404.html"], ["/pageX", "404 404.html"]
  ]
  for (const [path, named] of table) {
    it(`${path} is ${named}`, () => {
      const found = locate(version("site"), files, path, () => true)!
      assert.strictEqual("location" in found ? `→ ${found.location}` : `${found.status} ${found.path}`, named)
    })
  }
  it("without a 404 page nothing is nothing, and other kinds have exact names only", () => {
    assert.isUndefined(locate(version("site"), manifest("index.html"), "/none", () => true))
    const drawing = version("image", "a.svg")
    assert.strictEqual((locate(drawing, manifest("a.svg"), "/", () => true) as { path: string }).path, "a.svg")
    assert.isUndefined(locate(drawing, manifest("a.svg", "b.html", "404.html"), "/b", () => true))
  })
  it("the addresses that an application makes up are its page, for readers who open one", () => {
    const built = ["index.html", "assets/index-Bd2.js", "assets/index-Bd2.css"]
    const answer = (path: string, paths: ReadonlyArray<string>, opensPage = true) => {
      const found = locate(version("site"), manifest(...paths), path, () => opensPage)
      return found === undefined ? undefined : "location" in found ? found.location : `${found.status} ${found.path}`
    }
    for (const path of ["/deep/route", "/deep/route/", "/toString"]) assert.strictEqual(answer(path, built), "200 index.html", path)
    for (const path of ["/assets/gone-1.js", "/deep/logo.png", "/.env", "/.git/config", "/.well-known/change-password"]) assert.isUndefined(answer(path, built), path)
    assert.isUndefined(answer("/api/people", built, false))
    // A site that has pages, says what is missing, or runs nothing, made up no address.
    for (const more of ["about.html", "docs/index.html", "404.html"]) assert.notStrictEqual(answer("/deep/route", [...built, more]), "200 index.html", more)
    assert.isUndefined(answer("/deep/route", ["index.html", "style.css"]))
    // Unless its author says so.
    const said = ["index.html", "about.html", "404.html", "200.html"]
    assert.deepStrictEqual(["/deep", "/about", "/a.png"].map((path) => answer(path, said)), ["200 200.html", "200 about.html", "404 404.html"])
    assert.strictEqual(answer("/deep", said, false), "404 404.html")
  })
  it("originals are for the kinds that have a viewer", () => {
    assert.strictEqual(original(version("image", "a.svg"), manifest("a.svg"), "a.svg")?.path, "a.svg")
    assert.isUndefined(original(version("image", "a.svg"), manifest("a.svg"), "toString"))
    assert.isUndefined(original(version("site"), files, "page.html"))
    // Any file of an earlier version, only by its exact path.
    assert.strictEqual(fileAt(files, "page.html")?.path, "page.html")
    for (const name of ["page", "", "toString", "/page.html"]) assert.isUndefined(fileAt(files, name), name)
  })
})
