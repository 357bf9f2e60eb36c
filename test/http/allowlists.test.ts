/** Comment allowlists over the wire: three levels, what each inherits, who may see and change them, and what is refused. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { Allowlists } from "../../src/domain/allowlists/allowlists.ts"
import { ProjectStore } from "../../src/domain/projects/store.ts"
import type { Role } from "../../src/domain/workspaces/model.ts"
import { WorkspaceStore } from "../../src/domain/workspaces/store.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"

const WORKSPACE = "/v1/workspace/comment-allowlist"
const UNKNOWN = "018f4a2e-0000-7000-8000-00000000abcd"
const ofProject = (slug: string) => `/v1/projects/${slug}/comment-allowlist`
const ofFolder = (id: string) => `/v1/folders/${id}/comment-allowlist`

let names = 0
const fresh = () => `list-${++names}`

const ask = (account: Account, path: string, method = "GET", json?: unknown) =>
  Service.use((service) => service.ask(path, { method, headers: account.bearer, ...(json === undefined ? {} : { json }) }))

/** The fields that the answer must have. */
const read = (account: Account, path: string) =>
  Effect.map(ask(account, path), (answer) => (assert.strictEqual(answer.status, 200, answer.text), answer.json))

const put = (account: Account, path: string, json: unknown) =>
  Effect.map(ask(account, path, "PUT", json), (answer) => (assert.strictEqual(answer.status, 200, answer.text), answer.json))

const project = Effect.fnUntraced(function*(account: Account, query = "") {
  const slug = fresh()
  const service = yield* Service
  const made = yield* service.ask(`/v1/projects/${slug}${query}`, {
    method: "PUT",
    body: "<h1>Hi</h1>",
    headers: { ...account.bearer, "content-type": "text/html" }
  })
  assert.strictEqual(made.status, 201, made.text)
  return slug
})

const folder = (account: Account, sharing = "team", workspace = account.workspaceId) =>
  Effect.map(ask(account, `/v1/folders?workspace=${workspace}`, "POST", { name: fresh(), sharing }), (made) => {
    assert.strictEqual(made.status, 201, made.text)
    return String(made.json.id)
  })

const joined = Effect.fnUntraced(function*(host: Account, role: Role) {
  const service = yield* Service
  const guest = yield* service.account()
  yield* service.inside(WorkspaceStore.use((store) =>
    Effect.flatMap(DateTime.now, (now) => store.join(guest.id, { workspaceId: host.workspaceId, role, isOwner: false }, now))
  ))
  return guest
})

layer(serviceWith(), { excludeTestServices: true })("allowlists", (it) => {
  it.effect("start empty, take what is given, keep the rest, and write each address in one form, once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const slug = yield* project(ada)
      const start = { comment_access: "allowlist", comment_allowlist_inherit: true, emails: [], inherited_emails: [] }
      assert.deepStrictEqual(yield* read(ada, ofProject(slug)), start)
      assert.deepStrictEqual(yield* read(ada, ofFolder(yield* folder(ada))), start)
      assert.deepStrictEqual(yield* read(ada, WORKSPACE), { ...start, comment_allowlist_inherit: false })

      const listed = yield* put(ada, ofProject(slug), { emails: [" Eve@Example.com", "bob@example.com", "eve@example.com"] })
      assert.deepStrictEqual(listed, { ...start, emails: ["eve@example.com", "bob@example.com"] })
      assert.deepStrictEqual(yield* put(ada, ofProject(slug), { comment_access: "anyone", emails: null }), { ...listed, comment_access: "anyone" })
      const alone = { ...listed, comment_access: "anyone", comment_allowlist_inherit: false }
      assert.deepStrictEqual(yield* put(ada, ofProject(slug), { comment_allowlist_inherit: false }), alone)
      // The answer can be sent back, and an empty change changes nothing.
      assert.deepStrictEqual(yield* put(ada, ofProject(slug), alone), alone)
      assert.deepStrictEqual(yield* put(ada, ofProject(slug), {}), alone)
      assert.deepStrictEqual(yield* put(ada, ofProject(slug), { emails: [] }), { ...alone, emails: [] })

      const shown = (yield* read(ada, `/v1/projects/${slug}`))
      assert.deepStrictEqual([shown.comment_access, shown.comment_allowlist_inherit], ["anyone", false])
      assert.isTrue(shown.updated_at > shown.published_at)
      assert.notProperty(shown, "emails")
    }))

  it.effect("draw on the level above at every look, so that a project that moves draws on its new folder at once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const [one, two] = [yield* folder(ada), yield* folder(ada)]
      const slug = yield* project(ada, `?folder_id=${one}`)
      yield* put(ada, WORKSPACE, { emails: ["w@example.com"] })
      yield* put(ada, ofFolder(one), { emails: ["one@example.com"] })
      yield* put(ada, ofFolder(two), { emails: ["two@example.com"], comment_allowlist_inherit: false })
      yield* put(ada, ofProject(slug), { emails: ["p@example.com"] })
      const everyone = ["p", "one", "two", "w", "nobody"].map((name) => `${name}@example.com`)
      const drawn = Effect.fnUntraced(function*() {
        const { emails, inherited_emails } = yield* read(ada, ofProject(slug))
        const { project } = Option.getOrThrow(yield* service.inside(ProjectStore.use((store) => store.reach(slug, ada.id))))
        const listed = yield* service.inside(Allowlists.use(({ listed }) => Effect.filter(everyone, (email) => listed(project, email.toUpperCase()))))
        assert.sameMembers(listed, [...emails, ...inherited_emails])
        return inherited_emails
      })
      assert.deepStrictEqual(yield* drawn(), ["one@example.com", "w@example.com"])
      assert.deepStrictEqual((yield* read(ada, ofFolder(one))).inherited_emails, ["w@example.com"])
      assert.deepStrictEqual((yield* read(ada, ofFolder(two))).inherited_emails, [])
      for (const [folder_id, inherited] of [[two, ["two@example.com"]], [null, ["w@example.com"]], [one, ["one@example.com", "w@example.com"]]] as const) {
        assert.strictEqual((yield* ask(ada, `/v1/projects/${slug}`, "PATCH", { folder_id })).status, 200)
        assert.deepStrictEqual(yield* drawn(), inherited)
      }
      yield* put(ada, ofFolder(one), { comment_allowlist_inherit: false })
      assert.deepStrictEqual(yield* drawn(), ["one@example.com"])
      yield* put(ada, ofProject(slug), { comment_allowlist_inherit: false })
      assert.deepStrictEqual(yield* drawn(), [])
      yield* put(ada, ofProject(slug), { comment_allowlist_inherit: true })
      yield* put(ada, WORKSPACE, { emails: [] })
      yield* put(ada, ofFolder(one), { comment_allowlist_inherit: true, emails: [] })
      assert.deepStrictEqual(yield* drawn(), [])
    }))

  it.effect("say what a new project starts with: its folder’s access, else the workspace’s", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const inside = yield* folder(ada)
      const access = (query: string) =>
        Effect.flatMap(project(ada, query), (slug) => Effect.map(read(ada, ofProject(slug)), ({ comment_access }) => comment_access))
      const old = yield* project(ada)
      yield* put(ada, WORKSPACE, { comment_access: "anyone" })
      assert.strictEqual((yield* read(ada, ofFolder(inside))).comment_access, "anyone")
      assert.deepStrictEqual([yield* access(""), yield* access(`?folder_id=${inside}`)], ["anyone", "anyone"])
      yield* put(ada, ofFolder(inside), { comment_access: "members" })
      assert.deepStrictEqual([yield* access(""), yield* access(`?folder_id=${inside}`)], ["anyone", "members"])
      assert.strictEqual((yield* read(ada, ofProject(old))).comment_access, "allowlist")
    }))

  it.effect("are read by members and changed by those who may change the level; strangers meet nothing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const member = yield* joined(ada, "member")
      const admin = yield* joined(ada, "admin")
      const stranger = yield* service.account()
      const workspace = `${WORKSPACE}?workspace=${ada.workspaceId}`
      const [adas, members] = [yield* folder(ada), yield* folder(member, "team", ada.workspaceId)]
      const hidden = yield* folder(member, "private", ada.workspaceId)
      const slugs = {
        adas: yield* project(ada),
        members: yield* project(member, `?workspace=${ada.workspaceId}`),
        hidden: yield* project(member, `?workspace=${ada.workspaceId}&folder_id=${hidden}`)
      }
      const doors: ReadonlyArray<readonly [path: string, mayRead: ReadonlyArray<Account>, mayChange: ReadonlyArray<Account>]> = [
        [ofProject(slugs.adas), [ada, admin, member], [ada, admin]],
        [ofProject(slugs.members), [ada, admin, member], [ada, admin, member]],
        [ofProject(slugs.hidden), [member], [member]],
        [ofFolder(adas), [ada, admin, member], [ada, admin]],
        [ofFolder(members), [ada, admin, member], [ada, admin, member]],
        [ofFolder(hidden), [member], [member]],
        [workspace, [ada, admin, member], [ada, admin]],
        [ofProject("no-such-project"), [], []],
        [ofFolder(UNKNOWN), [], []],
        [`${WORKSPACE}?workspace=${UNKNOWN}`, [], []]
      ]
      for (const [path, mayRead, mayChange] of doors) {
        let kept: unknown = []
        for (const account of [ada, admin, member, stranger]) {
          const got = yield* ask(account, path)
          const set = yield* ask(account, path, "PUT", { emails: [account.email] })
          const [read, changed] = [mayRead.includes(account), mayChange.includes(account)]
          assert.deepStrictEqual([got.status, set.status], [read ? 200 : 404, changed ? 200 : read ? 403 : 404], `${path} ${account.email}`)
          if (changed) kept = set.json.emails
          else assert.deepStrictEqual([set.json.error.code], [read ? "forbidden" : "not_found"])
        }
        if (mayRead[0] !== undefined) assert.deepStrictEqual((yield* read(mayRead[0], path)).emails, kept)
      }
      // Nobody can tell a foreign one from a missing one.
      const foreign = yield* ask(stranger, ofFolder(adas))
      assert.deepStrictEqual(foreign.json, (yield* ask(stranger, ofFolder(UNKNOWN))).json)
    }))

  it.effect("refuse what is misspelt, no address, too much, or not theirs to say, and change nothing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const slug = yield* project(ada)
      const many = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@example.com`)
      const full = yield* put(ada, ofProject(slug), { emails: many(500), comment_access: "members" })
      assert.lengthOf(full.emails, 500)
      const refused: ReadonlyArray<readonly [json: unknown, field: string]> = [
        [{ email: ["a@example.com"] }, "email"],
        [{ comment_acess: "anyone", emails: [] }, "comment_acess"],
        [{ comment_access: "everyone" }, "comment_access"],
        [{ comment_allowlist_inherit: "yes" }, "comment_allowlist_inherit"],
        [{ emails: [...many(3), "nobody"] }, "emails.3"],
        [{ emails: [...many(3), 7] }, "emails.3"],
        [{ emails: [...many(1), "a\u0000@example.com"] }, "emails.1"],
        [{ emails: ["a@example.com\r\nBcc: b@example.com"] }, "emails.0"],
        [{ emails: "a@example.com" }, "emails"],
        [{ emails: many(501) }, "emails"],
        [[], "body"]
      ]
      for (const [json, field] of refused) {
        const answer = yield* ask(ada, ofProject(slug), "PUT", json)
        assert.deepStrictEqual([answer.status, answer.json.error.code, answer.json.error.field], [422, "validation_error", field], answer.text)
        assert.notInclude(answer.text, "example.com")
      }
      const both = yield* ask(ada, ofProject(slug), "PUT", { comment_access: "everyone", emails: ["a", "b@example.com", "c"] })
      assert.sameMembers(both.json.error.details.errors.map(({ field }: { field: string }) => field), ["comment_access", "emails.0", "emails.2"])
      // As many as a body holds: one fault for all, not one for each.
      const flood = yield* ask(ada, ofProject(slug), "PUT", { emails: Array.from({ length: 300_000 }, () => "") })
      assert.strictEqual(flood.status, 422)
      assert.lengthOf(flood.json.error.details.errors, 1)
      assert.deepStrictEqual(yield* read(ada, ofProject(slug)), full)

      const upward = yield* ask(ada, WORKSPACE, "PUT", { comment_allowlist_inherit: true, emails: ["a@example.com"] })
      assert.deepStrictEqual([upward.status, upward.json.error.field], [422, "comment_allowlist_inherit"])
      assert.deepStrictEqual((yield* read(ada, WORKSPACE)).emails, [])
      assert.strictEqual((yield* ask(ada, ofFolder("none"))).status, 422)
    }))

  it.effect("a hundred writers who add and remove at once lose nobody’s change, and a full list takes no more", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      const list = fresh()
      for (const path of [ofProject(yield* project(ada)), ofFolder(yield* folder(ada)), WORKSPACE]) {
        const old = Array.from({ length: 50 }, (_, at) => `old${at}@example.com`)
        const come = old.map((_, at) => `${list}-new${at}@example.com`)
        yield* put(ada, path, { emails: [...old, "stays@example.com"] })
        const changes = old.flatMap((email, at) => [{ remove_emails: [email.toUpperCase()] }, { add_emails: [come[at]] }])
        yield* Effect.all(changes.map((change) => put(ada, path, change)), { concurrency: "unbounded" })
        const { emails } = yield* read(ada, path)
        assert.sameMembers(emails, ["stays@example.com", ...come])
        assert.strictEqual(emails[0], "stays@example.com")

        const crowd = (count: number) => Array.from({ length: count }, (_, at) => `crowd${at}@example.com`)
        const whole = yield* put(ada, path, { add_emails: crowd(500 - emails.length), remove_emails: ["nobody@example.com"] })
        assert.lengthOf(whole.emails, 500)
        for (const [json, field] of [
          [{ add_emails: ["more@example.com"], comment_access: "members" }, "add_emails"],
          [{ add_emails: crowd(501) }, "add_emails"],
          [{ remove_emails: crowd(501) }, "remove_emails"],
          [{ add_emails: ["fine@example.com", "nobody"] }, "add_emails.1"],
          [{ add_emails: [], emails: [] }, "emails"],
          [{ remove_emails: ["a@example.com"], emails: ["a@example.com"] }, "emails"]
        ] as const) {
          const answer = yield* ask(ada, path, "PUT", json)
          assert.deepStrictEqual([answer.status, answer.json.error.code, answer.json.error.field], [422, "validation_error", field], answer.text)
        }
        assert.deepStrictEqual(yield* read(ada, path), whole)
        assert.lengthOf((yield* put(ada, path, { add_emails: null, remove_emails: null })).emails, 500)
      }
    }))

  it.effect("a hundred writers at once leave one whole list of one of them", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const slug = yield* project(ada)
      const lists = Array.from({ length: 100 }, (_, at) => [`a${at}@example.com`, `b${at}@example.com`])
      const answers = yield* Effect.all(lists.map((emails) => put(ada, ofProject(slug), { emails })), { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ emails }) => emails), lists)
      const last = (yield* read(ada, ofProject(slug))).emails
      assert.isTrue(lists.some((emails) => emails.join() === last.join()), String(last))
    }))
})
