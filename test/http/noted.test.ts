/** Over the wire: what the audit log records of lists, folders and payments, labels that hide something, and what a restore waits for. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll } from "vitest"
import { code } from "../support/ask.ts"
import { signIn } from "../support/oauth.ts"
import { eventually } from "../support/program.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { openStripe, signed } from "../support/stripe.ts"
import { ask, member } from "../support/team.ts"

const stripe = await openStripe()
afterAll(() => stripe.stop())

const ROOT = "root@example.com"

const log = (admin: Account) =>
  Effect.map(ask(admin, "GET", `/v1/workspace/audit?workspace=${admin.workspaceId}`), ({ json, status, text }) => {
    assert.strictEqual(status, 200, text)
    return (json.entries as ReadonlyArray<{ actor: { id: string } | null; action: string; target: object }>).toReversed().map(({ action, actor, target }) => [actor?.id ?? null, action, target] as const)
  })

layer(serviceWith({ ...stripe.environment, SVC_PLATFORM_ADMINS: ROOT, SVC_APP_URL: "https://app.svc.example" }), { excludeTestServices: true })("the audit log", (it) => {
  it.effect("tells of lists by counts and of folders by how they are shared, and of nothing that stayed as it was", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const admin = yield* service.account({ plan: "agency" })
      const plain = yield* member(admin, "member")
      const within = `workspace=${admin.workspaceId}`
      const published = yield* service.ask(`/v1/projects/listed-here?${within}`, { method: "PUT", body: "<h1>Hi</h1>", headers: { ...plain.bearer, "content-type": "text/html" } })
      assert.strictEqual(published.status, 201, published.text)
      const { id: project } = (yield* ask(plain, "GET", "/v1/projects/listed-here")).json
      const folder = (yield* ask(plain, "POST", `/v1/folders?${within}`, { name: "Drafts", sharing: "team", workspace: admin.workspaceId })).json.id
      const before = (yield* log(admin)).length

      const put = (caller: Account, path: string, json: object) => Effect.map(ask(caller, "PUT", `${path}/comment-allowlist?${within}`, json), ({ status, text }) => assert.strictEqual(status, 200, text))
      const here = "/v1/projects/listed-here"
      yield* put(plain, here, { emails: ["a@example.com", "b@example.com", "c@example.com"] })
      yield* put(plain, here, { emails: ["b@example.com", "d@example.com"], comment_access: "anyone" })
      yield* put(plain, here, { emails: ["d@example.com", "b@example.com"] })
      yield* ask(plain, "PATCH", here, { comment_access: "members", comment_allowlist_inherit: false })
      yield* ask(plain, "PATCH", here, { comment_access: "members" })
      yield* put(plain, `/v1/folders/${folder}`, { emails: ["e@example.com"] })
      yield* put(admin, "/v1/workspace", { emails: ["f@example.com"] })
      yield* ask(plain, "PATCH", `/v1/folders/${folder}`, { sharing: "private" })
      yield* ask(plain, "PATCH", `/v1/folders/${folder}`, { sharing: "private", name: "Mine" })
      assert.strictEqual((yield* ask(plain, "DELETE", `/v1/workspace/members/${plain.id}?${within}`)).status, 200)

      const list = (level: string, id: string, added: number, removed: number, more = {}) => ({ type: "allowlist", level, id, added, removed, ...more })
      const told = yield* ask(admin, "GET", `/v1/workspace/audit?${within}`)
      assert.deepStrictEqual((yield* log(admin)).slice(before), [
        [plain.id, "allowlist.changed", list("project", project, 3, 0)],
        [plain.id, "allowlist.changed", list("project", project, 1, 2, { comment_access: "anyone" })],
        [plain.id, "allowlist.changed", list("project", project, 0, 0, { comment_access: "members", comment_allowlist_inherit: false })],
        [plain.id, "allowlist.changed", list("folder", folder, 1, 0)],
        [admin.id, "allowlist.changed", list("workspace", admin.workspaceId, 1, 0)],
        [plain.id, "folder.sharing_changed", { type: "folder", id: folder, sharing: "private" }],
        [plain.id, "member.left", { type: "member", id: plain.id }],
        [plain.id, "folder.sharing_changed", { type: "folder", id: folder, sharing: "team" }]
      ])
      for (const secret of ["@example.com", "Drafts", "Mine"]) assert.notInclude(told.text, secret)
    }))

  it.effect("tells that the team can see a private folder's projects once the folder is deleted; of an empty folder or a team's one, nothing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const admin = yield* service.account({ plan: "agency" })
      const plain = yield* member(admin, "member")
      const within = `workspace=${admin.workspaceId}`
      const folder = Effect.fnUntraced(function*(sharing: string, holds: string | undefined) {
        const { id } = (yield* ask(plain, "POST", `/v1/folders?${within}`, { name: "Drafts", sharing, workspace: admin.workspaceId })).json
        if (holds === undefined) return id as string
        const put = yield* service.ask(`/v1/projects/${holds}?${within}&folder_id=${id}`, { method: "PUT", body: "<h1>Hi</h1>", headers: { ...plain.bearer, "content-type": "text/html" } })
        assert.strictEqual(put.status, 201, put.text)
        return id as string
      })
      const [held, empty, shared] = [yield* folder("private", "held-here"), yield* folder("private", undefined), yield* folder("team", "shared-here")]
      assert.strictEqual((yield* ask(admin, "GET", "/v1/projects/held-here")).status, 404)
      const before = (yield* log(admin)).length
      assert.strictEqual((yield* ask(plain, "DELETE", `/v1/folders/${held}`)).status, 409)
      for (const id of [held, empty, shared]) assert.strictEqual((yield* ask(plain, "DELETE", `/v1/folders/${id}?move_projects=true`)).status, 200)
      assert.strictEqual((yield* ask(admin, "GET", "/v1/projects/held-here")).status, 200)
      assert.deepStrictEqual((yield* log(admin)).slice(before), [
        [plain.id, "folder.sharing_changed", { type: "folder", id: held, sharing: "team" }]
      ])
    }))

  it.effect("tells of paying; who pays on two pages at once has one subscription and the other’s money back", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      const order = { workspace: ada.workspaceId, interval: "month" }
      const pages: Array<string> = []
      for (const plan of ["studio", "agency"]) pages.push((yield* ask(ada, "POST", "/v1/billing/checkout", { ...order, plan })).json.url)
      const returnTo = [...stripe.sessions.values()].filter(({ url }) => pages.includes(url)).map(({ left, paid }) => [paid, left])
      const back = `https://app.svc.example/workspace/billing?workspace=${ada.workspaceId}`
      assert.deepStrictEqual(returnTo, [[`${back}&checkout=done`, `${back}&checkout=cancelled`], [`${back}&checkout=done`, `${back}&checkout=cancelled`]])

      const paid = pages.map((page) => stripe.pay(page))
      for (const event of stripe.events.splice(0)) assert.strictEqual((yield* service.ask("/v1/billing/webhook", signed(event))).status, 200)
      yield* Effect.promise(() => eventually("the other to be over", () => paid.filter(({ status }) => status === "canceled").length === 1))
      const [over] = paid.filter(({ status }) => status === "canceled")
      const [left] = paid.filter(({ status }) => status === "active")
      const told = yield* Effect.promise(() => eventually("it to be told", async () => {
        const entries = await Effect.runPromise(Effect.provideService(log(ada), Service, service))
        return entries.some(([, action]) => action === "subscription.duplicate_refunded") && entries
      }))
      assert.deepStrictEqual([over!.invoice.refunded, left!.invoice.refunded], [2_900, 0])
      assert.deepStrictEqual(told.filter(([actor]) => actor === ada.id).map(([, action, target]) => [action, target]), [
        ["billing.checkout_started", { type: "workspace", id: ada.workspaceId, plan: "studio" }],
        ["billing.checkout_started", { type: "workspace", id: ada.workspaceId, plan: "agency" }]
      ])
      for (const once of ["subscription.started", "subscription.duplicate_refunded"]) assert.lengthOf(told.filter(([, action]) => action === once), 1, once)
      const bill = yield* ask(ada, "GET", `/v1/billing/subscription?workspace=${ada.workspaceId}`)
      assert.deepInclude(bill.json, { plan: left!.price === "price_agency_month" ? "agency" : "studio", state: "active" })
      assert.strictEqual((yield* ask(ada, "POST", "/v1/billing/portal", { workspace: ada.workspaceId })).status, 200)
      assert.deepStrictEqual([stripe.portals.at(-1), (yield* log(ada)).at(-1)], [`${back}&portal=back`, [ada.id, "billing.portal_opened", { type: "workspace", id: ada.workspaceId }]])
    }))

  it.effect("is of what a label shows: one that hides something is refused wherever a person names a thing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account({ plan: "agency" })
      const within = `workspace=${ada.workspaceId}`
      yield* service.ask("/v1/projects/named-plainly", { method: "PUT", body: "<title>Q3\u202e report\u200b</title>", headers: { ...ada.bearer, "content-type": "text/html" } })
      assert.strictEqual((yield* ask(ada, "GET", "/v1/projects/named-plainly")).json.title, "Q3 report")
      const folder = (yield* ask(ada, "POST", `/v1/folders?${within}`, { name: "Plain" })).json.id
      const session = yield* signIn(service, ada.email)
      const places: ReadonlyArray<readonly [method: string, path: string, field: string, more?: object]> = [
        ["PATCH", "/v1/me", "name"],
        ["POST", "/v1/tokens", "label"],
        ["PATCH", `/v1/workspace?${within}`, "name"],
        ["POST", "/v1/workspaces", "name"],
        ["PATCH", "/v1/projects/named-plainly", "title"],
        ["POST", `/v1/folders?${within}`, "name"],
        ["PATCH", `/v1/folders/${folder}`, "name"],
        ["POST", "/v1/projects/named-plainly/share-links", "label"],
        ["POST", "/v1/auth/signup", "name", { email: "new@example.com", password: PASSWORD }]
      ]
      for (const [method, path, field, more] of places) {
        for (const label of ["invoice\u202efdp.exe", "\u2066Ada\u2069", "A\u200bda", "\u3164"]) {
          const answer = yield* service.ask(path, { method, json: { ...more, [field]: label }, headers: session })
          assert.deepStrictEqual(code(answer), [422, "validation_error", field], `${method} ${path} ${JSON.stringify(label)}`)
          assert.notInclude(answer.text, "fdp")
        }
      }
      const title = yield* service.ask(`/v1/projects/named-plainly?title=${encodeURIComponent("a\u202eb")}`, { method: "PUT", body: "<p>x</p>", headers: { ...ada.bearer, "content-type": "text/html" } })
      assert.deepStrictEqual(code(title), [422, "validation_error", "title"])
      for (const name of ["👩\u200d👩\u200d👧 خانواده", "می\u200cخواهم"]) assert.strictEqual((yield* ask(ada, "PATCH", `/v1/workspace?${within}`, { name })).json.name, name)
      // An agent's name is reduced to what can be seen of it, since the agent cannot be asked.
      const client = yield* service.ask("/oauth/register", { json: { redirect_uris: ["http://127.0.0.1/back"], client_name: "Good\u202e agent" } })
      assert.deepStrictEqual([client.status, client.json.client_name], [201, "Good agent"])
    }))

  it.effect("is of a workspace that somebody looks after: a restore says whom to bring back first", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [root, owner] = [yield* service.account({ email: ROOT }), yield* service.account({ plan: "agency" })]
      yield* member(owner, "member")
      const session = yield* signIn(service, owner.email)
      assert.strictEqual((yield* ask(owner, "DELETE", "/v1/workspace", { workspace: owner.workspaceId, password: PASSWORD })).status, 202)
      assert.strictEqual((yield* service.ask("/v1/me", { method: "DELETE", json: { password: PASSWORD }, headers: session })).status, 202)
      const restore = (type: string, id: string) => ask(root, "POST", `/v1/admin/deletions/${type}/${id}/restore`)
      const refused = yield* restore("workspace", owner.workspaceId)
      assert.deepStrictEqual(code(refused), [409, "conflict", null])
      assert.deepStrictEqual(refused.json.error.details, { restore_first: [{ target_type: "user", target_id: owner.id }] })
      assert.deepStrictEqual((yield* restore("user", owner.id)).json, { restored: true })
      assert.deepStrictEqual((yield* restore("workspace", owner.workspaceId)).json, { restored: true })
      assert.strictEqual((yield* ask(owner, "GET", `/v1/workspace?workspace=${owner.workspaceId}`)).status, 200)
    }))
})
