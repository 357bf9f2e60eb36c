/** Workspaces, members and the audit log over the wire: who sees and does what, what ends with a membership, races. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { Gates } from "../../src/domain/hosting/gates.ts"
import { MAX_MADE } from "../../src/domain/workspaces/member-rules.ts"
import { code, cookiesOf, withoutId } from "../support/ask.ts"
import type { Answer } from "../support/ask.ts"
import { enqueued } from "../support/enqueued.ts"
import { invited } from "../support/invited.ts"
import { locked, waiting } from "../support/locked.ts"
import { mailTo } from "../support/mail.ts"
import { eventually } from "../support/program.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { ask, homeless, joins, member } from "../support/team.ts"

const MISSING = "018f4a2e-0000-7000-8000-00000000abcd"

const of = ({ workspaceId }: Pick<Account, "workspaceId">) => `workspace=${workspaceId}`

const publish = (account: Account, slug: string, query: string) =>
  Service.use((service) =>
    service.ask(`/v1/projects/${slug}?${query}`, { method: "PUT", body: "<h1>Hi</h1>", headers: { ...account.bearer, "content-type": "text/html" } }))

const membersOf = (admin: Account) =>
  Effect.map(ask(admin, "GET", `/v1/workspace/members?${of(admin)}`), ({ json }) => json as ReadonlyArray<{ user_id: string; role: string }>)

/** Every row about a workspace, as one text. */
const remembered = ({ workspaceId }: Account) =>
  Service.use(({ inside }) =>
    inside(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`
        SELECT w::text AS row FROM workspaces w WHERE id = ${workspaceId}
        UNION ALL SELECT m::text FROM members m WHERE workspace_id = ${workspaceId}
        UNION ALL SELECT i::text FROM invites i WHERE workspace_id = ${workspaceId}
        UNION ALL SELECT e::text FROM audit_entries e WHERE workspace_id = ${workspaceId} ORDER BY 1`
      return JSON.stringify(rows)
    }).pipe(Effect.orDie)))

layer(serviceWith(), { excludeTestServices: true })("workspaces", (it) => {
  it.effect("show plan, usage and limits, are renamed, and take nothing else from a body", () =>
    Effect.gen(function*() {
      const admin = yield* (yield* Service).account()
      yield* publish(admin, "counted-once", "")
      yield* invited(admin, "pending@example.com")
      yield* invited(admin, "expired@example.com", { daysAgo: 7 })
      const shown = yield* ask(admin, "GET", "/v1/workspace")
      assert.strictEqual(shown.status, 200, shown.text)
      const { created_at, trial_ends_at, usage: { storage_bytes, ...usage }, ...rest } = shown.json
      assert.deepStrictEqual(rest, {
        id: admin.workspaceId,
        name: "Home",
        plan: "studio",
        role: "admin",
        is_owner: true,
        billing_state: "trialing",
        links_down_on: null,
        member_count: 1,
        limits: { projects: 100, storage_bytes: 107_374_182_400, seats: 5, upload_bytes: 524_288_000, versions_kept: 20, analytics_days: 90 }
      })
      assert.deepStrictEqual([usage, storage_bytes], [{ projects: 1, seats: 2 }, 11])
      for (const time of [created_at, trial_ends_at]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

      const extra = { plan: "agency", trial_ends_at: "2099-01-01T00:00:00.000Z", workspace_id: MISSING, is_owner: false, role: "member", billing_state: "active" }
      const renamed = yield* ask(admin, "PATCH", "/v1/workspace", { name: "  Studio Ada  ", ...extra })
      assert.deepStrictEqual([renamed.status, renamed.json], [200, { ...shown.json, name: "Studio Ada" }])
      assert.deepStrictEqual((yield* ask(admin, "PATCH", "/v1/workspace", {})).json, renamed.json)
      for (const [json, field] of [[{ nmae: "x" }, "nmae"], [{ name: null }, "name"], [{ name: " " }, "name"], [{ name: "x".repeat(101) }, "name"], [{ needs_charge: false }, "needs_charge"]] as const) {
        assert.deepStrictEqual(code(yield* ask(admin, "PATCH", "/v1/workspace", json)), [422, "validation_error", field])
      }
      // Else another workspace than the one that was meant would change.
      for (const [method, path, json] of [["PATCH", "/v1/workspace", { name: "Astray" }], ["PUT", "/v1/workspace/comment-allowlist", { emails: [] }], ["PATCH", `/v1/workspace/members/${MISSING}`, { role: "admin" }]] as const) {
        assert.deepStrictEqual(code(yield* ask(admin, method, `${path}?workspce=${MISSING}`, json)), [422, "validation_error", "workspce"])
      }
      const both = yield* ask(admin, "PATCH", "/v1/workspace?workspace=home", { name: 1 })
      assert.deepStrictEqual(both.json.error.details.errors.map((fault: { field: string }) => fault.field), ["workspace", "name"])
    }))

  it.effect("are made on the Starter plan without a trial, up to a limit, and nothing is charged where nobody can pay", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const maker = yield* service.account()
      const made = yield* ask(maker, "POST", "/v1/workspaces", { name: " Second ", plan: "agency", trial_ends_at: "2099-01-01T00:00:00.000Z", needs_charge: false })
      assert.strictEqual(made.status, 201, made.text)
      assert.deepInclude(made.json, { name: "Second", plan: "starter", role: "admin", is_owner: true, trial_ends_at: null, billing_state: "active", member_count: 1 })
      assert.strictEqual(made.json.limits.seats, 1)
      const { workspaces } = (yield* ask(maker, "GET", "/v1/me")).json
      assert.deepStrictEqual(workspaces.map((one: { id: string }) => one.id), [maker.workspaceId, made.json.id])
      assert.strictEqual((yield* publish(maker, "in-the-second", `workspace=${made.json.id}`)).status, 201)
      for (const json of [{}, { name: "" }, { name: "a\u0000b" }]) assert.deepStrictEqual(code(yield* ask(maker, "POST", "/v1/workspaces", json)), [422, "validation_error", "name"])

      const more = yield* Effect.forEach(Array.from({ length: 50 }), () => ask(maker, "POST", "/v1/workspaces", { name: "More" }), { concurrency: "unbounded" })
      assert.strictEqual(more.filter(({ status }) => status === 201).length, MAX_MADE - 1)
      assert.deepStrictEqual(code(more.find(({ status }) => status !== 201)!), [409, "conflict", null])
      const hal = yield* homeless
      const first = yield* ask(hal, "POST", "/v1/workspaces", { name: "Of my own" })
      assert.deepStrictEqual([first.status, (yield* ask(hal, "GET", "/v1/workspace")).json.id], [201, first.json.id])
    }))

  it.effect("answer each caller as they should, and change nothing for whom they refuse", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const admin = yield* service.account({ plan: "agency" })
      const other = yield* service.account()
      const [plain, target, removed] = [yield* member(admin, "member"), yield* member(admin, "member"), yield* member(admin, "admin")]
      const hal = yield* homeless
      yield* invited(admin, "waiting@example.com")
      const [{ id: invite }] = (yield* ask(admin, "GET", `/v1/workspace/invites?${of(admin)}`)).json
      assert.strictEqual((yield* ask(admin, "DELETE", `/v1/workspace/members/${removed.id}?${of(admin)}`)).status, 200)

      const paths: ReadonlyArray<readonly [method: string, path: string, json?: unknown]> = [
        ["GET", "/v1/workspace"],
        ["PATCH", "/v1/workspace", { name: "Mine now" }],
        ["PATCH", `/v1/workspace/members/${target.id}`, { role: "admin" }],
        ["DELETE", `/v1/workspace/members/${target.id}`],
        ["GET", "/v1/workspace/invites"],
        ["POST", "/v1/workspace/invites", { email: "new@example.com", role: "admin" }],
        ["DELETE", `/v1/workspace/invites/${invite}`],
        ["POST", `/v1/workspace/invites/${invite}/resend`],
        ["GET", "/v1/workspace/audit"]
      ]
      const before = yield* remembered(admin)
      for (const [method, path, json] of paths) {
        const at = (caller: Parameters<typeof ask>[0], workspace: string) => ask(caller, method, `${path}?workspace=${workspace}`, json)
        assert.deepStrictEqual(code(yield* at(undefined, admin.workspaceId)), [401, "auth_required", null], path)
        assert.deepStrictEqual(code(yield* at(plain, admin.workspaceId)), [403, "forbidden", null], path)
        const missing = yield* at(other, MISSING)
        assert.deepStrictEqual(code(missing), [404, "not_found", "workspace"], path)
        for (const caller of [other, removed, hal]) {
          assert.deepStrictEqual(withoutId(yield* at(caller, admin.workspaceId)), withoutId(missing), path)
        }
        // Somebody without a workspace has no default one.
        assert.deepStrictEqual(code(yield* ask(hal, method, path, json)), [404, "not_found", null], path)
      }
      // An id of another workspace is treated like a missing one.
      for (const [method, path, json] of paths.filter(([, path]) => /members|invites\//.test(path))) {
        const theirs = yield* ask(other, method, path, json)
        const missing = yield* ask(other, method, path.replace(target.id, MISSING).replace(invite, MISSING), json)
        assert.strictEqual(theirs.status, 404, theirs.text)
        assert.deepStrictEqual(withoutId(theirs), withoutId(missing), path)
      }
      assert.strictEqual(yield* remembered(admin), before)

      const seen = yield* Effect.forEach([admin, plain, other, removed, hal], (caller) => ask(caller, "GET", `/v1/workspace/members?${of(admin)}`))
      assert.deepStrictEqual(seen.map(({ json, status }) => [status, json.length]), [[200, 3], [200, 3], [200, 0], [200, 0], [200, 0]])
      assert.deepStrictEqual((yield* ask(hal, "GET", "/v1/workspace/members")).json, [])
      assert.deepStrictEqual(code(yield* ask(undefined, "GET", `/v1/workspace/members?${of(admin)}`)), [401, "auth_required", null])
      for (const [method, path, json] of paths) assert.oneOf((yield* ask(admin, method, `${path}?${of(admin)}`, json)).status, [200, 201, 404], path)
    }))

  it.effect("list members, change roles and let people go, but for the last admin", () =>
    Effect.gen(function*() {
      const owner = yield* (yield* Service).account({ plan: "agency" })
      const [admin, plain] = [yield* member(owner, "admin"), yield* member(owner, "member")]
      const at = (id: string) => `/v1/workspace/members/${id}?${of(owner)}`
      const [first, ...others] = (yield* ask(plain, "GET", `/v1/workspace/members?${of(owner)}`)).json
      const { joined_at: _, ...shown } = first
      assert.deepStrictEqual(shown, { user_id: owner.id, name: "Ada Example", email: owner.email, role: "admin", is_owner: true })
      assert.deepStrictEqual(others.map((one: { user_id: string; role: string }) => [one.user_id, one.role]), [[admin.id, "admin"], [plain.id, "member"]])

      const promoted = yield* ask(owner, "PATCH", at(plain.id), { role: "admin", is_owner: true, email: "x@example.com" })
      assert.deepStrictEqual([promoted.status, promoted.json.role, promoted.json.is_owner, promoted.json.email], [200, "admin", false, plain.email])
      assert.strictEqual((yield* ask(plain, "PATCH", at(admin.id), { role: "member" })).json.role, "member")
      // The person whose home it is owns it while they are an admin, and again once they are one again.
      const stepped = yield* ask(owner, "PATCH", at(owner.id), { role: "member" })
      assert.deepStrictEqual([stepped.json.role, stepped.json.is_owner], ["member", false])
      const back = yield* ask(plain, "PATCH", at(owner.id.toUpperCase()), { role: "admin" })
      assert.deepStrictEqual([back.json.role, back.json.is_owner], ["admin", true])
      assert.strictEqual((yield* ask(owner, "GET", `/v1/workspace?workspace=${owner.workspaceId.toUpperCase()}`)).json.is_owner, true)
      assert.deepStrictEqual(code(yield* ask(admin, "GET", `/v1/workspace?${of(owner)}`)), [403, "forbidden", null])
      for (const [json, field] of [[{ role: "king" }, "role"], [{}, "role"], [{ role: "member", grants_ownership: true }, "grants_ownership"]] as const) {
        assert.deepStrictEqual(code(yield* ask(owner, "PATCH", at(admin.id), json)), [422, "validation_error", field])
      }
      assert.deepStrictEqual(code(yield* ask(owner, "PATCH", at("nobody"), { role: "member" })), [422, "validation_error", "user_id"])
      assert.deepStrictEqual(code(yield* ask(owner, "PATCH", at(MISSING), { role: "member" })), [404, "not_found", "user_id"])

      for (const method of ["DELETE", "PATCH"]) {
        assert.deepStrictEqual(code(yield* ask(plain, method, at(owner.id), method === "PATCH" ? { role: "member" } : undefined)), [403, "forbidden", null])
      }
      assert.deepStrictEqual((yield* ask(plain, "DELETE", at(plain.id))).json, { status: "ok" })
      for (const [method, json] of [["DELETE", undefined], ["PATCH", { role: "member" }]] as const) {
        assert.deepStrictEqual(code(yield* ask(owner, method, at(owner.id), json)), [409, "conflict", null])
      }
      assert.deepStrictEqual((yield* membersOf(owner)).map((one) => one.user_id), [owner.id, admin.id])
      assert.deepStrictEqual((yield* ask(admin, "DELETE", at(admin.id))).json, { status: "ok" })
      assert.deepStrictEqual(code(yield* ask(owner, "DELETE", at(admin.id))), [404, "not_found", "user_id"])
    }))

  it.effect("somebody in none is told so, and not of one that they never named", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [lone, admin] = [yield* homeless, yield* service.account()]
      const none = { code: "not_found", message: "You are in no workspace. Make one in the app, or ask somebody to invite you.", field: null, details: { reason: "no_workspace" } }
      for (const [method, path] of [["GET", "/v1/projects"], ["GET", "/v1/folders"], ["GET", "/v1/workspace"]] as const) assert.deepStrictEqual((yield* ask(lone, method, path)).json.error, none, path)
      const published = yield* service.ask("/v1/projects/of-nobody", { method: "PUT", body: "<h1>Hi</h1>", headers: { ...lone.bearer, "content-type": "text/html" } })
      assert.deepStrictEqual([published.status, published.json.error], [404, none])
      assert.strictEqual((yield* ask(lone, "GET", `/v1/projects?${of(admin)}`)).json.error.field, "workspace")
    }))

  it.effect("keep what a removed member made and show it to the team, and shut them out at once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const admin = yield* service.account({ plan: "agency" })
      const leaver = yield* member(admin, "member")
      const folder = (yield* ask(leaver, "POST", "/v1/folders", { name: "Drafts", sharing: "private", workspace: admin.workspaceId })).json.id
      yield* publish(leaver, "left-behind", `${of(admin)}&folder_id=${folder}&visibility=private`)
      const link = yield* ask(leaver, "POST", "/v1/projects/left-behind/share-links", { label: "Client", notify_on_first_open: true })
      assert.strictEqual(link.status, 201, link.text)
      assert.strictEqual((yield* ask(admin, "GET", "/v1/projects/left-behind")).status, 404)

      // They enter by the member's gate, with a pass.
      const AT = { host: "left-behind.svc.localhost" }
      const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }
      const user = Option.getOrThrow(yield* service.inside(AccountStore.use((store) => store.find(leaver.id))))
      const { key } = yield* service.inside(Gates.use((gates) => gates.memberEntry({ user, since: user.createdAt }, "left-behind")))
      const cookie = cookiesOf(yield* service.ask(`/_svc/gate/member?t=${key}`, { ...AT, headers: browser }))
      const look = service.ask("/", { ...AT, headers: { ...browser, cookie } })
      assert.include((yield* look).text, "<h1>Hi</h1>")
      const open = ({ share_url }: { share_url: string }) =>
        Effect.map(service.ask(share_url.slice(share_url.indexOf("/_svc")), { ...AT, headers: browser }), ({ status }) => status)
      const letters = enqueued("ShareLinkOpened")
      assert.deepStrictEqual([yield* letters, yield* open(link.json), yield* letters], [0, 303, 1])
      const second = yield* ask(leaver, "POST", "/v1/projects/left-behind/share-links", { label: "Another", notify_on_first_open: true })

      assert.strictEqual((yield* ask(admin, "DELETE", `/v1/workspace/members/${leaver.id}?${of(admin)}`)).status, 200)
      const kept = yield* ask(admin, "GET", "/v1/projects/left-behind")
      assert.deepStrictEqual([kept.status, kept.json.owner.id, kept.json.folder_id], [200, leaver.id, folder])
      const shown = (yield* ask(admin, "GET", `/v1/folders?${of(admin)}`)).json.folders
      assert.deepStrictEqual(shown.map((one: { id: string; sharing: string }) => [one.id, one.sharing]), [[folder, "team"]])
      for (const [method, path, json] of [
        ["GET", "/v1/projects/left-behind"],
        ["PATCH", "/v1/projects/left-behind", { title: "Mine" }],
        ["DELETE", "/v1/projects/left-behind"],
        ["GET", `/v1/projects?${of(admin)}`],
        ["PATCH", `/v1/folders/${folder}`, { name: "Mine" }],
        ["PATCH", `/v1/share-links/${link.json.id}`, { label: "Mine" }]
      ] as const) {
        assert.strictEqual((yield* ask(leaver, method, path, json)).status, 404, path)
      }
      assert.deepStrictEqual(code(yield* publish(leaver, "left-behind", "")), [409, "slug_taken", "slug"])
      assert.notInclude((yield* look).text, "<h1>Hi</h1>")
      // The workspace's links still open; its admins look after them now, and their maker is no longer told.
      assert.deepStrictEqual([yield* open(second.json), yield* letters], [303, 2])
      assert.deepStrictEqual((yield* mailTo(service, admin.email)).map(({ subject }) => subject), ["The link for Another was opened: left-behind"])

      yield* joins(leaver, admin, "member")
      assert.strictEqual((yield* ask(leaver, "GET", "/v1/projects/left-behind")).status, 200)
    }))

  it.effect("of a person begin with their home, until they leave it: then it is one like the others", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [person, earlier, other] = [yield* service.account(), yield* service.account(), yield* service.account()]
      for (const host of [earlier, other]) yield* joins(person, host, "member")
      yield* service.inside(SqlClient.SqlClient.use((sql) =>
        Effect.orDie(sql`UPDATE members SET joined_at = joined_at - interval '1 day' WHERE user_id = ${person.id} AND workspace_id = ${earlier.workspaceId}`)))
      const theirs = Effect.map(ask(person, "GET", "/v1/me"), ({ json }) => json.workspaces.map(({ id }: { id: string }) => id) as ReadonlyArray<string>)
      const leaves = (host: Account) => Effect.map(ask(person, "DELETE", `/v1/workspace/members/${person.id}?${of(host)}`), ({ status }) => assert.strictEqual(status, 200))
      assert.deepStrictEqual(yield* theirs, [person, earlier, other].map(({ workspaceId }) => workspaceId))
      yield* leaves(other)
      assert.deepStrictEqual(yield* theirs, [person, earlier].map(({ workspaceId }) => workspaceId))
      yield* member(person, "admin")
      yield* leaves(person)
      yield* joins(person, person, "member")
      assert.deepStrictEqual(yield* theirs, [earlier, person].map(({ workspaceId }) => workspaceId))
    }))

  it.effect("keep an admin, however many remove and demote each other at once", () =>
    Effect.gen(function*() {
      const owner = yield* (yield* Service).account({ plan: "agency" })
      const admins = yield* Effect.forEach(Array.from({ length: 8 }), () => member(owner, "admin"))
      assert.strictEqual((yield* ask(owner, "DELETE", `/v1/workspace/members/${owner.id}?${of(owner)}`)).status, 200)
      const tries = admins.flatMap((caller, index) =>
        admins.map((target, at) =>
          (index + at) % 2 === 0
            ? ask(caller, "DELETE", `/v1/workspace/members/${target.id}?${of(owner)}`)
            : ask(caller, "PATCH", `/v1/workspace/members/${target.id}?${of(owner)}`, { role: "member" })
        )
      )
      const answers = yield* Effect.all(tries, { concurrency: "unbounded" })
      for (const { status, text } of answers) assert.oneOf(status, [200, 403, 404, 409], text)
      const left = yield* (yield* Service).inside(SqlClient.SqlClient.use((sql) =>
        Effect.orDie(sql<{ role: string }>`SELECT role FROM members WHERE workspace_id = ${owner.workspaceId}`)))
      assert.isAtLeast(left.filter(({ role }) => role === "admin").length, 1)

      const home = yield* (yield* Service).account({ plan: "agency" })
      const [a, b] = [yield* member(home, "admin"), yield* member(home, "admin")]
      yield* ask(home, "DELETE", `/v1/workspace/members/${home.id}?${of(home)}`)
      const mutual = yield* Effect.all([
        ask(a, "DELETE", `/v1/workspace/members/${b.id}?${of(home)}`),
        ask(b, "DELETE", `/v1/workspace/members/${a.id}?${of(home)}`)
      ], { concurrency: "unbounded" })
      assert.sameMembers(mutual.map(({ status }) => status), [200, 404])
    }))

  it.effect("are changed by no admin who is one no longer when their turn comes", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const sql = yield* service.inside(SqlClient.SqlClient)
      const admin = yield* service.account()
      const invite = (yield* ask(admin, "POST", `/v1/workspace/invites?${of(admin)}`, { email: "invited@example.com", role: "member" })).json
      const confirmed = { workspace: admin.workspaceId, password: PASSWORD }
      for (const [method, path, json] of [
        ["PATCH", `/v1/workspace?${of(admin)}`, { name: "Taken" }],
        ["POST", `/v1/workspace/invites?${of(admin)}`, { email: "another@example.com", role: "admin" }],
        ["POST", `/v1/workspace/invites/${invite.id}/resend?${of(admin)}`],
        ["DELETE", `/v1/workspace/invites/${invite.id}?${of(admin)}`],
        ["POST", "/v1/workspace/export", confirmed],
        ["DELETE", "/v1/workspace", confirmed]
      ] as const) {
        const deputy = yield* member(admin, "admin")
        const letGo = yield* Effect.provideService(locked(`SELECT 1 FROM workspaces WHERE id = '${admin.workspaceId}' FOR UPDATE`), SqlClient.SqlClient, sql)
        const asked = yield* Effect.forkChild(ask(deputy, method, path, json))
        yield* Effect.promise(() => eventually(`${method} ${path} waits`, () => Effect.runPromise(Effect.map(waiting(sql), (many) => many === 1))))
        yield* Effect.orDie(sql`UPDATE members SET role = 'member' WHERE user_id = ${deputy.id}`)
        yield* Effect.orDie(letGo)
        assert.deepStrictEqual(code(yield* Fiber.join(asked)), [403, "forbidden", null], `${method} ${path}`)
      }
      assert.strictEqual((yield* ask(admin, "GET", `/v1/workspace?${of(admin)}`)).json.name, "Home")
      assert.deepStrictEqual((yield* ask(admin, "GET", `/v1/workspace/invites?${of(admin)}`)).json, [invite])
      assert.deepStrictEqual((yield* ask(admin, "GET", `/v1/workspace/export?${of(admin)}`)).json, { status: null })
    }))

  it.effect("tell their admins who did what, newest first, in pages, by ids alone", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const admin = yield* service.account({ plan: "agency" })
      const plain = yield* member(admin, "member")
      const within = of(admin)
      yield* ask(admin, "PATCH", `/v1/workspace?${within}`, { name: "Renamed secretly" })
      yield* publish(plain, "audited", `${within}&title=First`)
      const { id } = (yield* ask(plain, "GET", "/v1/projects/audited")).json
      yield* ask(plain, "PATCH", "/v1/projects/audited", { visibility: "password", password: "hush-hush-hush" })
      yield* publish(plain, "audited", "visibility=private")
      yield* ask(plain, "PATCH", "/v1/projects/audited", { slug: "audited-anew", comments_enabled: true, visibility: "private" })
      const link = (yield* ask(plain, "POST", "/v1/projects/audited-anew/share-links", { label: "Secret client" })).json.id
      yield* ask(plain, "PATCH", `/v1/share-links/${link}`, { label: "Other client" })
      yield* ask(plain, "DELETE", `/v1/share-links/${link}`)
      yield* ask(plain, "DELETE", "/v1/projects/audited-anew")
      yield* ask(admin, "PATCH", `/v1/workspace/members/${plain.id}?${within}`, { role: "admin" })
      yield* ask(admin, "PATCH", `/v1/workspace/members/${plain.id}?${within}`, { role: "admin" })
      const invite = (yield* ask(admin, "POST", `/v1/workspace/invites?${within}`, { email: "hidden@example.com", role: "member" })).json.id
      const resent = (yield* ask(admin, "POST", `/v1/workspace/invites/${invite}/resend?${within}`)).json.id
      yield* ask(admin, "DELETE", `/v1/workspace/invites/${resent}?${within}`)
      yield* ask(admin, "POST", `/v1/workspace/invites?${within}`, { email: plain.email, role: "member" })
      yield* ask(plain, "DELETE", `/v1/workspace/members/${plain.id}?${within}`)

      const log = yield* ask(admin, "GET", `/v1/workspace/audit?${within}`)
      assert.strictEqual(log.status, 200, log.text)
      const project = { type: "project", id }
      const shared = { type: "share_link", id: link, project_id: id }
      const expected = [
        [admin.id, "workspace.renamed", { type: "workspace", id: admin.workspaceId }],
        [plain.id, "project.visibility_changed", { ...project, visibility: "password" }],
        [plain.id, "project.doorcode_changed", project],
        [plain.id, "project.visibility_changed", { ...project, visibility: "private" }],
        [plain.id, "project.renamed", project],
        [plain.id, "share_link.created", shared],
        [plain.id, "share_link.changed", shared],
        [plain.id, "share_link.revoked", shared],
        [plain.id, "project.deleted", project],
        [admin.id, "member.role_changed", { type: "member", id: plain.id, role: "admin" }],
        [admin.id, "invite.created", { type: "invite", id: invite, role: "member" }],
        [admin.id, "invite.resent", { type: "invite", id: resent, role: "member" }],
        [admin.id, "invite.cancelled", { type: "invite", id: resent, role: "member" }],
        [plain.id, "member.left", { type: "member", id: plain.id }]
      ]
      const told = log.json.entries.map((entry: { actor: { id: string }; action: string; target: unknown }) => [entry.actor.id, entry.action, entry.target])
      assert.deepStrictEqual(told.toReversed(), expected)
      assert.strictEqual(log.json.next_cursor, null)
      assert.deepStrictEqual(log.json.entries[0].actor, { id: plain.id, name: "Ada Example" })
      for (const secret of ["hush", "hidden@", "client", "secretly", "First"]) assert.notInclude(log.text, secret)

      const pages: Array<unknown> = []
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: Answer = yield* ask(admin, "GET", `/v1/workspace/audit?${within}&limit=5${cursor === "" ? "" : `&cursor=${cursor}`}`)
        assert.isAtMost(page.json.entries.length, 5)
        pages.push(...page.json.entries)
        cursor = page.json.next_cursor
      }
      assert.deepStrictEqual(pages, log.json.entries)
      for (const query of ["limit=0", "limit=101", "cursor=x"]) {
        assert.deepStrictEqual(code(yield* ask(admin, "GET", `/v1/workspace/audit?${within}&${query}`)), [422, "validation_error", query.split("=")[0]])
      }
    }))

  it.effect("call projects and links in that log what they are called now, but for what is gone, or in somebody else's private folder", () =>
    Effect.gen(function*() {
      const admin = yield* (yield* Service).account({ plan: "agency" })
      const plain = yield* member(admin, "admin")
      const within = of(admin)
      const own = (yield* ask(plain, "POST", `/v1/folders?${within}`, { name: "Own", sharing: "private" })).json.id
      for (const [slug, more] of [["called", "title=First"], ["called-gone", ""], ["called-own", `folder_id=${own}`]] as const) {
        yield* publish(plain, slug, `${within}&${more}`)
        yield* ask(plain, "PATCH", `/v1/projects/${slug}`, { visibility: "private" })
      }
      const share = (label: string) => Effect.map(ask(plain, "POST", "/v1/projects/called/share-links", { label }), ({ json }) => json.id as string)
      yield* share("Dana")
      const revoked = yield* share("Lee")
      yield* ask(plain, "DELETE", `/v1/share-links/${revoked}`)
      yield* ask(plain, "PUT", "/v1/projects/called/comment-allowlist", { emails: ["a@example.com"] })
      yield* ask(plain, "PATCH", "/v1/projects/called", { slug: "called-anew", title: "Second" })
      yield* ask(plain, "DELETE", "/v1/projects/called-gone")

      const called = { slug: "called-anew", title: "Second", label: null }
      const told = (caller: Account) =>
        Effect.map(ask(caller, "GET", `/v1/workspace/audit?${within}`), ({ json }) => json.entries.map((entry: { action: string; called: unknown }) => [entry.action, entry.called]))
      const others = [
        ["project.deleted", null],
        ["project.retitled", called],
        ["project.renamed", called],
        ["allowlist.changed", called],
        ["share_link.revoked", called],
        ["share_link.created", called],
        ["share_link.created", { ...called, label: "Dana" }]
      ]
      const changed = (ofOwn: unknown) => [["project.visibility_changed", ofOwn], ["project.visibility_changed", null], ["project.visibility_changed", called]]
      assert.deepStrictEqual(yield* told(admin), [...others, ...changed(null)])
      assert.deepStrictEqual(yield* told(plain), [...others, ...changed({ ...called, slug: "called-own", title: "called-own" })])
    }))
})
