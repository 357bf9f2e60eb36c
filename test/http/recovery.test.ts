/** Signing in by mail and getting a new password, over the wire: what each link opens, and what it ends. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Recovery } from "../../src/domain/accounts/recovery.ts"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { ApiTokens } from "../../src/domain/api-tokens/api-tokens.ts"
import { DeviceGrantStore } from "../../src/domain/device-grants/store.ts"
import { Atomically } from "../../src/domain/ports/atomically.ts"
import { RateLimits } from "../../src/domain/ports/rate-limits.ts"
import { Tokens } from "../../src/domain/ports/tokens.ts"
import { withoutLimits } from "../../src/services/database/client.ts"
import { cookiesOf } from "../support/ask.ts"
import type { Answer } from "../support/ask.ts"
import { invited } from "../support/invited.ts"
import { mailTo, tokenIn } from "../support/mail.ts"
import { approved, decide, pkce, posted, register, signIn } from "../support/oauth.ts"
import type { SessionHeaders } from "../support/oauth.ts"
import { eventually } from "../support/program.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"

type Running = typeof Service.Service

const NEW_PASSWORD = "another long phrase entirely"

/** The whole answer without its id and date; Retry-After in minutes, since a second may pass between two answers. */
const said = ({ headers: { "x-request-id": _id, date: _date, "retry-after": wait, ...headers }, status, text }: Answer) =>
  JSON.stringify({ headers, wait: wait && Math.ceil(Number(wait) / 60), status, text: wait ? text.replaceAll(String(wait), "") : text })

layer(serviceWith({ SVC_TRUSTED_PROXY_HOPS: "1" }), { excludeTestServices: true })("recovery", (it) => {
  let client = 0
  const from = () => ({ "x-forwarded-for": `10.1.${Math.floor(++client / 250)}.${client % 250}` })

  const login = (service: Running, email: string, password = PASSWORD) =>
    service.ask("/v1/auth/login", { json: { email, password }, headers: from() })

  /** A token of each purpose for an address, fresh from the mail. */
  const mailed = (service: Running, email: string, way: "magic-link" | "password-reset" | "verify-email/resend") =>
    Effect.gen(function*() {
      const before = (yield* service.ask("/_dev/mail", { headers: { accept: "application/json" } })).json.messages
        .filter((message: { to: string }) => message.to === email).length
      assert.strictEqual((yield* service.ask(`/v1/auth/${way}`, { json: { email } })).status, 202)
      const [mail] = yield* mailTo(service, email, before + 1)
      return tokenIn(mail!.links)
    })

  const verify = (service: Running, token: string) => service.ask("/v1/auth/magic-link/verify", { json: { token }, headers: from() })
  const confirm = (service: Running, token: string, password = NEW_PASSWORD) =>
    service.ask("/v1/auth/password-reset/confirm", { json: { token, password }, headers: from() })
  const prove = (service: Running, token: string) => service.ask("/v1/auth/verify-email/confirm", { json: { token } })

  it.effect("signs in by a mailed link, once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const token = yield* mailed(service, email, "magic-link")
      const opened = yield* verify(service, token)
      assert.strictEqual(opened.status, 200)
      assert.strictEqual(opened.json.email, email)
      const me = yield* service.ask("/v1/me", { headers: { cookie: cookiesOf(opened) } })
      assert.strictEqual(me.status, 200)
      const again = yield* verify(service, token)
      const unknown = yield* verify(service, "never-minted")
      assert.strictEqual(again.status, 401)
      assert.strictEqual(said(again), said(unknown))
    }))

  it.effect("every token opens its own door and no other, four by four, with one refusal for all", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account({ verified: false })
      const host = yield* service.account()
      const doors = {
        verify: (token: string) => prove(service, token),
        magic: (token: string) => verify(service, token),
        reset: (token: string) => confirm(service, token),
        invite: (token: string) => service.ask("/v1/auth/invites/accept", { json: { token, name: "Guest" }, headers: from() })
      }
      const tokens = {
        verify: yield* mailed(service, email, "verify-email/resend"),
        magic: yield* mailed(service, email, "magic-link"),
        reset: yield* mailed(service, email, "password-reset"),
        invite: yield* invited(host, "guest@example.com")
      }
      for (const [door, open] of Object.entries(doors)) {
        const unknown = yield* open("never-minted")
        assert.deepStrictEqual([unknown.status, unknown.json.error.code], [door === "verify" ? 400 : 401, "invalid_token"])
        for (const [kind, token] of Object.entries(tokens)) {
          if (kind !== door) assert.strictEqual(said(yield* open(token)), said(unknown), `${kind} at ${door}`)
        }
      }
      for (const token of Object.values(tokens)) {
        assert.strictEqual((yield* service.ask("/v1/me", { headers: { authorization: `Bearer ${token}` } })).status, 401)
      }
      // None of the wrong endpoints used a token up, and a verification opens no session.
      const proven = yield* doors.verify(tokens.verify)
      assert.strictEqual(proven.status, 200)
      assert.isUndefined(proven.headers["set-cookie"])
      assert.strictEqual((yield* doors.magic(tokens.magic)).status, 200)
      assert.strictEqual((yield* doors.reset(tokens.reset)).status, 200)
      assert.strictEqual((yield* doors.invite(tokens.invite)).status, 200)
      // A used token is treated like an unknown one.
      for (const [door, open] of Object.entries(doors)) {
        assert.strictEqual(said(yield* open(tokens[door as keyof typeof tokens])), said(yield* open("never-minted")), door)
      }
    }))

  it.effect("answers known and unknown addresses alike, three times an hour", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      for (const way of ["magic-link", "password-reset"]) {
        const ask = (email: string) => service.ask(`/v1/auth/${way}`, { json: { email } })
        for (let index = 0; index < 4; index++) assert.strictEqual(said(yield* ask(email)), said(yield* ask(`nobody-${way}@example.com`)), way)
        assert.strictEqual((yield* ask(email)).status, 429)
      }
    }))

  it.effect("a reset ends every session and every token, and lets in by the new password alone", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer, email } = yield* service.account()
      const cookie = cookiesOf(yield* login(service, email))
      const beside = yield* service.account()
      const theirs = { bearer: beside.bearer, session: { cookie: cookiesOf(yield* login(service, beside.email)) }, link: yield* mailed(service, beside.email, "magic-link") }
      const other = yield* mailed(service, email, "password-reset")
      const token = yield* mailed(service, email, "password-reset")
      const weak = yield* confirm(service, token, email)
      assert.deepStrictEqual([weak.status, weak.json.error.field], [422, "password"])
      assert.strictEqual((yield* confirm(service, token)).status, 200)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { cookie } })).status, 401)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: bearer })).status, 401)
      assert.strictEqual((yield* confirm(service, other)).status, 401)
      assert.strictEqual((yield* login(service, email)).status, 401)
      assert.strictEqual((yield* login(service, email, NEW_PASSWORD)).status, 200)
      for (const headers of [theirs.bearer, theirs.session]) assert.strictEqual((yield* service.ask("/v1/me", { headers })).status, 200, "somebody else’s")
      assert.strictEqual((yield* verify(service, theirs.link)).status, 200)
    }))

  it.effect("a change keeps its caller and ends the others; signing out everywhere ends all", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer, email } = yield* service.account()
      const [here, there] = [yield* login(service, email), yield* login(service, email)]
      const headers = { cookie: cookiesOf(here), "x-csrf-token": here.json.csrf_token as string }
      const change = (json: unknown) => service.ask("/v1/auth/password/change", { json, headers })
      const wrong = yield* change({ current_password: "not it", new_password: NEW_PASSWORD })
      // The request had no address, so the message speaks only of the password.
      assert.deepInclude(wrong.json.error, { code: "invalid_credentials", message: "The current password is wrong.", field: "current_password" })
      assert.strictEqual(wrong.status, 401)
      const weak = yield* change({ current_password: PASSWORD, new_password: "short" })
      assert.deepStrictEqual([weak.status, weak.json.error.field], [422, "new_password"])
      const changed = yield* change({ current_password: PASSWORD, new_password: NEW_PASSWORD })
      assert.strictEqual(changed.status, 200)
      assert.strictEqual(changed.json.status, "ok")
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { cookie: cookiesOf(there) } })).status, 401)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { cookie: cookiesOf(here) } })).status, 401)
      const stays = { cookie: cookiesOf(changed), "x-csrf-token": changed.json.csrf_token as string }
      assert.strictEqual((yield* service.ask("/v1/me", { headers: stays })).status, 200)
      const byToken = yield* service.ask("/v1/auth/password/change", { json: {}, headers: bearer })
      // No API token would help, so the message does not ask for a better one.
      assert.deepStrictEqual([byToken.status, byToken.json.error.code, byToken.json.error.message], [401, "auth_required", "Sign in with a browser first. An API token does not open this."])

      assert.strictEqual((yield* service.ask("/v1/auth/logout-all", { method: "POST", headers: { cookie: stays.cookie } })).status, 403)
      const all = yield* service.ask("/v1/auth/logout-all", { method: "POST", headers: stays })
      assert.deepStrictEqual([all.status, cookiesOf(all)], [200, "__Host-svc_session=; __Host-svc_csrf="])
      assert.strictEqual((yield* service.ask("/v1/me", { headers: stays })).status, 401)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: bearer })).status, 200)
    }))

  it.effect("a changed password turns away a device or an agent that was let in and has no token yet; signing out everywhere does not", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const letIn = Effect.gen(function*() {
        const session = yield* signIn(service, email, from())
        const { json } = yield* service.ask("/v1/auth/device", { method: "POST", headers: from() })
        assert.strictEqual((yield* service.ask("/v1/auth/device/approve", { json: { user_code: json.user_code }, headers: session })).status, 200)
        return { session, poll: service.ask("/v1/auth/device/token", { json: { device_code: json.device_code } }) }
      })
      const { client_id } = (yield* register(service, {}, from())).json
      const agentLetIn = (session: SessionHeaders) => Effect.map(approved(service, session, client_id), (exchange) => posted(service, "/oauth/token", exchange, from()))
      const stays = yield* letIn
      const agentStays = yield* agentLetIn(stays.session)
      assert.strictEqual((yield* service.ask("/v1/auth/logout-all", { method: "POST", headers: stays.session })).status, 200)
      const { json: { token } } = yield* stays.poll
      const agent = yield* agentStays
      assert.strictEqual(agent.status, 200)
      const goes = yield* letIn
      const agentGoes = yield* agentLetIn(goes.session)
      assert.strictEqual((yield* service.ask("/v1/auth/password/change", { json: { current_password: PASSWORD, new_password: NEW_PASSWORD }, headers: goes.session })).status, 200)
      const refused = yield* goes.poll
      assert.deepStrictEqual([refused.status, refused.json.error.code], [401, "invalid_token"])
      const agentRefused = yield* agentGoes
      assert.deepStrictEqual([agentRefused.status, agentRefused.json.error], [400, "invalid_grant"])
      // An API token survives both (SPEC §4.1).
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { authorization: `Bearer ${token}` } })).status, 200)
      const connected = yield* service.ask("/v1/me/grants", { headers: { authorization: `Bearer ${token}` } })
      assert.sameMembers(connected.json.map(({ kind }: { kind: string }) => kind), ["device", "agent"])
      // A code of before is still known as exchanged: if it comes again, the tokens that it gave end.
      const refreshed = (answer: Answer) => posted(service, "/oauth/token", { grant_type: "refresh_token", client_id, refresh_token: answer.json.refresh_token })
      const next = yield* refreshed(agent)
      assert.deepStrictEqual([next.status, (yield* agentStays).status, (yield* refreshed(next)).status], [200, 400, 400])
    }))

  it.effect("of fifty changes that prove one password at once, one is made, and the others had a wrong one", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const unlimited = RateLimits.of({ consume: () => Effect.void, giveBack: () => Effect.void })
      const changes = yield* service.inside(Effect.gen(function*() {
        const { changePassword } = yield* Effect.provideService(Recovery.make, RateLimits, unlimited)
        const { user } = Option.getOrThrow(yield* (yield* AccountStore).byEmail(email))
        return yield* Effect.forEach(Array.from({ length: 50 }, (_, index) => index), (index) =>
          Effect.match(changePassword(user, PASSWORD, `${NEW_PASSWORD} ${index}`), { onSuccess: () => index, onFailure: ({ message }) => message }), { concurrency: "unbounded" })
      }))
      const [made, ...others] = changes.filter((change) => typeof change === "number")
      assert.isEmpty(others)
      // A machine that hashes slowly turns some away, who waited for too long.
      const refused = new Set(changes.filter((change) => change !== made && change !== "Very many people are signing in right now. Try again in a moment."))
      assert.deepStrictEqual(refused, new Set(["The current password is wrong."]))
      assert.strictEqual((yield* login(service, email, `${NEW_PASSWORD} ${made}`)).status, 200)
      assert.strictEqual((yield* login(service, email)).status, 401)
    }))

  it.effect("of ten reset links of one account at once, one sets the password", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, id } = yield* service.account()
      const links = yield* service.inside(Effect.gen(function*() {
        const [store, tokens, now] = [yield* AccountStore, yield* Tokens, yield* DateTime.now]
        return yield* Effect.forEach(Array.from({ length: 10 }), () =>
          Effect.tap(tokens.mint(), ({ hash }) => store.addToken({ hash, userId: id, purpose: "password-reset", expiresAt: DateTime.add(now, { hours: 1 }) })))
      }))
      const resets = yield* Effect.forEach(links, ({ raw }, index) => confirm(service, raw, `${NEW_PASSWORD} ${index}`), { concurrency: "unbounded" })
      assert.sameMembers(resets.map(({ status }) => status), [200, ...Array.from({ length: 9 }, () => 401)])
      assert.strictEqual((yield* login(service, email, `${NEW_PASSWORD} ${resets.findIndex(({ status }) => status === 200)}`)).status, 200)
    }))

  it.effect("a reset leaves no token to a device that was fetching it at that moment", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, id } = yield* service.account()
      const reset = yield* mailed(service, email, "password-reset")
      const started = (yield* service.ask("/v1/auth/device", { method: "POST" })).json
      const sql = yield* service.inside(SqlClient.SqlClient)
      const parts = yield* service.inside(Effect.all({ grants: DeviceGrantStore, tokens: ApiTokens, atomic: Atomically }))
      const now = yield* DateTime.now
      const grant = Option.getOrThrow(yield* parts.grants.approve(started.user_code.replaceAll("-", ""), id, now))
      const [held, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const fetching = yield* Effect.forkChild(parts.atomic.atomically(Effect.gen(function*() {
        yield* withoutLimits(sql)
        yield* parts.grants.consume(grant.id, now)
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(goOn)
        return yield* parts.tokens.create(id, "device")
      })))
      yield* Deferred.await(held)
      const resetting = yield* Effect.forkChild(confirm(service, reset))
      yield* Effect.promise(() => eventually("the reset waits", () => Effect.runPromise(Effect.map(sql`SELECT 1 FROM pg_locks WHERE NOT granted`, (rows) => rows.length > 0))))
      yield* Deferred.succeed(goOn, undefined)
      const { token } = yield* Fiber.join(fetching)
      assert.strictEqual((yield* Fiber.join(resetting)).status, 200)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { authorization: `Bearer ${token}` } })).status, 401)
    }))

  it.effect("a session that ends at that moment makes nothing that would outlive it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, id } = yield* service.account()
      const { client_id } = (yield* register(service, {}, from())).json
      const sql = yield* service.inside(SqlClient.SqlClient)
      const parts = yield* service.inside(Effect.all({ accounts: AccountStore, atomic: Atomically }))
      const doors = {
        token: (session: SessionHeaders) => service.ask("/v1/tokens", { json: { label: "kept" }, headers: session }),
        device: (session: SessionHeaders) =>
          Effect.flatMap(service.ask("/v1/auth/device", { method: "POST", headers: from() }), ({ json: { user_code } }) =>
            service.ask("/v1/auth/device/approve", { json: { user_code }, headers: session })),
        agent: (session: SessionHeaders) => decide(service, session, { client_id, code_challenge: pkce().challenge })
      }
      for (const [name, door] of Object.entries(doors)) {
        const session = yield* signIn(service, email, from())
        assert.include([200, 201], (yield* door(session)).status, name)
        const [held, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const ending = yield* Effect.forkChild(parts.atomic.atomically(
          Effect.all([withoutLimits(sql), parts.accounts.bumpEpoch(id), Deferred.succeed(held, undefined), Deferred.await(goOn)])
        ))
        yield* Deferred.await(held)
        const asked = yield* Effect.forkChild(door(session))
        yield* Effect.promise(() => eventually(`${name} waits`, () => Effect.runPromise(Effect.map(sql`SELECT 1 FROM pg_locks WHERE NOT granted`, (rows) => rows.length > 0))))
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(ending)
        const refused = yield* Fiber.join(asked)
        assert.deepStrictEqual([refused.status, refused.json.error.code], [401, "auth_required"], name)
      }
    }))

  it.effect("the first to prove an address finds nothing of whoever set the account up before them", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer, email } = yield* service.account({ verified: false })
      const squatter = cookiesOf(yield* login(service, email))
      const opened = yield* verify(service, yield* mailed(service, email, "magic-link"))
      assert.strictEqual(opened.json.email_verified, true)
      assert.strictEqual(opened.json.has_password, false)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { cookie: squatter } })).status, 401)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: bearer })).status, 401)
      assert.strictEqual((yield* login(service, email)).status, 401)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { cookie: cookiesOf(opened) } })).status, 200)
    }))

  it.effect("a reset leaves the link of the signup's mail to prove the address, which opens nothing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account({ verified: false })
      const proof = yield* mailed(service, email, "verify-email/resend")
      const link = yield* mailed(service, email, "magic-link")
      assert.strictEqual((yield* confirm(service, yield* mailed(service, email, "password-reset"))).status, 200)
      assert.strictEqual((yield* verify(service, link)).status, 401)
      const proven = yield* prove(service, proof)
      assert.deepStrictEqual([proven.status, proven.headers["set-cookie"]], [200, undefined])
    }))

  it.effect("of two hundred uses of one link at once, one gets in", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const token = yield* mailed(service, email, "magic-link")
      const uses = yield* Effect.forEach(Array.from({ length: 200 }), () => verify(service, token), { concurrency: "unbounded" })
      assert.strictEqual(uses.filter((answer) => answer.status === 200).length, 1)
      assert.strictEqual(new Set(uses.filter((answer) => answer.status !== 200).map(said)).size, 1)
      const sql = yield* service.inside(SqlClient.SqlClient)
      const kept = yield* Effect.orDie(sql<{ hash: string }>`SELECT hash FROM email_tokens`)
      assert.isFalse(kept.some((row) => row.hash === token))
    }))

  it.effect("tokens can be guessed twenty times a minute from one address, at either door", () =>
    Effect.gen(function*() {
      const service = yield* Service
      for (const [path, rest] of [["magic-link/verify", {}], ["password-reset/confirm", { password: NEW_PASSWORD }]] as const) {
        const headers = from()
        const guesses = yield* Effect.forEach(Array.from({ length: 30 }, (_, at) => `guess-${at}`), (token) => service.ask(`/v1/auth/${path}`, { json: { token, ...rest }, headers }), { concurrency: "unbounded" })
        assert.deepStrictEqual([401, 429].map((status) => guesses.filter((answer) => answer.status === status).length), [20, 10], path)
      }
    }))

  it.effect("a mailed link leads on to where its reader was going, and never to another site", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const nextBy = (way: string, next: string) =>
        Effect.gen(function*() {
          const made = way === "signup" ? undefined : yield* service.account({ verified: way !== "verify-email/resend" })
          const email = made?.email ?? `${next.length}-${++client}@example.com`
          const asked = yield* service.ask(`/v1/auth/${way}`, { json: { email, next, ...(way === "signup" && { password: PASSWORD }) }, headers: from() })
          assert.strictEqual(asked.status, 202, asked.text)
          return new URL((yield* mailTo(service, email))[0]!.links.find((link) => link.includes("token="))!).searchParams.get("next")
        })
      const gate = "/v1/gate/comment?slug=reviewed&next=%2Fa%3Fb%3D1%26c%3D%2525"
      for (const way of ["signup", "magic-link", "password-reset", "verify-email/resend"]) assert.strictEqual(yield* nextBy(way, gate), gate, way)
      assert.strictEqual(yield* nextBy("magic-link", `http://svc.localhost:${service.port}${gate}`), gate)
      for (const next of ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/a\r\nx: y", `/${"a".repeat(3000)}`, "/", "/v1/auth/idp/link", "/.//v1/auth/idp/link", "/%761/auth/idp/link"]) {
        assert.isNull(yield* nextBy("magic-link", next), next)
      }
      assert.isNull(yield* nextBy("signup", "//evil.example"))
    }))
})
