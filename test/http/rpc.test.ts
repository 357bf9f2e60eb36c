/** The administrators' RPC over the wire, by its typed client: every procedure with its effect read back, and everybody else refused. */
import { assert, layer } from "@effect/vitest"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { DateTime, Effect, Fiber, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { administrationClient } from "svc/rpc"
import { Administration } from "../../src/http/contract/rpc.ts"
import { ApiTokens } from "../../src/domain/api-tokens/api-tokens.ts"
import type { Invalid } from "../../src/domain/failures.ts"
import { Mail, Mailer } from "../../src/domain/ports/mailer.ts"
import { makeBeginJob } from "../../src/services/database/begin-job.ts"
import { FORMER_NAME, FORMER_USER } from "../../src/services/database/erasure.ts"
import { DeliverMail } from "../../src/services/database/mails.ts"
import { agentNow, consent } from "../support/agents.ts"
import { cookiesOf } from "../support/ask.ts"
import { enqueued } from "../support/enqueued.ts"
import { framedSite, passByDoorcode, srcOf } from "../support/framed.ts"
import { mailTo, tokenIn } from "../support/mail.ts"
import { signIn } from "../support/oauth.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { joins } from "../support/team.ts"

const ADMIN = "operator@example.com"
const UNVERIFIED = "soon@example.com"
const NOBODY = "018f4a2e-0000-7000-8000-00000000abcd"

type It = typeof Service.Service

const clientFor = (service: It, token: string) =>
  administrationClient({ baseUrl: `http://127.0.0.1:${service.port}`, token: Redacted.make(token) }).pipe(Effect.provide(NodeHttpClient.layerNodeHttp))

let operator: Account | undefined
const administrator = Effect.gen(function*() {
  const service = yield* Service
  operator ??= yield* service.account({ email: ADMIN })
  return { service, admin: operator, client: yield* clientFor(service, operator.token) }
})

const failed = <A, E extends { readonly _tag: string }, R>(call: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(call), (error) => ({ code: error._tag, field: (error as { readonly field?: string | null }).field ?? null }))

const sqlIn = <A>(service: It, program: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) => service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(program(sql))))

const audited = (service: It, { bearer, workspaceId }: Account) =>
  Effect.map(service.ask(`/v1/workspace/audit?workspace=${workspaceId}`, { headers: bearer }), ({ json }) =>
    (json.entries as ReadonlyArray<{ readonly action: string; readonly actor: { readonly id: string } | null; readonly target: { readonly id: string } }>))

const until = (done: Effect.Effect<boolean, unknown>) => Effect.gen(function*() {
  while (!(yield* Effect.orDie(done))) yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
})

const page = (service: It, slug: string, headers: Record<string, string> = {}) => service.ask("/", { host: `${slug}.svc.localhost`, headers })

const line = (tag: string, payload: unknown, id: number | string = "1") => `${JSON.stringify({ _tag: "Request", id, tag, payload, headers: [] })}\n`

const lines = (tag: string, count: number) => Array.from({ length: count }, (_, id) => line(tag, null, id)).join("")

layer(serviceWith({ SVC_PLATFORM_ADMINS: `${ADMIN},${UNVERIFIED}`, SVC_TRIAL: "enforced" }), { excludeTestServices: true })("administration", (it) => {
  it.effect("nobody else gets in: not without a token, not by a session, an agent’s token, a user’s, or an unproven address", () =>
    Effect.scoped(Effect.gen(function*() {
      const { admin, service } = yield* administrator
      const somebody = yield* service.account()
      const unproven = yield* service.account({ email: UNVERIFIED, verified: false })
      const before = yield* sqlIn(service, (sql) => sql`SELECT count(*)::int AS n FROM users`)
      const post = (headers: Record<string, string>, body = line("statistics", null)) => service.ask("/rpc", { method: "POST", headers: { "content-type": "application/ndjson", ...headers }, body })

      const session = yield* signIn(service, ADMIN)
      const agent = agentNow(service, "auto")
      yield* Effect.promise(() => agent.first().catch(() => undefined))
      yield* Effect.promise(async () => agent.finish(await consent(service, session, agent.kept.sentTo!)))
      const access = agent.kept.tokens!.access_token
      for (const headers of [{}, { ...session }, { authorization: "Bearer" }, { authorization: `Basic ${admin.token}` }, { authorization: "Bearer svc_wrong" }, { authorization: `Bearer ${access}` }, { ...session, authorization: "Bearer junk" }]) {
        const answer = yield* post(headers)
        assert.strictEqual(answer.status, 401, JSON.stringify(headers))
        assert.strictEqual(answer.headers["www-authenticate"], "Bearer")
        assert.include(answer.text, "\"auth_required\"")
      }
      for (const { bearer } of [somebody, unproven]) {
        const answer = yield* post(bearer)
        assert.strictEqual(answer.status, 403)
        assert.include(answer.text, "\"forbidden\"")
      }
      // Also without a message.
      for (const [headers, code] of [[{}, "auth_required"], [somebody.bearer, "forbidden"]] as const) assert.strictEqual((yield* post(headers, "")).json.error.code, code)
      // Nor with one that cannot be read, which an administrator is told.
      const partial = JSON.stringify({ _tag: "Request", id: "1", tag: "statistics", payload: null })
      for (const body of ["", "\n", "{", "{\n", "null\n", "[]\n", "{}\n", `${partial}\n`, line("statistics", null).trim(), `${line("statistics", null)}{`, lines("statistics", 201), line("statistics", null).repeat(2), lines("statistics", 2) + line("noSuch", null, 1), `${line("statistics", null)}{"_tag":"Eof"}\n`]) {
        const told = yield* post(admin.bearer, body)
        assert.deepStrictEqual([told.status, told.json.error.code, told.json.error.field, told.headers["cache-control"]], [422, "validation_error", "body", "no-store"], body)
        assert.deepStrictEqual(yield* Effect.map(post({}, body), ({ json, status }) => [status, json.error.code]), [401, "auth_required"], body)
      }
      // Headers inside a message do not count as the request's.
      const smuggled = JSON.stringify({ _tag: "Request", id: "1", tag: "statistics", payload: null, headers: [["authorization", `Bearer ${admin.token}`], ["svc-verdict", "x"]] })
      assert.strictEqual((yield* post(somebody.bearer, `${smuggled}\n`)).status, 403)
      // More answers than the queue holds for a reader that starts late.
      for (const headers of [{}, admin.bearer]) {
        const many = yield* post(headers, lines("no such procedure", 100))
        assert.strictEqual(many.status, headers === admin.bearer ? 200 : 401)
      }
      // Ids are told apart by their kind, too.
      const apart = yield* post(admin.bearer, line("statistics", null, 1) + line("statistics", null, "1"))
      assert.sameMembers(apart.text.trim().split("\n").map((one) => JSON.parse(one).requestId), [1, "1"])
      const long = yield* post({}, lines("statistics", 1_000))
      assert.deepStrictEqual([long.status, long.json.error.code, long.headers["www-authenticate"]], [401, "auth_required", "Bearer"])
      // Of whoever is refused, no more is read than names a few messages.
      const padded = (bytes: number) => `${JSON.stringify({ _tag: "Request", id: "1", tag: "statistics", payload: null, headers: [["x-note", "x".repeat(bytes)]] })}\n`
      const [short, over, admitted] = [yield* post(somebody.bearer, padded(15 * 1024)), yield* post(somebody.bearer, padded(16 * 1024)), yield* post(admin.bearer, padded(16 * 1024))]
      assert.deepStrictEqual([short, over, admitted].map(({ json, status }) => [status, json?.error?.code]), [[403, undefined], [403, "forbidden"], [200, undefined]])
      const other = yield* service.ask("/rpc", { headers: admin.bearer })
      assert.deepStrictEqual([other.status, other.headers["allow"], other.json.error.code], [405, "POST", "method_not_allowed"])

      // Typed, for every procedure.
      const everything = [...Administration.requests.keys()]
      const payloads: Record<string, unknown> = Object.fromEntries(everything.map((tag) => [tag, { user: admin.id, workspace: admin.workspaceId, email: "a@example.com", until: "2099-01-01T00:00:00Z", type: "user", id: NOBODY, slug: "x", state: "all" }]))
      for (const [token, code] of [["svc_wrong", "auth_required"], [somebody.token, "forbidden"], [unproven.token, "forbidden"]] as const) {
        const client = (yield* clientFor(service, token)) as unknown as Readonly<Record<string, (payload: unknown) => unknown>>
        for (const tag of everything) {
          const called = client[tag]!(payloads[tag])
          const refused = yield* failed(Stream.isStream(called) ? Stream.runCollect(called as Stream.Stream<unknown, { readonly _tag: string }>) : called as Effect.Effect<unknown, { readonly _tag: string }>)
          assert.strictEqual(refused.code, code, `${tag} ${token.slice(0, 6)}`)
        }
      }
      assert.deepStrictEqual(yield* sqlIn(service, (sql) => sql`SELECT count(*)::int AS n FROM users`), before)
    })))

  it.effect("accounts and workspaces are found by id, address and slug; what is wrong is named", () =>
    Effect.scoped(Effect.gen(function*() {
      const { client, service } = yield* administrator
      const ada = yield* service.account({ plan: "agency" })
      yield* service.ask("/v1/projects/adas", { method: "PUT", headers: { ...ada.bearer, "content-type": "text/plain" }, body: "Hello" })
      const user = yield* client.findUser({ user: ada.id })
      assert.deepStrictEqual(yield* client.findUser({ user: ` ${ada.email.toUpperCase()} ` }), user)
      assert.deepInclude(user, { id: ada.id, email: ada.email, emailVerified: true, erasesOn: null })
      assert.deepStrictEqual(user.workspaces, [{ id: ada.workspaceId, name: "Home", role: "admin", isOwner: true }])
      const workspace = yield* client.findWorkspace({ workspace: ada.workspaceId })
      assert.deepStrictEqual(yield* client.findWorkspace({ workspace: "adas" }), workspace)
      assert.deepInclude(workspace, { plan: "agency", billingState: "trialing", projects: 1, storageBytes: 5 })
      assert.deepStrictEqual(workspace.members.map(({ id }) => id), [ada.id])
      assert.deepInclude(yield* client.findProject({ slug: "adas" }), { slug: "adas", workspaceId: ada.workspaceId, ownerId: ada.id, version: 1, takenDownAt: null })
      assert.deepStrictEqual(yield* failed(client.findUser({ user: "nobody" })), { code: "validation_error", field: "user" })
      assert.deepStrictEqual(yield* failed(client.findUser({ user: "nobody@example.com" })), { code: "not_found", field: "user" })
      for (const unknown of [NOBODY, "no-such"]) assert.deepStrictEqual(yield* failed(client.findWorkspace({ workspace: unknown })), { code: "not_found", field: "workspace" })

      // All of it at once, in the words of whoever asks.
      const said = <A, E>(call: Effect.Effect<A, E>) => Effect.map(Effect.flip(call), (error) => (error as unknown as Invalid).details["errors"])
      const noWorkspace = { field: "workspace", message: "This is not the id of a workspace." }
      for (const [call, ...faults] of [
        [client.findUser({ user: "" }), { field: "user", message: "This is neither an id nor an email address." }],
        [client.findUser({ user: "nobody@" }), { field: "user", message: "This is neither an id nor an email address." }],
        [client.findWorkspace({ workspace: "" }), { field: "workspace", message: "Between 1 and 200 characters." }],
        ...(["findProject", "takeDown", "putBack"] as const).map((tag) => [client[tag]({ slug: "a\0b" }), { field: "slug", message: "One line of plain text, please." }] as const),
        [client.findWorkspace({ workspace: "a\0b" }), { field: "workspace", message: "One line of plain text, please." }],
        [client.inviteOwner({ workspace: "x", email: "nobody" }), noWorkspace, { field: "email", message: "This is not an email address." }],
        [client.extendTrial({ workspace: "", until: "2099-02-30T00:00:00Z" }), noWorkspace, { field: "until", message: "An RFC 3339 time, such as 2027-01-31T12:00:00Z." }],
        [client.restoreDeletion({ type: "folder", id: "x" }), { field: "type", message: "user or workspace." }, { field: "id", message: "This is not an id." }],
        [client.retryMail({ id: "1" }), { field: "id", message: "This is not the id of a mail." }],
        [client.retryJob({ id: "x" }), { field: "id", message: "This is not the id of a job." }],
        [Stream.runCollect(client.listJobs({ state: "odd" })), { field: "state", message: "waiting, failed or all." }]
      ] as const) assert.deepStrictEqual(yield* said<unknown, unknown>(call), faults)
      assert.deepStrictEqual((yield* failed(client.findProject({ slug: "no-such" }))).code, "not_found")
    })))

  it.effect("a trial is extended, and so is everything that depends on it", () =>
    Effect.scoped(Effect.gen(function*() {
      const { admin, client, service } = yield* administrator
      const late = yield* service.account({ trialDays: -1 })
      const put = () => service.ask("/v1/projects/late", { method: "PUT", headers: { ...late.bearer, "content-type": "text/plain" }, body: "Late" })
      assert.strictEqual((yield* put()).status, 402)
      const now = yield* DateTime.now
      const at = (days: number) => DateTime.formatIso(DateTime.add(now, { days }))
      for (const until of ["soon", at(-1), at(400)]) {
        assert.deepStrictEqual(yield* failed(client.extendTrial({ workspace: late.workspaceId, until })), { code: "validation_error", field: "until" })
      }
      const extended = yield* client.extendTrial({ workspace: late.workspaceId, until: at(14) })
      assert.deepInclude(extended, { billingState: "trialing", plan: "studio", linksDownOn: null })
      assert.strictEqual((yield* put()).status, 201)
      assert.deepStrictEqual((yield* failed(client.extendTrial({ workspace: late.workspaceId, until: at(14) }))).code, "validation_error")
      const [entry] = yield* audited(service, late)
      assert.deepInclude(entry, { action: "workspace.trial_extended" })
      assert.strictEqual(entry!.actor?.id, admin.id)
      // Paid while the extension waits for the workspace.
      const waiting = yield* sqlIn(service, (sql) => sql.withTransaction(Effect.gen(function*() {
        yield* sql`UPDATE workspaces SET subscription_status = 'active' WHERE id = ${late.workspaceId}`
        const extension = yield* Effect.forkDetach(failed(client.extendTrial({ workspace: late.workspaceId, until: at(20) })))
        yield* until(Effect.map(sql`SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`, (waits) => waits.length > 0))
        return extension
      })))
      assert.strictEqual((yield* Fiber.join(waiting)).code, "conflict")
    })))

  it.effect("an owner is invited, and a deletion brought back", () =>
    Effect.scoped(Effect.gen(function*() {
      const { client, service } = yield* administrator
      const ada = yield* service.account({ plan: "studio" })
      const invite = yield* client.inviteOwner({ workspace: ada.workspaceId, email: "new-owner@example.com" })
      const rows = yield* sqlIn(service, (sql) => sql`SELECT role, grants_ownership AS owns, email FROM invites WHERE id = ${invite.id}`)
      assert.deepStrictEqual(rows, [{ role: "admin", owns: true, email: "new-owner@example.com" }])
      assert.deepStrictEqual(yield* failed(client.inviteOwner({ workspace: ada.workspaceId, email: "nobody" })), { code: "validation_error", field: "email" })
      assert.strictEqual((yield* failed(client.inviteOwner({ workspace: NOBODY, email: "x@example.com" }))).code, "not_found")

      // An existing member becomes the owner, on the seat that they have.
      const [single, heir] = [yield* service.account({ plan: "starter" }), yield* service.account()]
      yield* joins(heir, single, "member")
      const within = (path: string) => service.ask(`${path}?workspace=${single.workspaceId}`, { headers: single.bearer })
      const facts = Effect.gen(function*() {
        const members = (yield* within("/v1/workspace/members")).json as ReadonlyArray<{ readonly user_id: string; readonly role: string; readonly is_owner: boolean }>
        const found = members.find(({ user_id }) => user_id === heir.id)
        return [found?.role, found?.is_owner, (yield* within("/v1/workspace")).json.usage.seats]
      })
      assert.deepStrictEqual(yield* facts, ["member", false, 2])
      assert.deepStrictEqual(yield* failed(client.inviteOwner({ workspace: single.workspaceId, email: single.email })), { code: "validation_error", field: "email" })
      yield* client.inviteOwner({ workspace: single.workspaceId, email: heir.email })
      const [lost] = yield* mailTo(service, heir.email)
      yield* client.inviteOwner({ workspace: single.workspaceId, email: heir.email })
      assert.deepStrictEqual(yield* facts, ["member", false, 2])
      const mail = (yield* mailTo(service, heir.email, 2)).find(({ links }) => tokenIn(links) !== tokenIn(lost!.links))
      const entered = yield* signIn(service, heir.email)
      const accepted = yield* service.ask("/v1/auth/invites/accept", { headers: entered, json: { token: tokenIn(mail!.links) } })
      assert.strictEqual(accepted.status, 200, accepted.text)
      assert.deepStrictEqual(yield* facts, ["admin", true, 2])
      assert.deepStrictEqual(yield* failed(client.inviteOwner({ workspace: single.workspaceId, email: heir.email })), { code: "validation_error", field: "email" })

      const session = yield* signIn(service, ada.email)
      const gone = yield* service.ask("/v1/me", { method: "DELETE", headers: session, json: { password: ada.password } })
      assert.strictEqual(gone.status, 202, gone.text)
      assert.isNotNull((yield* client.findUser({ user: ada.id })).erasesOn)
      assert.isNotNull((yield* client.findWorkspace({ workspace: ada.workspaceId })).erasesOn)
      assert.deepStrictEqual(yield* client.restoreDeletion({ type: "user", id: ada.id }), { restored: true })
      assert.deepStrictEqual(yield* client.restoreDeletion({ type: "user", id: ada.id }), { restored: false })
      assert.isNull((yield* client.findUser({ user: ada.id })).erasesOn)
      assert.isAbove((yield* signIn(service, ada.email)).cookie.length, 10)
      assert.strictEqual((yield* failed(client.restoreDeletion({ type: "workspace", id: ada.id }))).code, "not_found")
    })))

  it.effect("a project is taken down and put back: its address, its gates, its owner’s view and the audit log say so", () =>
    Effect.scoped(Effect.gen(function*() {
      const { admin, client, service } = yield* administrator
      const ada = yield* service.account()
      const put = (slug: string, query = "") => service.ask(`/v1/projects/${slug}${query}`, { method: "PUT", headers: { ...ada.bearer, "content-type": "text/html" }, body: "<h1>Claims</h1>" })
      yield* put("claims")
      yield* put("guarded", "?visibility=password")
      const { token } = (yield* service.ask("/v1/projects/guarded/share-links", { headers: ada.bearer, json: { label: "L" } })).json
      assert.strictEqual((yield* page(service, "claims")).status, 200)
      assert.isNotNull((yield* client.takeDown({ slug: "claims" })).takenDownAt)
      const down = yield* page(service, "claims")
      assert.strictEqual(down.status, 410)
      assert.include(down.text, "taken down")
      assert.notInclude(down.text, "Claims")
      assert.strictEqual((yield* service.ask("/_svc/raw/index.html", { host: "claims.svc.localhost" })).status, 410)
      const json = yield* page(service, "claims", { accept: "application/json" })
      assert.deepStrictEqual([json.status, json.json.error.code], [410, "not_found"])
      assert.isString((yield* service.ask("/v1/projects/claims", { headers: ada.bearer })).json.taken_down_at)
      // A new version does not bring it back, nor does freeing the address for another project.
      assert.strictEqual((yield* put("claims")).status, 409)
      assert.strictEqual((yield* service.ask("/v1/projects/claims", { method: "PATCH", json: { slug: "claims-too" }, headers: ada.bearer })).status, 409)
      assert.strictEqual((yield* page(service, "claims")).status, 410)
      // Repeated, it is noted once.
      yield* client.takeDown({ slug: "claims" })
      assert.deepStrictEqual(Array.from(yield* mailTo(service, ada.email), ({ subject }) => subject), ["A project was taken down: claims"])
      const [listed] = yield* Stream.runCollect(client.listTakenDown())
      assert.strictEqual(listed!.slug, "claims")
      assert.strictEqual((yield* client.statistics()).takenDown, 1)

      yield* client.takeDown({ slug: "guarded" })
      const password = { json: { password: "open-sesame" } }
      for (const [path, question] of [
        [`/_svc/gate/share?t=${token}`, {}], ["/_svc/gate/member?t=x", {}], ["/_svc/gate/password", password], ["/_svc/raw/index.html", {}], ["/_svc/versions", {}],
        ["/_svc/comments", {}], ["/_svc/comments", { json: { body: "x" } }], ["/_svc/comments/events", {}]
      ] as const) {
        const answer = yield* service.ask(path, { ...question, host: "guarded.svc.localhost", headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" } })
        assert.strictEqual(answer.status, 410, path)
      }
      yield* client.putBack({ slug: "guarded" })
      assert.strictEqual((yield* page(service, "guarded")).status, 401)
      assert.isNull((yield* client.putBack({ slug: "claims" })).takenDownAt)
      yield* client.putBack({ slug: "claims" })
      assert.strictEqual((yield* page(service, "claims")).status, 200)
      assert.isNull((yield* service.ask("/v1/projects/claims", { headers: ada.bearer })).json.taken_down_at)
      const deeds = (yield* audited(service, ada)).filter(({ action }) => action === "project.taken_down" || action === "project.put_back")
      assert.deepStrictEqual(deeds.map(({ action, actor }) => [action, actor?.id]), [["project.put_back", admin.id], ["project.put_back", admin.id], ["project.taken_down", admin.id], ["project.taken_down", admin.id]])
      assert.strictEqual((yield* failed(client.takeDown({ slug: "no-such" }))).code, "not_found")

      // Nor does deleting it free the address: not for another project, and not for one that moves there.
      yield* client.takeDown({ slug: "claims" })
      assert.strictEqual((yield* service.ask("/v1/projects/claims", { method: "DELETE", headers: ada.bearer })).status, 200)
      const again = yield* put("claims")
      assert.deepStrictEqual([again.status, again.json.error.code], [409, "slug_taken"])
      assert.strictEqual((yield* service.ask("/v1/projects/guarded", { method: "PATCH", json: { slug: "claims" }, headers: ada.bearer })).json.error.code, "slug_taken")
      assert.deepStrictEqual((yield* service.ask("/v1/projects/claims/available", { headers: ada.bearer })).json, { slug: "claims", available: false, reason: "slug_taken" })
    })))

  it.effect("of a takedown hear those who look after the project: its admins, once its owner has left or is erased", () =>
    Effect.scoped(Effect.gen(function*() {
      const { client, service } = yield* administrator
      const [ada, owner] = [yield* service.account(), yield* service.account()]
      yield* joins(owner, ada, "member")
      const put = (slug: string) =>
        service.ask(`/v1/projects/${slug}?workspace=${ada.workspaceId}`, { method: "PUT", headers: { ...owner.bearer, "content-type": "text/html" }, body: "<h1>Claims</h1>" })
      const told = enqueued("ProjectTakenDown")
      assert.deepStrictEqual([(yield* put("left-claims")).status, (yield* put("erased-claims")).status], [201, 201])
      const before = yield* told
      assert.strictEqual((yield* service.ask(`/v1/workspace/members/${owner.id}?workspace=${ada.workspaceId}`, { method: "DELETE", headers: ada.bearer })).status, 200)
      yield* client.takeDown({ slug: "left-claims" })
      // As an erasure leaves it.
      yield* sqlIn(service, (sql) => sql`INSERT INTO users (id, email, name, created_at) VALUES (${FORMER_USER}, '', ${FORMER_NAME}, now()) ON CONFLICT DO NOTHING`)
      yield* sqlIn(service, (sql) => sql`UPDATE projects SET owner_id = ${FORMER_USER} WHERE slug = 'erased-claims'`)
      yield* client.takeDown({ slug: "erased-claims" })
      assert.sameMembers(Array.from(yield* mailTo(service, ada.email, 2), ({ subject }) => subject), ["A project was taken down: left-claims", "A project was taken down: erased-claims"])
      assert.strictEqual((yield* told) - before, 2)
    })))

  it.effect("what is taken down is closed on its frame’s host, to comments, passes and members too", () =>
    Effect.scoped(Effect.gen(function*() {
      const { client, service } = yield* administrator
      const ada = yield* service.account()
      yield* framedSite(service, ada, "framed-claims", { "index.html": "<h1>Claims</h1>", "a.txt": "Claims" }, { visibility: "password", password: "open-sesame" })
      const host = "framed-claims.svc.localhost"
      const pass = { cookie: yield* passByDoorcode(service, "framed-claims", "open-sesame") }
      const shell = yield* service.ask("/", { host, headers: pass })
      const src = srcOf(shell.text)
      const entered = { cookie: cookiesOf(yield* service.ask(src.path, { host: src.host })) }
      const places = [["/", host, pass], ["/a.txt", host, pass], ["/_svc/comments", host, pass], ["/_svc/versions", host, pass], ["/", src.host, entered], ["/a.txt", src.host, entered]] as const
      const look = Effect.forEach(places, ([path, host, headers]) => service.ask(path, { host, headers }))
      const open = yield* look
      assert.deepStrictEqual([open[4]!.status, open[5]!.text], [200, "Claims"])
      yield* client.takeDown({ slug: "framed-claims" })
      for (const [index, answer] of (yield* look).entries()) {
        const [path] = places[index]!
        assert.strictEqual(answer.status, 410, path)
        assert.notInclude(answer.text, "Claims")
      }
      const tag = String(open[5]!.headers.etag)
      assert.strictEqual((yield* service.ask("/a.txt", { host: src.host, headers: { ...entered, "if-none-match": tag } })).status, 410)
      yield* client.putBack({ slug: "framed-claims" })
      assert.deepStrictEqual((yield* look).map(({ status }) => status), open.map(({ status }) => status))
    })))

  it.effect("calls that wait for their turn when the token is revoked change nothing", () =>
    Effect.scoped(Effect.gen(function*() {
      const { admin, service } = yield* administrator
      const ada = yield* service.account()
      yield* service.ask("/v1/projects/in-turn", { method: "PUT", headers: { ...ada.bearer, "content-type": "text/plain" }, body: "Hello" })
      const { token } = yield* service.inside(ApiTokens.use(({ create }) => create(admin.id, "late")))
      const calls = Array.from({ length: 20 }, (_, index) => `${JSON.stringify({ _tag: "Request", id: String(index), tag: "putBack", payload: { slug: "in-turn" }, headers: [] })}\n`)
      const asking = yield* sqlIn(service, (sql) => sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT 1 FROM workspaces WHERE id = ${ada.workspaceId} FOR UPDATE`
        const asking = yield* Effect.forkDetach(service.ask("/rpc", { method: "POST", headers: { authorization: `Bearer ${token}`, "content-type": "application/ndjson" }, body: calls.join("") }))
        yield* until(Effect.map(sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`, (waiting) => waiting.length > 0))
        yield* sql`DELETE FROM api_tokens WHERE user_id = ${admin.id} AND label = 'late'`
        return asking
      })))
      const { text } = yield* Fiber.join(asking)
      const refused = text.split("\n").filter((answer) => answer.includes("\"auth_required\""))
      // At most six transactions run at once.
      assert.isAtLeast(refused.length, calls.length - 6, text)
    })))

  it.effect("dead mails and jobs are listed, however many, to whoever still may see them, and sent on their way again", () =>
    Effect.scoped(Effect.gen(function*() {
      const { admin, client, service } = yield* administrator
      yield* service.inside(Mailer.use(({ enqueue }) => enqueue(Mail.cases.VerifyEmail.make({ to: "dead@example.com", name: "D", token: "t" }))))
      // Nor do those of the tests before wait any more.
      yield* until(Effect.map(sqlIn(service, (sql) => sql`SELECT 1 FROM mails WHERE sent_at IS NULL AND dead_at IS NULL`), (waiting) => waiting.length === 0))
      const id = (yield* sqlIn(service, (sql) => sql<{ id: string }>`SELECT id FROM mails WHERE kind = 'VerifyEmail' ORDER BY id DESC LIMIT 1`))[0]!.id
      // Dead as after a day-long outage, with two hundred others.
      yield* sqlIn(service, (sql) => sql`UPDATE mails SET sent_at = NULL, dead_at = now(), sealed = 'gone' WHERE id = ${id}`)
      yield* sqlIn(service, (sql) => sql`
        INSERT INTO mails (id, kind, enqueued_at, dead_at, attempts)
        SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'VerifyEmail', now(), now(), 3 FROM generate_series(1, 250) n`)
      const dead = yield* Stream.runCollect(client.listDeadMails())
      assert.strictEqual(new Set(dead.map((mail) => mail.id)).size, 251)
      assert.strictEqual(dead[0]!.id, id)
      assert.deepStrictEqual((yield* client.statistics()).mails, { waiting: 0, dead: 251 })

      // Revoked while the first page is read, a token gets no second one.
      const { token } = yield* service.inside(ApiTokens.use(({ create }) => create(admin.id, "brief")))
      const brief = yield* clientFor(service, token)
      let read = 0
      const cutOff = yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql.withTransaction(Effect.gen(function*() {
        yield* sql`LOCK TABLE mails IN ACCESS EXCLUSIVE MODE`
        const reading = yield* Effect.forkDetach(failed(Stream.runForEach(brief.listDeadMails(), () => Effect.sync(() => read++))))
        // A worker that takes up mails waits for another lock.
        yield* until(Effect.map(sql`SELECT 1 FROM pg_locks WHERE relation = 'mails'::regclass AND mode = 'AccessShareLock' AND NOT granted`, (waiting) => waiting.length > 0))
        yield* sql`DELETE FROM api_tokens WHERE user_id = ${admin.id} AND label = 'brief'`
        return reading
      })))))
      assert.deepStrictEqual([(yield* Fiber.join(cutOff)).code, read], ["auth_required", 100])

      yield* client.retryMail({ id })
      // Nothing can open it, so it is tried for a day.
      yield* until(Effect.map(sqlIn(service, (sql) => sql<{ n: number }>`SELECT count(*)::int AS n FROM mails WHERE id = ${id} AND dead_at IS NULL AND attempts > 1`), ([row]) => row!.n === 1))
      yield* sqlIn(service, (sql) => sql`UPDATE mails SET dead_at = now() WHERE id = ${id}`)
      assert.deepStrictEqual(yield* failed(client.retryMail({ id: "x" })), { code: "validation_error", field: "id" })
      assert.strictEqual((yield* failed(client.retryMail({ id: NOBODY }))).code, "not_found")

      // A failed job, such as the release before began for a mail: its run and one of its steps are recorded as failed.
      yield* service.inside(Effect.flatMap(makeBeginJob, (beginJob) => beginJob(DeliverMail, { mailId: id })))
      const jobs = (state: string) => Stream.runCollect(client.listJobs({ state }))
      yield* until(Effect.map(jobs("all"), (all) => all.length === 0))
      const [job] = yield* sqlIn(service, (sql) => sql<{ id: string; payload: string }>`
        SELECT m.id::text AS id, r.payload FROM cluster_messages m JOIN cluster_replies r ON r.id = m.last_reply_id
        WHERE m.entity_type = 'Workflow/DeliverMail' AND m.tag = 'run' ORDER BY m.id DESC LIMIT 1`)
      assert.include(job!.payload, "\"Complete\"")
      yield* sqlIn(service, (sql) => sql`
        UPDATE cluster_replies SET payload = '{"_tag":"Success","value":{"_tag":"Complete","exit":{"_tag":"Failure","cause":[]}}}' WHERE request_id = ${job!.id}::bigint`)
      const [one, ...others] = yield* jobs("failed")
      assert.deepStrictEqual(others, [])
      assert.deepInclude(one as object, { id: job!.id, kind: "DeliverMail", state: "failed" })
      assert.deepInclude((yield* client.statistics()).jobs, { failed: 1 })
      // Its mail is dead, so the job has nothing to do and ends well.
      assert.deepInclude((yield* client.retryJob({ id: job!.id })) as object, { id: job!.id, state: "waiting" })
      yield* until(Effect.map(jobs("all"), (all) => all.length === 0))
      const [again] = yield* sqlIn(service, (sql) => sql<{ payload: string }>`
        SELECT r.payload FROM cluster_messages m JOIN cluster_replies r ON r.id = m.last_reply_id WHERE m.id = ${job!.id}::bigint`)
      assert.include(again!.payload, "\"Complete\"")
      assert.notInclude(again!.payload, "Failure")
      assert.strictEqual((yield* failed(client.retryJob({ id: job!.id }))).code, "not_found")
      for (const id of ["x", "9223372036854775808", "9999999999999999999"]) assert.deepStrictEqual(yield* failed(client.retryJob({ id })), { code: "validation_error", field: "id" }, id)
      assert.strictEqual((yield* failed(client.retryJob({ id: "9223372036854775807" }))).code, "not_found")
      assert.deepStrictEqual(yield* failed(Stream.runCollect(client.listJobs({ state: "odd" }))), { code: "validation_error", field: "state" })
    })))

  it.effect("the figures are those of the service; what is no message is refused without a word of what is inside", () =>
    Effect.scoped(Effect.gen(function*() {
      const { admin, client, service } = yield* administrator
      const leaver = yield* service.account()
      assert.strictEqual((yield* service.ask("/v1/me", { method: "DELETE", headers: yield* signIn(service, leaver.email), json: { password: leaver.password } })).status, 202)
      const counted = yield* client.statistics()
      const { standing } = counted
      assert.isAbove(standing.trialing, 0)
      assert.strictEqual(standing.trialing + standing.active + standing.past_due + standing.lapsed + standing.down, counted.workspaces)
      // Without the former user, in whose name erased people's things stay.
      const [own] = yield* sqlIn(service, (sql) => sql<{ users: number; projects: number; bytes: number }>`
        SELECT (SELECT count(*)::int FROM users WHERE email <> '' AND deletion_id IS NULL) AS users, (SELECT count(*)::int FROM projects WHERE deleted_at IS NULL) AS projects, (SELECT sum(storage_bytes)::float8 FROM workspaces) AS bytes`)
      assert.deepStrictEqual([counted.users, counted.projects, counted.storageBytes], [own!.users, own!.projects, own!.bytes])
      for (const body of ["", "{", "[]\n", "null\n", line("noSuch", {}), line("findUser", {}), line("findUser", { user: 7 }), `${"x".repeat(1_100_000)}\n`]) {
        const answer = yield* service.ask("/rpc", { method: "POST", headers: { ...admin.bearer, "content-type": "application/ndjson" }, body })
        assert.isBelow(answer.status, 500, body.slice(0, 20))
        assert.notMatch(answer.text, /node_modules|src\/|SELECT/)
      }
      // An outage is reported as one, even though the caller cannot be identified meanwhile.
      yield* service.database.away
      const away = yield* failed(client.statistics())
      const listed = yield* failed(Stream.runCollect(client.listDeadMails()))
      const read = yield* service.ask("/rpc", { method: "POST", headers: { ...admin.bearer, "content-type": "application/ndjson" }, body: line("statistics", null) })
      const empty = yield* service.ask("/rpc", { method: "POST", headers: admin.bearer })
      yield* service.database.back
      assert.deepStrictEqual([away.code, listed.code], ["unavailable", "unavailable"])
      assert.include(read.text, "\"unavailable\"")
      assert.strictEqual(empty.json.error.code, "unavailable")
      for (const { headers, status } of [read, empty]) assert.deepStrictEqual([status, headers["retry-after"], headers["cache-control"]], [503, "2", "no-store"])
    })))
})
