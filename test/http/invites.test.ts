/** Invitations over the wire: every branch of accepting one, what is refused and how, races. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Invites } from "../../src/domain/invites/invites.ts"
import { InviteStore } from "../../src/domain/invites/store.ts"
import { WorkspaceStore } from "../../src/domain/workspaces/store.ts"
import { cookiesOf, withoutId } from "../support/ask.ts"
import type { Answer } from "../support/ask.ts"
import { invited } from "../support/invited.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"

const refusedWith = (answer: Answer, status: number, code: string) =>
  assert.deepStrictEqual([answer.status, answer.json.error.code], [status, code], answer.text)

const settings = { SVC_TRUSTED_PROXY_HOPS: "1", SVC_IDP_ISSUER: "https://id.example.com", SVC_IDP_CLIENT_ID: "svc", SVC_IDP_CLIENT_SECRET: "s" }

layer(serviceWith(settings), { excludeTestServices: true })("invites", (it) => {
  let client = 0
  const from = () => ({ "x-forwarded-for": `10.0.${Math.floor(++client / 250)}.${client % 250}` })

  const accept = (json: unknown, headers: Record<string, string> = {}) =>
    Service.use(({ ask }) => ask("/v1/auth/invites/accept", { json, headers: { ...from(), ...headers } }))

  const signedIn = (email: string) =>
    Effect.gen(function*() {
      const { ask } = yield* Service
      const login = yield* ask("/v1/auth/login", { json: { email, password: PASSWORD }, headers: from() })
      return { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token as string }
    })

  const workspacesOf = (headers: Record<string, string>) =>
    Service.use(({ ask }) => Effect.map(ask("/v1/me", { headers }), (answer) => answer.json.workspaces as ReadonlyArray<Record<string, unknown>>))

  const seats = (host: Account) =>
    Service.use(({ inside }) =>
      inside(Effect.gen(function*() {
        return yield* (yield* WorkspaceStore).seatsTaken(host.workspaceId, yield* DateTime.now)
      })))

  it.effect("makes an account of a guest: signed in, verified, a member and nothing else", () =>
    Effect.gen(function*() {
      const { ask } = yield* Service
      const host = yield* (yield* Service).account()
      const token = yield* invited(host, "guest@example.com")
      assert.strictEqual(yield* seats(host), 2)
      const answer = yield* accept({ token, name: " Grace ", password: PASSWORD })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.sameMembers(Object.keys(answer.json), [
        "id", "name", "email", "email_verified", "has_password", "idp_linked", "is_platform_admin", "created_at", "csrf_token"
      ])
      assert.deepInclude(answer.json, { name: "Grace", email: "guest@example.com", email_verified: true, has_password: true, idp_linked: false })
      assert.deepStrictEqual(answer.headers["set-cookie"]!.map((cookie) => cookie.split("=", 1)[0]), ["__Host-svc_session", "__Host-svc_csrf"])
      assert.strictEqual(yield* seats(host), 2)

      const session = { cookie: cookiesOf(answer), "x-csrf-token": answer.json.csrf_token as string }
      const [home, ...others] = yield* workspacesOf(session)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(home, { id: host.workspaceId, role: "member", is_owner: false })
      const made = yield* ask("/v1/tokens", { json: { label: "laptop" }, headers: session })
      const bearer = { authorization: `Bearer ${made.json.token}`, "content-type": "text/html" }
      const published = yield* ask("/v1/projects/by-a-guest", { method: "PUT", body: "<h1>Hi</h1>", headers: bearer })
      assert.strictEqual(published.status, 201, published.text)
      assert.strictEqual((yield* signedIn("guest@example.com")).cookie.split("; ").length, 2)
    }))

  it.effect("makes an account without a password, and an owner where the invite says so", () =>
    Effect.gen(function*() {
      const host = yield* (yield* Service).account()
      const owner = yield* accept({ token: yield* invited(host, "owner@example.com", { grantsOwnership: true }), name: "Olga", password: null })
      assert.deepInclude(owner.json, { has_password: false, email_verified: true })
      assert.deepInclude((yield* workspacesOf({ cookie: cookiesOf(owner) }))[0], { role: "admin", is_owner: true })
      const admin = yield* accept({ token: yield* invited(host, "admin@example.com", { role: "admin" }), name: "Adam" })
      assert.deepInclude((yield* workspacesOf({ cookie: cookiesOf(admin) }))[0], { role: "admin", is_owner: false })
    }))

  it.effect("adds the membership of the address’s owner, with no new session, and verifies the address", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const host = yield* service.account()
      const guest = yield* service.account({ verified: false })
      const session = yield* signedIn(guest.email)
      const token = yield* invited(host, guest.email, { role: "admin" })
      const answer = yield* accept({ token, name: "Somebody else", password: "short" }, session)
      assert.strictEqual(answer.status, 200, answer.text)
      assert.deepInclude(answer.json, { id: guest.id, name: "Ada Example", email_verified: true })
      assert.notProperty(answer.json, "csrf_token")
      assert.isUndefined(answer.headers["set-cookie"])
      const [home, joined] = yield* workspacesOf({ cookie: session.cookie })
      assert.deepInclude(home, { id: guest.workspaceId, is_owner: true })
      assert.deepInclude(joined, { id: host.workspaceId, role: "admin", is_owner: false })
      assert.strictEqual((yield* service.ask("/v1/auth/login", { json: { email: guest.email, password: PASSWORD }, headers: from() })).status, 200)
    }))

  it.effect("are sent by nobody whose address is not proved: neither the first time nor again", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const host = yield* service.account({ verified: false })
      const invites = (path: string, json: unknown) => service.ask(`/v1/workspace/invites${path}`, { method: "POST", json, headers: host.bearer })
      const refused = yield* invites("", { email: "friend@example.com", role: "admin" })
      assert.deepStrictEqual([refused.status, refused.json.error.code], [403, "email_not_verified"])
      yield* invited(host, "friend@example.com")
      const [kept] = (yield* service.ask("/v1/workspace/invites", { headers: host.bearer })).json
      assert.strictEqual((yield* invites(`/${kept.id}/resend`, undefined)).json.error.code, "email_not_verified")
      assert.strictEqual((yield* service.ask(`/v1/workspace/invites/${kept.id}`, { method: "DELETE", headers: host.bearer })).status, 200)
    }))

  it.effect("keeps what a member has already", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const host = yield* service.account()
      const session = yield* signedIn(host.email)
      assert.strictEqual((yield* accept({ token: yield* invited(host, host.email) }, session)).status, 200)
      assert.deepInclude((yield* workspacesOf({ cookie: session.cookie }))[0], { id: host.workspaceId, role: "admin", is_owner: true })
    }))

  it.effect("tells whoever holds the link of an account that waits to be erased, which is nobody’s to sign in to", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [host, guest] = [yield* service.account(), yield* service.account()]
      assert.strictEqual((yield* service.ask("/v1/me", { method: "DELETE", headers: yield* signedIn(guest.email), json: { password: PASSWORD } })).status, 202)
      const token = yield* invited(host, guest.email)
      for (const answer of [yield* service.ask("/v1/auth/invites/look", { json: { token } }), yield* accept({ token, name: "Ada" }), yield* accept({ token, name: "Ada" }, yield* signedIn(host.email))]) {
        refusedWith(answer, 409, "account_exists")
        const { details, message } = answer.json.error
        assert.isAbove(Date.parse(details.erase_on), Date.now() + 29 * 86_400_000)
        assert.match(message, /was deleted\. Until \d{1,2} [A-Z][a-z]+ 20\d\d whoever runs this service can bring it back;/)
      }
    }))

  it.effect("keeps an account shut to everybody but its signed-in owner, and the invite whole", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const host = yield* service.account()
      const guest = yield* service.account()
      const token = yield* invited(host, guest.email)
      const json = { token, name: "Mallory", password: PASSWORD }
      const nobody = yield* accept(json)
      refusedWith(nobody, 409, "account_exists")
      assert.isUndefined(nobody.headers["set-cookie"])
      const stranger = yield* signedIn(host.email)
      const others = [stranger, { cookie: stranger.cookie }, { cookie: "__Host-svc_session=junk" }, guest.bearer, { ...(yield* signedIn(guest.email)), ...guest.bearer }]
      for (const headers of others) assert.deepStrictEqual(withoutId(yield* accept(json, headers)), withoutId(nobody))

      const session = yield* signedIn(guest.email)
      const bad = yield* accept(json, { ...session, authorization: "Bearer junk" })
      refusedWith(bad, 401, "auth_required")
      assert.strictEqual(bad.headers["www-authenticate"], "Bearer")
      for (const headers of [{ cookie: session.cookie }, { ...session, "x-csrf-token": "x".repeat(43) }]) {
        const refused = yield* accept(json, headers)
        refusedWith(refused, 403, "forbidden")
        assert.strictEqual(refused.json.error.details.reason, "csrf")
      }
      assert.strictEqual((yield* workspacesOf(guest.bearer)).length, 1)
      assert.strictEqual((yield* accept(json, session)).status, 200)
    }))

  it.effect("refuses unknown, used, expired and other links with the same bytes, before it looks at anything else", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const host = yield* service.account()
      const guest = yield* service.account()
      const session = yield* signedIn(guest.email)
      const used = yield* invited(host, "used@example.com")
      assert.strictEqual((yield* accept({ token: used, name: "Used" })).status, 200)
      const expired = yield* invited(host, "expired@example.com", { daysAgo: 7 })
      const theirs = yield* invited(host, guest.email, { daysAgo: 8 })
      yield* service.ask("/v1/auth/signup", { json: { email: "mailed@example.com", password: PASSWORD }, headers: from() })

      const unknown = yield* accept({ token: "never-minted", name: "Nobody" })
      refusedWith(unknown, 401, "invalid_token")
      assert.strictEqual(unknown.headers["www-authenticate"], "Bearer")
      const same = [
        yield* accept({ token: used, name: "Again" }),
        yield* accept({ token: expired, name: "Late" }),
        yield* accept({ token: expired }),
        yield* accept({ token: expired, password: "short" }),
        yield* accept({ token: theirs }, session),
        yield* accept({ token: theirs }),
        yield* accept({ token: guest.token, name: "A bearer" })
      ]
      for (const answer of same) assert.deepStrictEqual(withoutId(answer), withoutId(unknown))
      assert.strictEqual(yield* seats(host), 2)
    }))

  it.effect("names what a new account lacks, and keeps the invite for the next try", () =>
    Effect.gen(function*() {
      const host = yield* (yield* Service).account()
      const email = "lacking@example.com"
      const token = yield* invited(host, email)
      for (const password of ["short", "password1", email, "x".repeat(257), ""]) {
        const refused = yield* accept({ token, name: "Lacking", password })
        refusedWith(refused, 422, "validation_error")
        assert.strictEqual(refused.json.error.field, "password")
      }
      for (const json of [{ token }, { token, name: null }, { token, name: "  " }]) {
        const refused = yield* accept({ ...json, password: "short" })
        refusedWith(refused, 422, "validation_error")
        assert.deepStrictEqual(refused.json.error.details.errors.map((fault: { field: string }) => fault.field), ["name", "password"])
      }
      assert.strictEqual((yield* accept({ name: "No token" })).json.error.field, "token")
      const extra = { token, name: "Lacking", role: "admin", grants_ownership: true, workspace_id: host.id, email: "other@example.com" }
      const made = yield* accept(extra)
      assert.deepInclude(made.json, { email })
      assert.deepInclude((yield* workspacesOf({ cookie: cookiesOf(made) }))[0], { role: "member", is_owner: false })
    }))

  it.effect("lets one of 200 accepts of one invite in, and takes twenty tries a minute from one address", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const host = yield* service.account()
      const token = yield* invited(host, "race@example.com")
      const tries = yield* Effect.forEach(Array.from({ length: 200 }), () => accept({ token, name: "Racer" }), { concurrency: "unbounded" })
      assert.strictEqual(tries.filter((answer) => answer.status === 200).length, 1)
      const lost = tries.filter((answer) => answer.status !== 200)
      assert.strictEqual(new Set(lost.map((answer) => answer.text)).size, 1)
      refusedWith(lost[0]!, 401, "invalid_token")
      assert.strictEqual(yield* seats(host), 2)

      // Two workspaces invite one new person at once: one account is made, and the other invite waits for its owner.
      const others = [yield* service.account(), yield* service.account()]
      const both = yield* Effect.forEach(others, (other) => invited(other, "wanted@example.com"))
      const answers = yield* Effect.forEach(both, (token) => accept({ token, name: "Wanted" }), { concurrency: "unbounded" })
      assert.sameMembers(answers.map((answer) => answer.status), [200, 409])
      const won = answers.find((answer) => answer.status === 200)!
      const session = { cookie: cookiesOf(won), "x-csrf-token": won.json.csrf_token as string }
      assert.strictEqual((yield* accept({ token: both[answers.findIndex((answer) => answer.status === 409)]! }, session)).status, 200)
      assert.strictEqual((yield* workspacesOf(session)).length, 2)

      const here = from()
      const many = yield* Effect.forEach(Array.from({ length: 60 }), () => accept({ token: "guess", name: "G" }, here), { concurrency: "unbounded" })
      assert.strictEqual(many.filter((answer) => answer.status === 401).length, 20)
      assert.isNumber(many.find((answer) => answer.status === 429)!.json.error.details.retry_after_seconds)
    }))

  it.effect("show the holder of the link what it invites to, as often as they look; nobody else learns anything", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const host = yield* service.account()
      const guest = yield* service.account()
      const [fresh, known, old] = [yield* invited(host, "look@example.com", { role: "admin" }), yield* invited(host, guest.email), yield* invited(host, "old@example.com", { daysAgo: 7 })]
      const look = (token: string, headers: Record<string, string> = {}) => service.ask("/v1/auth/invites/look", { json: { token }, headers: { ...from(), ...headers } })
      for (let opened = 0; opened < 2; opened++) {
        assert.deepInclude((yield* look(fresh)).json, { workspace: "Home", workspace_id: host.workspaceId, inviter: "Ada Example", email: "look@example.com", role: "admin", has_account: false, signed_in_as: null })
      }
      const { cookie } = yield* signedIn(host.email)
      assert.deepInclude((yield* look(known, { cookie })).json, { has_account: true, signed_in_as: host.email })
      const refusals = [yield* look(old), yield* look("never-minted")]
      for (const refused of refusals) refusedWith(refused, 401, "invalid_token")
      assert.deepStrictEqual(withoutId(refusals[0]!), withoutId(refusals[1]!))
      assert.strictEqual((yield* accept({ token: fresh, name: "Looked" })).status, 200)
      refusedWith(yield* look(fresh), 401, "invalid_token")
      const here = from()
      const many = yield* Effect.forEach(Array.from({ length: 30 }), () => service.ask("/v1/auth/invites/look", { json: { token: "guess" }, headers: here }), { concurrency: "unbounded" })
      assert.strictEqual(many.filter((answer) => answer.status === 429).length, 10)
    }))

  it.effect("accepts every pending invite of an address proved elsewhere, once, or none at all", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const hosts = [yield* service.account(), yield* service.account(), yield* service.account()]
      const email = "elsewhere@example.com"
      for (const host of hosts.slice(0, 2)) yield* invited(host, email, { grantsOwnership: host === hosts[1] })
      yield* invited(hosts[2]!, email, { daysAgo: 7 })
      yield* invited(hosts[0]!, "somebody-else@example.com", { role: "admin" })
      const pending = service.inside(Effect.gen(function*() {
        return yield* (yield* InviteStore).pendingFor(email, yield* DateTime.now)
      }))
      assert.strictEqual((yield* pending).length, 2)
      // Of workspaces that are not locked none is accepted.
      yield* service.inside(Effect.gen(function*() {
        assert.deepStrictEqual(yield* (yield* InviteStore).consumeAll(email, [hosts[2]!.workspaceId], yield* DateTime.now), [])
      }))
      assert.strictEqual((yield* pending).length, 2)

      const acceptAll = (given: { email: string; idpSub: string }) =>
        service.inside(Invites.use((invites) => invites.acceptAll({ ...given, name: "Elsa" })))
      const all = yield* Effect.forEach(Array.from({ length: 20 }), () => acceptAll({ email, idpSub: "sub-1" }), { concurrency: "unbounded" })
      const [user, ...more] = all.flatMap(Option.toArray)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(user, { email, idpLinked: true, emailVerified: true, hasPassword: false })
      const joined = yield* service.inside(Effect.flatMap(WorkspaceStore, (store) => store.memberships(user!.id)))
      assert.deepStrictEqual(joined.map(({ id, isOwner }) => [id, isOwner]).sort(), hosts.slice(0, 2).map((host, index) => [host.workspaceId, index === 1]).sort())
      assert.deepStrictEqual(yield* pending, [])
      const again = InviteStore.use((store) => Effect.flatMap(DateTime.now, (now) => store.consumeAll(email, hosts.map((host) => host.workspaceId), now)))
      assert.deepStrictEqual(yield* service.inside(again), [])
      assert.strictEqual(joined.find(({ id }) => id === hosts[0]!.workspaceId)!.role, "member", "not what another address was invited to")

      assert.isTrue(Option.isNone(yield* acceptAll({ email: "uninvited@example.com", idpSub: "sub-2" })))
      // The address, or the subject, belongs to somebody: nothing is accepted.
      const taken = yield* service.account()
      yield* invited(hosts[0]!, taken.email)
      yield* invited(hosts[0]!, "same-subject@example.com")
      assert.isTrue(Option.isNone(yield* acceptAll({ email: taken.email, idpSub: "sub-3" })))
      assert.isTrue(Option.isNone(yield* acceptAll({ email: "same-subject@example.com", idpSub: "sub-1" })))
      const left = yield* service.inside(SqlClient.SqlClient.use((sql) =>
        Effect.orDie(sql`SELECT id FROM invites WHERE accepted_at IS NULL AND email IN (${taken.email}, 'same-subject@example.com')`)))
      assert.strictEqual(left.length, 2)
    }))
})
