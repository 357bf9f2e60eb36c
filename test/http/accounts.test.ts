/** Accounts over the wire: signing up, proving an address, signing in and out, and what must not be revealed. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { UserId } from "../../src/domain/accounts/model.ts"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { Tokens } from "../../src/domain/ports/tokens.ts"
import { WorkspaceId } from "../../src/domain/workspaces/model.ts"
import { cookiesOf, withoutId } from "../support/ask.ts"
import { locked, waiting } from "../support/locked.ts"
import { mailTo, tokenIn } from "../support/mail.ts"
import { eventually } from "../support/program.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"

const signIn = (service: typeof Service.Service, email: string, headers: Record<string, string> = {}) =>
  service.ask("/v1/auth/login", { json: { email, password: PASSWORD }, headers })

layer(serviceWith({ SVC_TRUSTED_PROXY_HOPS: "1" }), { excludeTestServices: true })("accounts", (it) => {
  let client = 0
  /** A client address of its own, so that one test's tries do not count against another's. */
  const from = () => ({ "x-forwarded-for": `10.0.${Math.floor(++client / 250)}.${client % 250}` })

  it.effect("sign up, verify by mail, sign in, look, sign out", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const email = "ada@example.com"
      const signup = yield* service.ask("/v1/auth/signup", { json: { email: " Ada@Example.COM ", password: PASSWORD, name: "Ada" }, headers: from() })
      assert.strictEqual(signup.status, 202)
      assert.deepStrictEqual(signup.json, { status: "ok" })
      assert.isUndefined(signup.headers["set-cookie"])

      const unverified = yield* signIn(service, email, from())
      assert.strictEqual(unverified.json.email_verified, false)

      const [mail] = yield* mailTo(service, email)
      const landing = new URL(mail!.links[0]!)
      const opened = yield* service.ask(landing.pathname + landing.search)
      assert.strictEqual(opened.status, 200)
      assert.strictEqual((yield* signIn(service, email, from())).json.email_verified, false)

      const token = tokenIn(mail!.links)
      const confirmed = yield* service.ask("/v1/auth/verify-email/confirm", { json: { token } })
      assert.deepStrictEqual(confirmed.json, { status: "ok", email })
      assert.isUndefined(confirmed.headers["set-cookie"])
      assert.strictEqual((yield* service.ask("/v1/auth/verify-email/confirm", { json: { token } })).status, 400)

      const login = yield* signIn(service, email, from())
      assert.strictEqual(login.status, 200)
      assert.sameMembers(Object.keys(login.json), [
        "id", "name", "email", "email_verified", "has_password", "idp_linked", "is_platform_admin", "created_at", "csrf_token"
      ])
      assert.strictEqual(login.json.email_verified, true)
      for (const cookie of login.headers["set-cookie"]!) {
        assert.match(cookie, /^__Host-svc_(session|csrf)=/)
        assert.match(cookie, /; Max-Age=2592000; Path=\//)
        assert.match(cookie, /; Secure/)
        assert.match(cookie, /; SameSite=Lax/)
        assert.strictEqual(/HttpOnly/.test(cookie), cookie.startsWith("__Host-svc_session"))
      }

      const cookie = cookiesOf(login)
      const me = yield* service.ask("/v1/me", { headers: { cookie } })
      assert.strictEqual(me.json.user.email, email)
      assert.strictEqual(me.json.workspaces[0].plan, "studio")
      assert.strictEqual(me.json.workspaces[0].is_owner, true)
      assert.strictEqual(me.json.workspaces[0].role, "admin")
      const days = (Date.parse(me.json.workspaces[0].trial_ends_at) - Date.now()) / 86_400_000
      assert.isTrue(days > 6.99 && days <= 7)

      const csrf = { "x-csrf-token": login.json.csrf_token as string }
      const out = yield* service.ask("/v1/auth/logout", { method: "POST", headers: { cookie, ...csrf } })
      assert.strictEqual(out.status, 200)
      for (const gone of out.headers["set-cookie"]!) assert.match(gone, /Max-Age=0/)
    }))

  it.effect("answers known and unknown addresses with the same bytes, and mails a notice instead of a link", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const known = yield* service.ask("/v1/auth/signup", { json: { email, password: PASSWORD }, headers: from() })
      const fresh = yield* service.ask("/v1/auth/signup", { json: { email: "fresh@example.com", password: PASSWORD }, headers: from() })
      assert.deepStrictEqual(withoutId(known), withoutId(fresh))
      const [notice] = yield* mailTo(service, email)
      assert.isFalse(notice!.links.some((link) => link.includes("token=")))

      const wrong = yield* service.ask("/v1/auth/login", { json: { email, password: "not it at all" }, headers: from() })
      const nobody = yield* service.ask("/v1/auth/login", { json: { email: "nobody@example.com", password: "not it at all" }, headers: from() })
      assert.strictEqual(wrong.status, 401)
      assert.strictEqual(wrong.json.error.code, "invalid_credentials")
      assert.deepStrictEqual(withoutId(wrong), withoutId(nobody))
      for (const password of ["", "x".repeat(2_000)]) {
        assert.deepStrictEqual(withoutId(yield* service.ask("/v1/auth/login", { json: { email, password }, headers: from() })), withoutId(wrong))
      }

      const resend = (email: string) => service.ask("/v1/auth/verify-email/resend", { json: { email } })
      assert.deepStrictEqual(withoutId(yield* resend(email)), withoutId(yield* resend("nobody@example.com")))
    }))

  it.effect("refuses weak passwords by name of the field", () =>
    Effect.gen(function*() {
      const service = yield* Service
      for (const password of ["short", "password1", "weak@example.com", "x".repeat(257)]) {
        const refused = yield* service.ask("/v1/auth/signup", { json: { email: "weak@example.com", password }, headers: from() })
        assert.strictEqual(refused.status, 422, password)
        assert.strictEqual(refused.json.error.code, "validation_error")
        assert.strictEqual(refused.json.error.field, "password")
      }
      const both = yield* service.ask("/v1/auth/signup", { json: { email: "nowhere", password: "short", name: "x".repeat(101) }, headers: from() })
      const faults = (answer: typeof both): ReadonlyArray<string> => answer.json.error.details.errors.map(({ field }: { field: string }) => field)
      assert.deepStrictEqual([both.status, ...faults(both)], [422, "email", "password", "name"])
      assert.deepStrictEqual(faults(yield* service.ask("/v1/auth/password-reset/confirm", { json: { password: "short" }, headers: from() })), ["token", "password"])
    }))

  it.effect("a megabyte of combining marks holds up nobody, as a password or as an address", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const marks = `a${"\u0301\u0316".repeat(120_000)}`
      for (const [path, json, status] of [
        ["signup", { email: "marks@example.com", password: marks }, 422],
        ["signup", { email: `${marks}@example.com`, password: PASSWORD }, 422],
        ["login", { email: "marks@example.com", password: marks }, 401],
        ["login", { email: marks, password: PASSWORD }, 422],
        ["password-reset/confirm", { token: "t", password: marks }, 422]
      ] as const) {
        const before = process.cpuUsage()
        const answer = yield* service.ask(`/v1/auth/${path}`, { json, headers: from() })
        assert.strictEqual(answer.status, status, path)
        // Composed, they would take a quarter of a minute of the processor.
        assert.isBelow(process.cpuUsage(before).user / 1_000, 5_000, path)
      }
    }))

  it.effect("limits sign-in to five a minute for an address and twenty an hour for an email, before any hashing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const headers = from()
      const tries = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, index) => index),
        (index) => service.ask("/v1/auth/login", { json: { email: `guess-${index}@example.com`, password: "guessing away" }, headers }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(tries.filter((answer) => answer.status === 401).length, 5)
      const limited = tries.find((answer) => answer.status === 429)!
      assert.strictEqual(limited.json.error.code, "rate_limited")
      assert.strictEqual(limited.headers["retry-after"], String(limited.json.error.details.retry_after_seconds))

      const { email } = yield* service.account()
      const spread = yield* Effect.forEach(
        Array.from({ length: 30 }, () => from()),
        (headers) => service.ask("/v1/auth/login", { json: { email: email.toUpperCase(), password: "guessing away" }, headers }),
        { concurrency: 8 }
      )
      assert.strictEqual(spread.filter((answer) => answer.status === 401).length, 20)
      assert.strictEqual((yield* signIn(service, email, from())).status, 429)
    }))

  it.effect("judges a request with an Authorization header by it alone, and a session by its CSRF token", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer, email } = yield* service.account()
      const login = yield* signIn(service, email, from())
      const cookie = cookiesOf(login)
      const token = login.json.csrf_token as string
      const create = (headers: Record<string, string>) => service.ask("/v1/tokens", { json: { label: "laptop" }, headers })

      assert.strictEqual((yield* create({ cookie, "x-csrf-token": token })).status, 201)
      const foreign = yield* create({ cookie, "x-csrf-token": "x".repeat(43) })
      assert.strictEqual(foreign.status, 403)
      assert.strictEqual(foreign.json.error.details.reason, "csrf")
      assert.strictEqual((yield* create({ cookie })).status, 403)

      const junk = yield* create({ cookie, authorization: "Bearer junk" })
      assert.strictEqual(junk.status, 401)
      assert.strictEqual(junk.headers["www-authenticate"], "Bearer")
      assert.strictEqual((yield* service.ask("/v1/me", { headers: { cookie, authorization: "Basic Zm9vOmJhcg==" } })).status, 401)
      // A bearer cannot make tokens, whatever else it may do.
      const refused = yield* create(bearer)
      assert.strictEqual(refused.status, 401)
      assert.strictEqual(refused.json.error.code, "auth_required")
    }))

  it.effect("keeps the CSRF token a browser holds, and replaces what is not one of ours", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const login = yield* signIn(service, email, from())
      const session = cookiesOf(login).split("; ").find((cookie) => cookie.startsWith("__Host-svc_session"))!
      const csrf = (cookie: string) => service.ask("/v1/auth/csrf", { headers: { cookie } })

      const kept = yield* csrf(cookiesOf(login))
      assert.strictEqual(kept.json.csrf_token, login.json.csrf_token)
      assert.match(kept.headers["set-cookie"]![0]!, /^__Host-svc_csrf=/)
      const minted = yield* csrf(`${session}; svc_csrf=${login.json.csrf_token}`)
      assert.notStrictEqual(minted.json.csrf_token, login.json.csrf_token)
      const own = yield* csrf(`${session}; __Host-svc_csrf=one-of-its-own`)
      assert.strictEqual(own.json.csrf_token, "one-of-its-own")
      for (const bad of ["", "x".repeat(129), "%7Bodd%7D"]) {
        assert.match((yield* csrf(`${session}; __Host-svc_csrf=${bad}`)).json.csrf_token, /^[\w-]{43}$/)
      }
    }))

  it.effect("a cookie whose name only resembles one of ours counts for nothing", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const [login, other] = [yield* signIn(service, (yield* service.account()).email, from()), yield* signIn(service, (yield* service.account()).email, from())]
      const me = (cookie: string) => service.ask("/v1/me", { headers: { cookie } })
      // To browsers these have no prefix, so that a neighbour of this host may have set them.
      for (const before of ["\u00a0", "\u0085", "\u00c2\u00a0", "_"]) {
        assert.strictEqual((yield* me(`${before}${cookiesOf(other)}`)).status, 401)
        assert.strictEqual((yield* me(`${before}${cookiesOf(other)}; ${cookiesOf(login)}`)).json.user.email, login.json.email)
      }
      assert.strictEqual((yield* me(`a=\u00e9\u00a0; ${cookiesOf(login)}`)).status, 200)
    }))

  it.effect("shows a token once, lists it by its first characters, and revokes it at once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer, email } = yield* service.account()
      const login = yield* signIn(service, email, from())
      const headers = { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token as string }
      const made = yield* service.ask("/v1/tokens", { json: { label: "  deploy  " }, headers })
      assert.match(made.json.token, /^svc_[A-Za-z0-9_-]{43}$/)
      assert.strictEqual(made.json.label, "deploy")

      const own = { authorization: `Bearer ${made.json.token}` }
      assert.strictEqual((yield* service.ask("/v1/me", { headers: own })).status, 200)
      const listed = yield* service.ask("/v1/tokens", { headers: own })
      assert.isFalse(listed.text.includes(made.json.token))
      const found = listed.json.find((token: { id: string }) => token.id === made.json.id)
      assert.strictEqual(found.prefix, made.json.token.slice(0, 8))
      assert.isNotNull(found.last_used_at)

      const other = yield* service.account()
      // Whatever is written as an id is one that nobody has: of no version, or in capitals.
      for (const id of ["11111111-1111-1111-1111-111111111111", "deadbeef-dead-beef-dead-beefdeadbeef", "DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF"]) {
        assert.strictEqual((yield* service.ask(`/v1/tokens/${id}`, { method: "DELETE", headers: bearer })).status, 404)
        assert.strictEqual((yield* service.ask(`/v1/workspace?workspace=${id}`, { headers: bearer })).status, 404)
        assert.deepStrictEqual((yield* service.ask(`/v1/workspace/members?workspace=${id}`, { headers: bearer })).json, [])
      }
      assert.strictEqual((yield* service.ask(`/v1/tokens/${made.json.id}`, { method: "DELETE", headers: other.bearer })).status, 404)
      assert.strictEqual((yield* service.ask(`/v1/tokens/${made.json.id}`, { method: "DELETE", headers: bearer })).status, 200)
      assert.strictEqual((yield* service.ask("/v1/me", { headers: own })).status, 401)
      assert.strictEqual((yield* service.ask(`/v1/tokens/${made.json.id}`, { method: "DELETE", headers: bearer })).status, 404)
    }))

  it.effect("an account holds a hundred tokens: of sixty made at once beside ninety-five, five are, and a revoked one makes room", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer, email, id } = yield* service.account()
      const login = yield* signIn(service, email, from())
      const make = service.ask("/v1/tokens", { json: { label: "many" }, headers: { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token as string } })
      const count = service.inside(SqlClient.SqlClient.use((sql) => Effect.map(sql`SELECT 1 FROM api_tokens WHERE user_id = ${id}`, (rows) => rows.length)))
      const wanted = 95 - (yield* count)
      yield* service.inside(SqlClient.SqlClient.use((sql) => sql`
        INSERT INTO api_tokens (id, user_id, label, prefix, hash, created_at)
        SELECT gen_random_uuid(), ${id}, 'old', 'svc_', gen_random_uuid(), now() FROM generate_series(1, ${wanted}::int)`))
      const made = yield* Effect.forEach(Array.from({ length: 60 }), () => make, { concurrency: "unbounded" })
      assert.deepStrictEqual([made.filter(({ status }) => status === 201).length, yield* count], [5, 100])
      const refused = made.find(({ status }) => status !== 201)!
      assert.deepStrictEqual([refused.status, refused.json.error.code], [409, "conflict"])
      assert.include(refused.json.error.message, "Revoke one")
      const [{ id: one }] = (yield* service.ask("/v1/tokens", { headers: bearer })).json
      yield* service.ask(`/v1/tokens/${one}`, { method: "DELETE", headers: bearer })
      assert.deepStrictEqual([(yield* make).status, (yield* make).status], [201, 409])
    }))

  it.effect("makes one account of fifty signups of one address at once, and one winner of fifty uses of one link", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const email = "race@example.com"
      const signups = yield* Effect.forEach(
        Array.from({ length: 50 }, () => from()),
        (headers) => service.ask("/v1/auth/signup", { json: { email, password: PASSWORD }, headers }),
        { concurrency: "unbounded" }
      )
      assert.isTrue(signups.every((answer) => answer.status === 202))
      const mails = yield* mailTo(service, email, 3)
      const links = mails.filter((mail) => mail.links.some((link) => link.includes("token=")))
      assert.strictEqual(links.length, 1)
      assert.strictEqual(mails.length, 3)

      const token = tokenIn(links[0]!.links)
      const uses = yield* Effect.forEach(
        Array.from({ length: 50 }),
        () => service.ask("/v1/auth/verify-email/confirm", { json: { token } }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(uses.filter((answer) => answer.status === 200).length, 1)
      const refusals = new Set(uses.filter((answer) => answer.status !== 200).map((answer) => `${answer.status} ${answer.text}`))
      assert.strictEqual(refusals.size, 1)
      const unknown = yield* service.ask("/v1/auth/verify-email/confirm", { json: { token: "never-minted" } })
      assert.strictEqual(`${unknown.status} ${unknown.text}`, [...refusals][0])
      assert.strictEqual(unknown.json.error.code, "invalid_token")
    }))

  it.effect("leaves no workspace to nobody where two sign up with one address at the same moment", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { accounts, sql, tokens } = yield* service.inside(Effect.all({ accounts: AccountStore, sql: SqlClient.SqlClient, tokens: Tokens }))
      const now = yield* DateTime.now
      const [id, home] = [UserId.make(yield* tokens.uuid), WorkspaceId.make(yield* tokens.uuid)]
      const email = `${id}@example.com`
      const commit = yield* Effect.provideService(locked(`INSERT INTO users (id, email, name, created_at) VALUES (gen_random_uuid(), '${email}', 'First', now())`), SqlClient.SqlClient, sql)
      const second = yield* Effect.forkChild(accounts.create({ id, email, name: "Second", passwordHash: "some", home: { id: home, name: "Home", plan: "starter", trialEndsAt: now } }, now))
      yield* Effect.promise(() => eventually("the second one waits", () => Effect.runPromise(Effect.map(waiting(sql), (many) => many === 1))))
      yield* Effect.orDie(commit)
      assert.isFalse(yield* Fiber.join(second))
      assert.deepStrictEqual(yield* Effect.orDie(sql`SELECT id FROM workspaces WHERE id = ${home}`), [])
    }))
})
