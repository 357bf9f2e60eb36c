/** Signing a device in, over the wire: codes, who may answer, one token however many ask, and the pages. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { DeviceGrantStore } from "../../src/domain/device-grants/store.ts"
import { cookiesOf } from "../support/ask.ts"
import type { Answer } from "../support/ask.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import { toBeErased } from "../support/to-be-erased.ts"

type It = typeof Service.Service

const signIn = (service: It, email: string, from: Record<string, string>) =>
  service.ask("/v1/auth/login", { json: { email, password: PASSWORD }, headers: from }).pipe(
    Effect.map((login) => ({ cookie: cookiesOf(login), "x-csrf-token": String(login.json.csrf_token) }))
  )

const subjectsTo = (service: It, to: string) =>
  Effect.map(service.ask("/_dev/mail", { headers: { accept: "application/json" } }), (answer) =>
    (answer.json.messages as ReadonlyArray<{ to: string; subject: string; text: string }>).filter((message) => message.to === to))

const refusalOf = ({ status, text }: Answer) => `${status} ${text}`

const many = (count: number, ask: Effect.Effect<Answer>) => Effect.all(Array.from({ length: count }, () => ask), { concurrency: "unbounded" })

layer(serviceWith({ SVC_TRUSTED_PROXY_HOPS: "1" }), { excludeTestServices: true })("devices", (it) => {
  let client = 0
  const from = () => ({ "x-forwarded-for": `10.1.${Math.floor(++client / 250)}.${client % 250}` })

  const start = (service: It, headers: Record<string, string> = from()) =>
    Effect.map(service.ask("/v1/auth/device", { method: "POST", headers }), (answer) => answer.json)
  const poll = (service: It, device_code: string) => service.ask("/v1/auth/device/token", { json: { device_code } })

  it.effect("starts, is shown, approved with one click and one mail, and gives its token once", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const session = yield* signIn(service, email, from())
      const codes = yield* start(service, { ...from(), "user-agent": "svc-cli/1.0 (linux)" })
      assert.match(codes.user_code, /^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{4}$/)
      assert.match(codes.device_code, /^[\w-]{43}$/)
      const base = `http://svc.localhost:${service.port}`
      assert.deepStrictEqual({ ...codes, device_code: "", user_code: "" }, {
        device_code: "",
        user_code: "",
        verification_url: `${base}/device`,
        verification_url_complete: `${base}/device?user_code=${codes.user_code}`,
        interval: 5,
        expires_in: 900
      })

      const looked = yield* service.ask(`/v1/auth/device/${codes.user_code}`, { headers: session })
      assert.strictEqual(looked.status, 200)
      assert.strictEqual(looked.json.client, "svc-cli/1.0 (linux)")
      assert.match(looked.json.address, /^10\.1\./)

      assert.deepStrictEqual((yield* poll(service, codes.device_code)).json, { status: "pending" })
      const early = yield* poll(service, codes.device_code)
      assert.strictEqual(early.status, 429)
      assert.strictEqual(early.json.error.code, "rate_limited")
      assert.oneOf(early.headers["retry-after"], ["5", "4", "3", "2", "1"])

      const typed = codes.user_code.toLowerCase().replace("-", "")
      const approved = yield* service.ask("/v1/auth/device/approve", { json: { user_code: typed }, headers: session })
      assert.deepStrictEqual([approved.status, approved.json], [200, { status: "approved" }])
      const again = yield* service.ask("/v1/auth/device/approve", { json: { user_code: typed }, headers: session })
      assert.strictEqual(again.status, 404)

      const won = yield* poll(service, codes.device_code)
      assert.strictEqual(won.json.status, "approved")
      const bearer = { authorization: `Bearer ${won.json.token}` }
      assert.strictEqual((yield* service.ask("/v1/me", { headers: bearer })).json.user.email, email)
      const tokens = yield* service.ask("/v1/tokens", { headers: bearer })
      assert.strictEqual(tokens.json[0].label, "svc-cli/1.0 (linux)")

      const used = yield* poll(service, codes.device_code)
      const unknown = yield* poll(service, "never-started")
      assert.strictEqual(unknown.json.error.code, "invalid_token")
      assert.strictEqual(refusalOf(used), refusalOf(unknown))
      assert.strictEqual(used.status, 401)

      const mails = yield* subjectsTo(service, email).pipe(
        Effect.repeat({ until: (found) => found.length > 0, schedule: Schedule.spaced("25 millis"), times: 9_600 })
      )
      assert.lengthOf(mails, 1)
      assert.include(mails[0]!.text, "svc-cli/1.0 (linux)")
      assert.include(mails[0]!.text.replaceAll(/\s+/g, " "), "It can do everything that you can, until you revoke it.")
    }))

  it.effect("signs in whatever has signed in before: of more than a hundred devices, the longest unused gives way", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, id } = yield* service.account()
      const session = yield* signIn(service, email, from())
      yield* service.inside(SqlClient.SqlClient.use((sql) => sql`
        WITH made AS (
          INSERT INTO api_tokens (id, user_id, label, prefix, hash, created_at, last_used_at)
          SELECT gen_random_uuid(), ${id}, 'old ' || n, 'svc_', gen_random_uuid(), now() - interval '1 year', CASE WHEN n = 1 THEN NULL ELSE now() - n * interval '1 hour' END
          FROM generate_series(1, 100) AS n RETURNING id
        )
        INSERT INTO device_grants (id, device_hash, user_code, client, address, requested_at, expires_at, user_id, approved_at, consumed_at, token_id)
        SELECT id, id, id, 'old', '10.0.0.1', now(), now(), ${id}, now(), now(), id FROM made`))
      const codes = yield* start(service)
      yield* service.ask("/v1/auth/device/approve", { json: { user_code: codes.user_code }, headers: session })
      const { json: { token } } = yield* poll(service, codes.device_code)
      const labels = (yield* service.ask("/v1/tokens", { headers: { authorization: `Bearer ${token}` } })).json.map(({ label }: { label: string }) => label)
      // The tests' own token was made by no device.
      assert.deepStrictEqual([labels.length, labels.includes("old 1"), labels.includes("old 100")], [101, false, true])
      assert.strictEqual((yield* service.ask("/v1/tokens", { json: { label: "mine" }, headers: session })).status, 201)
    }))

  it.effect("denied, expired and unknown", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer, email } = yield* service.account()
      const session = yield* signIn(service, email, from())
      const codes = yield* start(service)

      const withBearer = yield* service.ask("/v1/auth/device/approve", { json: { user_code: codes.user_code }, headers: bearer })
      assert.deepStrictEqual([withBearer.status, withBearer.json.error.code], [401, "auth_required"])
      const withoutCsrf = yield* service.ask("/v1/auth/device/approve", { json: { user_code: codes.user_code }, headers: { cookie: session.cookie } })
      assert.deepStrictEqual([withoutCsrf.status, withoutCsrf.json.error.details.reason], [403, "csrf"])

      const denied = yield* service.ask("/v1/auth/device/deny", { json: { user_code: codes.user_code }, headers: session })
      assert.deepStrictEqual([denied.status, denied.json], [200, { status: "denied" }])
      for (const _ of [1, 2]) {
        const refused = yield* poll(service, codes.device_code)
        assert.deepStrictEqual([refused.status, refused.json.error.code], [400, "device_denied"])
      }

      const late = yield* start(service)
      yield* service.inside(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE device_grants SET expires_at = now() WHERE consumed_at IS NULL`))
      const expired = yield* poll(service, late.device_code)
      assert.strictEqual(refusalOf(expired), refusalOf(yield* poll(service, "never-started")))
      assert.strictEqual((yield* service.ask("/v1/auth/device/a%00b", { headers: session })).status, 404)
      const approve = (user_code: string) => service.ask("/v1/auth/device/approve", { json: { user_code }, headers: session })
      const [gone, resolved, unknown, garbled] = [yield* approve(late.user_code), yield* approve(codes.user_code), yield* approve("AAAAA-AAAA"), yield* approve("AAAAA\0AAAA")]
      assert.strictEqual(gone.status, 404)
      assert.strictEqual(new Set([gone, resolved, unknown, garbled].map(refusalOf)).size, 1)
      assert.deepStrictEqual(yield* subjectsTo(service, email), [])
    }))

  it.effect("gives no token of an account that is to be erased", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, id } = yield* service.account()
      const session = yield* signIn(service, email, from())
      const codes = yield* start(service)
      assert.strictEqual((yield* service.ask("/v1/auth/device/approve", { json: { user_code: codes.user_code }, headers: session })).status, 200)
      const sql = yield* service.inside(SqlClient.SqlClient)
      yield* toBeErased(sql, id)
      assert.include(refusalOf(yield* poll(service, codes.device_code)), "401 {\"error\":{\"code\":\"invalid_token\"")
      yield* sql`UPDATE users SET deletion_id = NULL WHERE id = ${id}`
      assert.strictEqual((yield* poll(service, codes.device_code)).json.status, "approved")
    }))

  it.effect("let in and not fetched yet, a device is seen and can be revoked, also while it fetches", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer, email, id } = yield* service.account()
      const stranger = yield* service.account()
      const session = yield* signIn(service, email, from())
      const approve = (user_code: string) => service.ask("/v1/auth/device/approve", { json: { user_code }, headers: session })
      const listed = (headers: Record<string, string>) =>
        Effect.map(service.ask("/v1/me/grants", { headers }), ({ json }) => json as ReadonlyArray<{ readonly id: string; readonly [fact: string]: unknown }>)
      const grants = listed(bearer)
      const revoke = (id: string, headers: Record<string, string> = bearer) => Effect.map(service.ask(`/v1/me/grants/${id}`, { method: "DELETE", headers }), ({ status }) => status)
      const opens = (token: string) => Effect.map(service.ask("/v1/me", { headers: { authorization: `Bearer ${token}` } }), ({ status }) => status)

      const [codes, denied, waiting] = [yield* start(service, { ...from(), "user-agent": "svc-cli/1.0" }), yield* start(service), yield* start(service)]
      yield* service.ask("/v1/auth/device/deny", { json: { user_code: denied.user_code }, headers: session })
      assert.deepStrictEqual(yield* grants, [])
      const sql = yield* service.inside(SqlClient.SqlClient)
      const [{ refused }] = (yield* Effect.orDie(sql`SELECT id AS refused FROM device_grants WHERE user_id = ${id}`)) as readonly [{ readonly refused: string }]
      assert.strictEqual(yield* revoke(refused), 404, "nothing was given")
      yield* approve(codes.user_code)
      const [one, ...others] = yield* grants
      assert.deepStrictEqual(others, [])
      assert.deepInclude(one, { kind: "device", client: "svc-cli/1.0", last_used_at: null })
      assert.match(String(one!["address"]), /^10\.1\./)
      assert.deepStrictEqual(yield* listed(stranger.bearer), [])
      assert.strictEqual(yield* revoke(one!.id, stranger.bearer), 404)
      assert.strictEqual(yield* revoke(one!.id), 200)
      assert.strictEqual(yield* revoke(one!.id), 404)
      assert.strictEqual(refusalOf(yield* poll(service, codes.device_code)), refusalOf(yield* poll(service, "never-started")))

      // An ended grant opens nothing any more.
      yield* approve(waiting.user_code)
      assert.lengthOf(yield* grants, 1)
      yield* service.inside(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE device_grants SET expires_at = now() WHERE consumed_at IS NULL`))
      assert.deepStrictEqual(yield* grants, [])

      // Revoking a grant that was listed before its token was fetched revokes that token.
      const later = yield* start(service)
      yield* approve(later.user_code)
      const [seen] = yield* grants
      const { token } = (yield* poll(service, later.device_code)).json
      assert.lengthOf(yield* grants, 1)
      assert.deepStrictEqual(yield* listed(stranger.bearer), [])
      assert.strictEqual(yield* revoke(seen!.id, stranger.bearer), 404)
      assert.strictEqual(yield* revoke(seen!.id), 200)
      assert.strictEqual(yield* opens(token), 401)

      const store = yield* service.inside(DeviceGrantStore)
      for (let round = 0; round < 50; round++) {
        const { device_code, user_code } = yield* start(service)
        const { id: grant } = Option.getOrThrow(yield* store.approve(user_code.replace("-", ""), id, yield* DateTime.now))
        const [polled, revoked] = yield* Effect.all([poll(service, device_code), revoke(grant)], { concurrency: "unbounded" })
        assert.strictEqual(revoked, 200)
        if (polled.status === 200) assert.strictEqual(yield* opens(polled.json.token), 401)
        else assert.strictEqual(polled.json.error.code, "invalid_token")
      }
      assert.deepStrictEqual(yield* grants, [])
    }))

  it.effect("200 parallel polls get one token; 200 parallel guesses get ten tries, over approve and deny together; 30 looks ten", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email, token } = yield* service.account()
      const session = yield* signIn(service, email, from())
      const codes = yield* start(service)
      const asked = Date.now()
      const pending = yield* many(200, poll(service, codes.device_code))
      const told = pending.filter((answer) => answer.status === 200).length
      assert.isTrue(told >= 1 && told <= 1 + Math.floor((Date.now() - asked) / 5_000), `${told}`)
      assert.isTrue(pending.every((answer) => answer.status === 200 || answer.status === 429))

      yield* service.ask("/v1/auth/device/approve", { json: { user_code: codes.user_code }, headers: session })
      const polls = yield* many(200, poll(service, codes.device_code))
      assert.strictEqual(polls.filter((answer) => answer.status === 200).length, 1)
      assert.strictEqual(polls.filter((answer) => answer.status === 401).length, 199)
      const tokens = yield* service.ask("/v1/tokens", { headers: { authorization: `Bearer ${token}` } })
      assert.lengthOf(tokens.json, 2)

      const guesses = yield* Effect.all(
        Array.from({ length: 200 }, (_, index) =>
          service.ask(`/v1/auth/device/${index % 2 === 0 ? "approve" : "deny"}`, { json: { user_code: "AAAAA-AAAA" }, headers: session })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(guesses.filter((answer) => answer.status === 404).length, 9)
      assert.strictEqual(guesses.filter((answer) => answer.status === 429 && answer.headers["retry-after"] !== undefined).length, 191)

      const looks = yield* many(30, service.ask("/v1/auth/device/AAAAA-AAAA", { headers: session }))
      assert.deepStrictEqual([404, 429].map((status) => looks.filter((answer) => answer.status === status).length), [10, 20])

      const address = from()
      const starts = yield* many(30, service.ask("/v1/auth/device", { method: "POST", headers: address }))
      assert.strictEqual(starts.filter((answer) => answer.status === 200).length, 20)
    }))
})
