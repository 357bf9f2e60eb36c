/** Deletion over the wire: what is dark at the next request, who is refused, what comes back, races. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { afterAll } from "vitest"
import { SqlClient } from "effect/sql"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { ApiTokens } from "../../src/domain/api-tokens/api-tokens.ts"
import { CommentDigests } from "../../src/domain/comments/digests.ts"
import { Renewals } from "../../src/domain/erasure/renewals.ts"
import { IdpStore } from "../../src/domain/idp/store.ts"
import { InviteStore } from "../../src/domain/invites/store.ts"
import { Tokens } from "../../src/domain/ports/tokens.ts"
import { WorkspaceStore } from "../../src/domain/workspaces/store.ts"
import type { Answer, Question } from "../support/ask.ts"
import { invited } from "../support/invited.ts"
import { mailSaying, mailTo, tokenIn } from "../support/mail.ts"
import { memberPass } from "../support/member-pass.ts"
import { approved, posted, register, signIn } from "../support/oauth.ts"
import { eventually } from "../support/program.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { openStripe, signed } from "../support/stripe.ts"
import { ask, homeless, joins, member } from "../support/team.ts"

const stripe = await openStripe()
afterAll(() => stripe.stop())

const ROOT = "root@example.com"
const MISSING = "018f4a2e-0000-7000-8000-00000000abcd"

const code = ({ json, status }: Answer) => [status, json.error?.code, json.error?.details?.reason ?? json.error?.field]

layer(serviceWith({ ...stripe.environment, SVC_PLATFORM_ADMINS: ROOT, SVC_TRUSTED_PROXY_HOPS: "1" }), { excludeTestServices: true })("deletion", (it) => {
  let client = 0
  const from = () => ({ "x-forwarded-for": `10.2.${Math.floor(++client / 250)}.${client % 250}` })
  const asking = (path: string, question?: Question) => Service.use((service) => service.ask(path, question))

  const hosted = (slug: string, path = "/", headers: Record<string, string> = {}) =>
    Service.use((service) => service.ask(path, { headers: { host: `${slug}.svc.localhost:${service.port}`, accept: "application/json", "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", ...headers } }))

  const publish = (account: Account, slug: string, query = "") =>
    asking(`/v1/projects/${slug}?${query}`, { method: "PUT", body: "<h1>Hi</h1>", headers: { ...account.bearer, "content-type": "text/html" } })

  const session = (account: Account) => Service.use((service) => signIn(service, account.email, from()))
  const login = (account: Account) => asking("/v1/auth/login", { json: { email: account.email, password: PASSWORD }, headers: from() })

  const deleteMe = (headers: Record<string, string>, password = PASSWORD) => asking("/v1/me", { method: "DELETE", json: { password }, headers })
  const deleteWorkspace = (account: Pick<Account, "bearer">, workspace: string, password = PASSWORD, query = "") =>
    ask(account, "DELETE", `/v1/workspace${query}`, { workspace, password })

  let root: Account | undefined
  const restore = Effect.fnUntraced(function*(type: string, id: string) {
    root ??= yield* (yield* Service).account({ email: ROOT })
    return yield* ask(root, "POST", `/v1/admin/deletions/${type}/${id}/restore`)
  })

  it.effect("of an account: told before, dark at the next request everywhere, and restored whole", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const leaver = yield* service.account()
      const host = yield* service.account()
      yield* joins(leaver, host, "admin")
      yield* publish(leaver, "leaving-soon")
      yield* publish(leaver, "leaving-empty")
      yield* ask(leaver, "PATCH", "/v1/projects/leaving-empty", { expires_at: new Date(Date.now() + 1_000).toISOString() })
      yield* publish(leaver, "staying-here", `workspace=${host.workspaceId}`)
      const link = yield* ask(leaver, "POST", "/v1/projects/leaving-soon/share-links", { label: "Client" })
      const agent = (yield* register(service, {}, from())).json.client_id
      const me = yield* session(leaver)
      const tokens = (yield* posted(service, "/oauth/token", yield* approved(service, me, agent))).json
      const late = yield* approved(service, me, agent)
      for (const way of ["magic-link", "password-reset"]) assert.strictEqual((yield* asking(`/v1/auth/${way}`, { json: { email: leaver.email } })).status, 202)
      const before = yield* mailTo(service, leaver.email, 2)
      yield* publish(host, "kept-inside", "visibility=private")
      const pass = yield* memberPass(service, leaver, "kept-inside")
      assert.strictEqual((yield* hosted("kept-inside", "/", { cookie: pass })).status, 200)
      yield* Effect.promise(() => eventually("the second one’s time to be up", async () => (await Effect.runPromise(Effect.provideService(hosted("leaving-empty"), Service, service))).status === 410))

      const told = yield* ask(leaver, "GET", "/v1/me/deletion-impact")
      assert.strictEqual(told.status, 200, told.text)
      const { erase_on, storage_bytes, ...impact } = told.json
      assert.deepStrictEqual(impact, {
        blocked: false, blockers: [], projects: 2, live_links: 1,
        workspaces: [{ id: leaver.workspaceId, name: "Home", projects: 2, live_links: 1 }]
      })
      assert.isAbove(storage_bytes, 0)
      assert.closeTo(Date.parse(erase_on), Date.now() + 30 * 86_400_000, 60_000)

      const dead = yield* deleteMe(me)
      assert.strictEqual(dead.status, 202, dead.text)
      assert.deepStrictEqual({ ...dead.json, erase_on: null }, { status: "scheduled", target_type: "user", target_id: leaver.id, live_links: 1, erase_on: null })
      assert.match(String(dead.headers["set-cookie"]), /svc_session=;/)

      assert.strictEqual((yield* hosted("kept-inside", "/", { cookie: pass })).status, 403, "nor do its passes open anything")

      const shared = new URL(link.json.share_url)
      for (const path of ["/", "/index.html", "/_svc/raw/index.html", shared.pathname + shared.search]) {
        const shut = yield* hosted("leaving-soon", path)
        assert.strictEqual(shut.status, 410, path)
        assert.include(shut.json.error.message, "deleted")
      }
      assert.strictEqual((yield* hosted("staying-here")).status, 200)
      assert.deepStrictEqual(code(yield* asking("/v1/me", { headers: { cookie: me.cookie } })), [401, "auth_required", null])
      assert.deepStrictEqual(code(yield* ask(leaver, "GET", "/v1/me")), [401, "auth_required", null])
      // Requests of one moment are authenticated by one statement.
      const together = service.inside(ApiTokens.use(({ authenticate }) => Effect.all([leaver, host].map(({ token }) => authenticate(token)), { concurrency: "unbounded" })))
      assert.deepStrictEqual((yield* together).map(Option.isSome), [false, true])
      assert.strictEqual((yield* asking("/mcp", { method: "POST", json: {}, headers: { authorization: `Bearer ${tokens.access_token}` } })).status, 401)
      const refreshed = { grant_type: "refresh_token", client_id: agent, refresh_token: tokens.refresh_token }
      for (const asked of [refreshed, late]) assert.strictEqual((yield* posted(service, "/oauth/token", asked)).status, 400)
      assert.deepStrictEqual(code(yield* login(leaver)), [401, "invalid_credentials", null])
      for (const { links } of before) {
        for (const [path, rest] of [["magic-link/verify", {}], ["password-reset/confirm", { password: "a long other phrase here" }]] as const) {
          assert.strictEqual((yield* asking(`/v1/auth/${path}`, { json: { token: tokenIn(links), ...rest }, headers: from() })).status, 401, path)
        }
      }
      for (const way of ["magic-link", "password-reset", "verify-email/resend"]) assert.strictEqual((yield* asking(`/v1/auth/${way}`, { json: { email: leaver.email } })).status, 202)
      assert.strictEqual((yield* asking("/v1/auth/signup", { json: { email: leaver.email, password: "a long other phrase here" }, headers: from() })).status, 202)
      const mails = (yield* mailTo(service, leaver.email, before.length + 1)).slice(0, -before.length)
      assert.isNotEmpty(mails)
      for (const { links } of mails) assert.isFalse(links.some((one) => one.includes("token=")))
      // Not to sign in as always, which would be refused: until when it waits, and who can bring it back.
      assert.isTrue(mails.some(({ subject, text }) => subject === "Your account is to be erased" && /erased on \d+ \w+ \d{4}, \d\d:\d\d UTC; .* ask whoever runs this service/s.test(text)))
      assert.deepStrictEqual(code(yield* publish(host, "leaving-soon")), [409, "slug_taken", "slug"])
      // Others see their own workspaces as before.
      const members = yield* ask(host, "GET", `/v1/workspace/members?workspace=${host.workspaceId}`)
      assert.lengthOf(members.json, 2)
      assert.deepStrictEqual(code(yield* ask(host, "DELETE", `/v1/workspace/members/${host.id}`)), [409, "conflict", null], "the last admin who is still there")

      assert.deepStrictEqual((yield* restore("user", leaver.id)).json, { restored: true })
      assert.deepStrictEqual((yield* restore("user", leaver.id)).json, { restored: false })
      assert.strictEqual((yield* hosted("leaving-soon")).status, 200)
      assert.strictEqual((yield* hosted("kept-inside", "/", { cookie: pass })).status, 200)
      assert.strictEqual((yield* asking("/v1/me", { headers: { cookie: me.cookie } })).status, 200, "its sessions are back too")
      assert.strictEqual((yield* login(leaver)).status, 200)
      const back = yield* ask(leaver, "GET", "/v1/me")
      assert.deepStrictEqual(back.json.workspaces.map((one: { id: string }) => one.id), [leaver.workspaceId, host.workspaceId])
      assert.strictEqual((yield* posted(service, "/oauth/token", refreshed)).status, 200)
      assert.lengthOf((yield* ask(leaver, "GET", "/v1/projects/leaving-soon/share-links")).json, 1)
      const opened = yield* hosted("leaving-soon", shared.pathname + shared.search)
      assert.isNotEmpty(opened.headers["set-cookie"] ?? [], "its links give passes again")
    }))

  it.effect("of an account comes before what was let in a moment earlier: no password, session, link or workspace is made of it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { accounts, idp, workspaces } = yield* service.inside(Effect.all({ accounts: AccountStore, idp: IdpStore, workspaces: WorkspaceStore }))
      const leaver = yield* service.account()
      const { passwordHash, user } = Option.getOrThrow(yield* accounts.byEmail(leaver.email))
      const outcomes = Effect.gen(function*() {
        const held = yield* accounts.holdSession(user)
        const changed = yield* accounts.replacePasswordHash(user.id, passwordHash!, "another")
        const linked = yield* idp.link(user, "a subject")
        yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`UPDATE users SET password_hash = NULL, idp_sub = NULL WHERE id = ${user.id}`)))
        return [held, changed, linked, Option.isSome(yield* idp.claim(user.id, "a subject")), Option.isSome(yield* workspaces.madeBy(user.id))]
      })
      assert.strictEqual((yield* deleteMe(yield* session(leaver))).status, 202)
      assert.deepStrictEqual(yield* outcomes, [false, false, false, false, false])
      assert.strictEqual((yield* restore("user", leaver.id)).status, 200)
      yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${user.id}`)))
      assert.deepStrictEqual(yield* outcomes, [true, true, true, true, true])
    }))

  it.effect("of an account leaves its words, and tells it of no answer to them before it is back", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      const [leaver, stays] = [yield* service.account(), yield* service.account()]
      yield* joins(leaver, owner, "member")
      yield* joins(stays, owner, "member")
      yield* publish(owner, "talked-about")
      yield* ask(owner, "PATCH", "/v1/projects/talked-about", { comments_enabled: true })
      const { id } = (yield* ask(leaver, "POST", "/v1/projects/talked-about/comments", { body: "A thread" })).json
      yield* ask(stays, "POST", `/v1/comments/${id}/replies`, { body: "So it is" })
      assert.strictEqual((yield* deleteMe(yield* session(leaver))).status, 202)
      const answer = yield* ask(owner, "POST", `/v1/comments/${id}/replies`, { body: "An answer" })
      assert.strictEqual(answer.status, 201, answer.text)
      const told = service.inside(Effect.andThen(
        CommentDigests.use((digests) => digests.sendAll()),
        SqlClient.SqlClient.use((sql) =>
          Effect.orDie(sql<{ id: string }>`SELECT user_id AS id FROM comment_notices WHERE comment_id = ${answer.json.id}`))
      ))
      assert.deepStrictEqual((yield* told).map((one) => one.id), [leaver.id], "it waits")
      yield* restore("user", leaver.id)
      assert.isEmpty(yield* told)
      yield* mailSaying(service, leaver.email, "An answer")
    }))

  it.effect("of an account: what readers do at its projects meanwhile is told to the admins; comments to it too, once it is back", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      const maker = yield* member(owner, "member")
      const other = yield* member(owner, "member")
      yield* publish(maker, "made-by-a-leaver", `workspace=${owner.workspaceId}`)
      yield* publish(maker, "hidden-by-a-leaver", `workspace=${owner.workspaceId}`)
      const folder = yield* ask(maker, "POST", `/v1/folders?workspace=${owner.workspaceId}`, { name: "Mine", sharing: "private" })
      assert.strictEqual(folder.status, 201, folder.text)
      yield* ask(maker, "PATCH", "/v1/projects/hidden-by-a-leaver", { folder_id: folder.json.id })
      yield* ask(maker, "PATCH", "/v1/projects/made-by-a-leaver", { comments_enabled: true })
      const links = yield* Effect.forEach(["made-by-a-leaver", "hidden-by-a-leaver"], (slug) =>
        Effect.map(ask(maker, "POST", `/v1/projects/${slug}/share-links`, { label: "Client", notify_on_first_open: true }), ({ json }) => ({ slug, url: new URL(json.share_url) })))
      assert.strictEqual((yield* deleteMe(yield* session(maker))).status, 202)

      const written = yield* ask(other, "POST", "/v1/projects/made-by-a-leaver/comments", { body: "While you were away" })
      assert.strictEqual(written.status, 201, written.text)
      for (const { slug, url } of links) assert.strictEqual((yield* hosted(slug, url.pathname + url.search)).status, 303)
      const digests = service.inside(CommentDigests.use(({ sendAll }) => sendAll()))
      const subjects = (account: Account, count: number) => Effect.map(mailTo(service, account.email, count), (mails) => mails.map(({ subject }) => subject))
      yield* digests
      assert.sameMembers(yield* subjects(owner, 2), ["The link for Client was opened: made-by-a-leaver", "A new comment on made-by-a-leaver"])
      assert.isEmpty(yield* subjects(maker, 0))
      yield* restore("user", maker.id)
      yield* digests
      assert.deepStrictEqual(yield* subjects(maker, 1), ["A new comment on made-by-a-leaver"])
      assert.lengthOf(yield* subjects(owner, 2), 2, "nothing of what they may not see")
    }))

  it.effect("of an account is refused while others depend on it, and without the right password", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      const guest = yield* member(owner, "admin")
      const me = yield* session(owner)
      const told = yield* ask(owner, "GET", "/v1/me/deletion-impact")
      const blockers = [{ workspace_id: owner.workspaceId, name: "Home", other_members: 1 }]
      assert.deepStrictEqual([told.json.blocked, told.json.blockers, told.json.workspaces], [true, blockers, []])
      const blocked = yield* deleteMe(me)
      assert.deepStrictEqual([...code(blocked), blocked.json.error.details.blockers], [409, "conflict", null, blockers])
      assert.deepStrictEqual(code(yield* deleteMe(me, "wrong")), [403, "forbidden", "password_wrong"])
      assert.deepStrictEqual(code(yield* deleteMe({ cookie: me.cookie })), [403, "forbidden", "csrf"], "without the CSRF token")
      assert.deepStrictEqual(code(yield* deleteMe(owner.bearer)), [401, "auth_required", null])
      for (let index = 0; index < 3; index++) yield* deleteMe(me, "wrong")
      assert.deepStrictEqual(code(yield* deleteMe(me)).slice(0, 2), [429, "rate_limited"])
      assert.deepStrictEqual(code(yield* asking("/v1/me", { method: "DELETE", json: {}, headers: me })), [422, "validation_error", "password"])
      assert.strictEqual((yield* ask(owner, "GET", "/v1/me")).status, 200)
      // The guest may leave, since the owner still administers the workspace.
      assert.strictEqual((yield* deleteMe(yield* session(guest))).status, 202)
      const hal = yield* homeless
      yield* joins(hal, owner, "member")
      yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`UPDATE members SET role = 'admin' WHERE user_id = ${hal.id}`)))
      assert.deepStrictEqual(code(yield* deleteWorkspace(hal, owner.workspaceId)), [403, "forbidden", "password_not_set"])
    }))

  it.effect("of a workspace: gone for its members, others in it or not, and back with all of them", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const admin = yield* service.account({ plan: "agency" })
      const [plain, stranger] = [yield* member(admin, "member"), yield* service.account()]
      yield* publish(admin, "team-work")
      yield* publish(admin, "team-secret", "visibility=private")
      yield* publish(admin, "team-removed")
      yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`UPDATE projects SET taken_down_at = now() WHERE slug = 'team-removed'`)))
      yield* publish(plain, "own-work")
      const guest = `guest-${admin.id}@example.com`
      const [invitation, known] = [yield* invited(admin, guest), yield* invited(admin, stranger.email)]
      const { workspaceId } = admin
      assert.deepStrictEqual(code(yield* deleteWorkspace(plain, workspaceId)), [403, "forbidden", null])
      assert.deepStrictEqual(code(yield* deleteWorkspace(stranger, workspaceId)), [404, "not_found", "workspace"])
      assert.deepStrictEqual(code(yield* deleteWorkspace(admin, workspaceId, "wrong")), [403, "forbidden", "password_wrong"])
      assert.deepStrictEqual(code(yield* deleteWorkspace(admin, workspaceId, PASSWORD, `?workspace=${stranger.workspaceId}`)), [404, "not_found", "workspace"])
      assert.deepStrictEqual(code(yield* ask(admin, "DELETE", "/v1/workspace", { password: PASSWORD })), [422, "validation_error", "workspace"])
      assert.strictEqual((yield* hosted("team-work")).status, 200)

      const dead = yield* deleteWorkspace(admin, workspaceId)
      assert.strictEqual(dead.status, 202, dead.text)
      assert.deepStrictEqual({ ...dead.json, erase_on: null }, { status: "scheduled", target_type: "workspace", target_id: workspaceId, live_links: 2, erase_on: null })
      for (const slug of ["team-work", "team-secret"]) assert.strictEqual((yield* hosted(slug)).status, 410)
      const paths: ReadonlyArray<readonly [string, string, unknown?]> = [
        ["GET", "/v1/workspace"], ["PATCH", "/v1/workspace", { name: "x" }], ["GET", "/v1/workspace/invites"], ["GET", "/v1/workspace/audit"],
        ["POST", "/v1/workspace/invites", { email: "x@example.com", role: "member" }], ["DELETE", `/v1/workspace/members/${plain.id}`],
        ["GET", "/v1/folders"], ["GET", "/v1/projects"], ["GET", "/v1/billing/subscription"]
      ]
      for (const [method, path, json] of paths) assert.deepStrictEqual(code(yield* ask(admin, method, `${path}?workspace=${workspaceId}`, json)).slice(0, 2), [404, "not_found"], `${method} ${path}`)
      for (const [method, path, json] of [["GET", ""], ["PATCH", "", { title: "x" }], ["DELETE", ""], ["GET", "/versions"], ["GET", "/share-links"], ["GET", "/comments"], ["GET", "/analytics"]] as const) {
        assert.strictEqual((yield* ask(admin, method, `/v1/projects/team-work${path}`, json)).status, 404, `${method} ${path}`)
      }
      assert.strictEqual((yield* publish(admin, "team-work")).status, 409)
      assert.deepStrictEqual((yield* ask(admin, "GET", `/v1/workspace/members?workspace=${workspaceId}`)).json, [])
      assert.deepStrictEqual(code(yield* deleteWorkspace(admin, workspaceId)), [404, "not_found", "workspace"])
      for (const token of [invitation, known]) {
        assert.strictEqual((yield* asking("/v1/auth/invites/accept", { json: { token, name: "Guest" }, headers: from() })).status, 401)
        assert.strictEqual((yield* asking("/v1/auth/invites/look", { json: { token }, headers: from() })).status, 401, "nor is it shown")
      }
      // Nor at the moment of joining, where the deletion came in between.
      const left = yield* service.inside(Effect.gen(function*() {
        const [invites, tokens, now] = [yield* InviteStore, yield* Tokens, yield* DateTime.now]
        const taken = yield* invites.consume(tokens.hash(invitation), now)
        return [...Option.toArray(taken), ...yield* invites.pendingFor(guest, now), ...yield* invites.consumeAll(guest, [workspaceId], now)]
      }))
      assert.deepStrictEqual(left, [])
      // Everything outside of the deletion goes on.
      assert.strictEqual((yield* ask(plain, "GET", "/v1/me")).status, 200)
      assert.strictEqual((yield* hosted("own-work")).status, 200)

      assert.deepStrictEqual((yield* restore("workspace", workspaceId)).json, { restored: true })
      for (const [slug, status] of [["team-work", 200], ["team-secret", 403]] as const) assert.strictEqual((yield* hosted(slug)).status, status)
      const members = yield* ask(admin, "GET", `/v1/workspace/members?workspace=${workspaceId}`)
      assert.deepStrictEqual(members.json.map((one: { user_id: string; role: string; is_owner: boolean }) => [one.user_id, one.role, one.is_owner]), [[admin.id, "admin", true], [plain.id, "member", false]])
      assert.strictEqual((yield* asking("/v1/auth/invites/accept", { json: { token: invitation, name: "Guest" }, headers: from() })).status, 200)
      const audit = yield* ask(admin, "GET", `/v1/workspace/audit?workspace=${workspaceId}`)
      assert.includeMembers(audit.text.match(/workspace\.(deletion_scheduled|restored)/g) ?? [], ["workspace.deletion_scheduled", "workspace.restored"])
    }))

  it.effect("of a workspace keeps what its members were still to be told of comments, until they are back", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const owner = yield* service.account()
      const writer = yield* member(owner, "member")
      yield* publish(owner, "told-of-later")
      yield* ask(owner, "PATCH", "/v1/projects/told-of-later", { comments_enabled: true })
      const written = yield* ask(writer, "POST", "/v1/projects/told-of-later/comments", { body: "Just before" })
      assert.strictEqual(written.status, 201, written.text)
      const waits = service.inside(Effect.andThen(
        CommentDigests.use((digests) => digests.sendAll()),
        SqlClient.SqlClient.use((sql) =>
          Effect.orDie(sql<{ id: string }>`SELECT user_id AS id FROM comment_notices WHERE comment_id = ${written.json.id}`))
      ))
      assert.strictEqual((yield* deleteWorkspace(owner, owner.workspaceId)).status, 202)
      assert.deepStrictEqual((yield* waits).map((one) => one.id), [owner.id])
      assert.strictEqual((yield* restore("workspace", owner.workspaceId)).status, 200)
      assert.isEmpty(yield* waits)
      yield* mailSaying(service, owner.email, "Just before")
    }))

  it.effect("is restored by platform administrators alone, and only what there is to restore", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const somebody = yield* service.account()
      assert.deepStrictEqual((yield* restore("user", somebody.id)).json, { restored: false })
      const path = `/v1/admin/deletions/user/${somebody.id}/restore`
      assert.deepStrictEqual(code(yield* ask(somebody, "POST", path)), [403, "forbidden", null])
      assert.deepStrictEqual(code(yield* ask(undefined, "POST", path)), [401, "auth_required", null])
      const admin = yield* session(root!)
      assert.deepStrictEqual(code(yield* asking(path, { method: "POST", headers: { cookie: admin.cookie } })), [403, "forbidden", "csrf"], "without the CSRF token")
      assert.strictEqual((yield* asking(path, { method: "POST", headers: admin })).status, 200)
      for (const [type, id] of [["team", somebody.id], ["user", MISSING], ["workspace", somebody.id], ["user", "me"], ["workspace", "0"]] as const) {
        assert.deepStrictEqual(code(yield* restore(type, id)), [404, "not_found", null], `${type} ${id}`)
      }
      // A workspace deleted with an account is restored with it.
      assert.strictEqual((yield* deleteMe(yield* session(somebody))).status, 202)
      assert.deepStrictEqual((yield* restore("workspace", somebody.workspaceId)).json, { restored: false })
      assert.deepStrictEqual((yield* restore("user", somebody.id)).json, { restored: true })
      // The operator named this address, but it is not proved.
      yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`UPDATE users SET email_verified_at = NULL WHERE email = ${ROOT}`)))
      assert.deepStrictEqual(code(yield* restore("user", somebody.id)), [403, "forbidden", null])
      yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`UPDATE users SET email_verified_at = now() WHERE email = ${ROOT}`)))
    }))

  it.effect("asked for by many at once is one deletion, and the last two admins do not both go", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [one, admin] = [yield* service.account(), yield* service.account({ plan: "agency" })]
      const me = yield* session(one)
      const answers = yield* Effect.forEach(Array.from({ length: 50 }), () => deleteMe(me), { concurrency: "unbounded" })
      assert.lengthOf(answers.filter(({ status }) => status === 202), 1)
      assert.isTrue(answers.every(({ status }) => [202, 401, 403, 429].includes(status)), answers.map(({ status }) => status).join())
      const gone = yield* Effect.forEach(Array.from({ length: 5 }), () => deleteWorkspace(admin, admin.workspaceId), { concurrency: "unbounded" })
      assert.deepStrictEqual(gone.map(({ status }) => status).toSorted(), [202, 404, 404, 404, 404])
      const counts = yield* service.inside(SqlClient.SqlClient.use((sql) =>
        Effect.orDie(sql<{ count: number }>`SELECT count(*)::int AS count FROM deletions WHERE target_id IN (${one.id}, ${admin.workspaceId})`)))
      assert.strictEqual(counts[0]!.count, 2)

      const host = yield* service.account({ plan: "agency" })
      const [a, b] = [yield* member(host, "admin"), yield* member(host, "admin")]
      yield* service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql`UPDATE members SET role = 'member', is_owner = false WHERE user_id = ${host.id}`)))
      const [ofA, ofB] = [yield* session(a), yield* session(b)]
      const both = yield* Effect.all([deleteMe(ofA), deleteMe(ofB)], { concurrency: "unbounded" })
      assert.deepStrictEqual(both.map(({ status }) => status).toSorted(), [202, 409])
      // Somebody whose account is being deleted is not counted as an admin, so the remaining one may not leave but may remove them.
      const [left, stays] = both[0].status === 202 ? [a, b] : [b, a]
      const within = `?workspace=${host.workspaceId}`
      assert.deepStrictEqual(code(yield* ask(stays, "DELETE", `/v1/workspace/members/${stays.id}${within}`)), [409, "conflict", null])
      assert.strictEqual((yield* ask(stays, "DELETE", `/v1/workspace/members/${left.id}${within}`)).status, 200)
    }))

  it.effect("has the subscription end with its period and a failed charge not tried again, and restoring it both go on; what was done by hand stays so", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const paying = Effect.fnUntraced(function*() {
        const account = yield* service.account()
        const { json } = yield* ask(account, "POST", "/v1/billing/checkout", { workspace: account.workspaceId, plan: "studio", interval: "month" })
        const subscription = stripe.pay(json.url)
        for (const event of stripe.events.splice(0)) yield* asking("/v1/billing/webhook", signed(event))
        return { account, subscription }
      })
      const settled = (account: Account) => service.inside(Effect.orDie(Renewals.use(({ settle }) => settle(account.workspaceId))))
      const [goes, byHand] = [yield* paying(), yield* paying()]
      for (const { subscription } of [goes, byHand]) stripe.renew(subscription, false)
      const [owed, left] = [goes.subscription.invoice, byHand.subscription.invoice]
      byHand.subscription.cancelAt = byHand.subscription.periodEnd
      left.collected = false
      for (const { account } of [goes, byHand]) {
        assert.strictEqual((yield* deleteWorkspace(account, account.workspaceId)).status, 202)
        yield* settled(account)
      }
      assert.deepStrictEqual([goes.subscription.cancelAt, goes.subscription.status], [goes.subscription.periodEnd, "past_due"])
      assert.isFalse(owed.collected)
      for (const { account } of [goes, byHand]) {
        assert.deepStrictEqual((yield* restore("workspace", account.workspaceId)).json, { restored: true })
        yield* settled(account)
      }
      assert.strictEqual(goes.subscription.cancelAt, null)
      assert.strictEqual(byHand.subscription.cancelAt, byHand.subscription.periodEnd)
      assert.deepStrictEqual(goes.subscription.metadata, { workspace_id: goes.account.workspaceId })
      assert.deepStrictEqual([owed.collected, owed.metadata, left.collected], [true, {}, false])
    }))

  it.effect("has what is paid for later end with its period too, on a page that was open when it was deleted", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const account = yield* service.account()
      const { json } = yield* ask(account, "POST", "/v1/billing/checkout", { workspace: account.workspaceId, plan: "studio", interval: "month" })
      const readings = service.inside(SqlClient.SqlClient.use((sql) => Effect.orDie(
        Effect.map(sql<{ answered: number }>`SELECT answered FROM customers WHERE workspace_id = ${account.workspaceId}`, ([row]) => row!.answered))))
      assert.strictEqual((yield* deleteWorkspace(account, account.workspaceId)).status, 202)
      // The deletion's own job finds nothing to end yet.
      yield* Effect.promise(() => eventually("the deletion's own job", async () => (await Effect.runPromise(readings)) > 0))
      const subscription = stripe.pay(json.url)
      for (const event of stripe.events.splice(0)) yield* asking("/v1/billing/webhook", signed(event))
      yield* Effect.promise(() => eventually("what was paid for ends", () => subscription.cancelAt === subscription.periodEnd))
    }))
})
