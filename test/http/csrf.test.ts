/** Every endpoint of openapi.json that changes something with a session is closed without the token of its own pages. */
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { Sessions } from "../../src/domain/sessions/sessions.ts"
import { UNFOLLOWED } from "../support/ask.ts"
import type { Answer } from "../support/ask.ts"
import { pkce, REDIRECT, register } from "../support/oauth.ts"
import type { Known, Operation } from "../support/operations.ts"
import { operations } from "../support/operations.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"

type It = typeof Service.Service

const doors = operations.filter(({ doors, mutates }) => mutates && doors.has("session"))

/** Tables that change by themselves: counts of tries, and the mail worker's engine. */
const RESTLESS = /^(rate_limits|cluster_|effect_|migrations)/

/** A statement that reads every row of every table at once, in any order, as a number of rows and a sum of their hashes. */
const allRows = (service: It) =>
  service.inside(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`
    const names = tables.map(({ name }) => name).filter((name) => !RESTLESS.test(name))
    assert.isAtLeast(names.length, 20)
    return names.map((name) => `SELECT '${name}' || count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS sum FROM "${name}" t`).join(" UNION ALL ")
  }).pipe(Effect.orDie))

/** Everything that the service stores, as one text: the sums of its tables, and the names of its files. */
const everything = (service: It, query: string) =>
  service.inside(Effect.gen(function*() {
    const sums = yield* (yield* SqlClient.SqlClient).unsafe<{ sum: string }>(query)
    const files = readdirSync(join(service.dataDir, "blobs"), { recursive: true, encoding: "utf8" })
    return [...sums.map(({ sum }) => sum).sort(), ...files.sort()].join("\n")
  }).pipe(Effect.orDie))

/** A session as a login makes it, without hashing a password, which is slow on purpose. */
const sessionOf = (service: It, { id }: Account) =>
  service.inside(Effect.gen(function*() {
    const user = Option.getOrThrow(yield* (yield* AccountStore).find(id))
    const { csrfToken, session } = yield* (yield* Sessions).issue(user)
    return { cookie: `__Host-svc_session=${session}; __Host-svc_csrf=${csrfToken}`, "x-csrf-token": csrfToken }
  }))

const isCsrf = ({ json, status }: Answer) => status === 403 && json.error.code === "forbidden" && json.error.details.reason === "csrf"

/** Some endpoints are for platform administrators only, so everybody here is one. */
const everyone = Array.from({ length: 300 }, (_, at) => `person-${at + 1}@example.com`).join(",")

layer(serviceWith({ SVC_TRUSTED_PROXY_HOPS: "1", SVC_PLATFORM_ADMINS: everyone }), { excludeTestServices: true })("csrf", (it) => {
  let client = 0
  const from = () => ({ "x-forwarded-for": `10.5.${Math.floor(++client / 250)}.${client % 250}` })

  /** Somebody signed in, with one of everything that a request may name. */
  const person = Effect.gen(function*() {
    const service = yield* Service
    const account = yield* service.account()
    const { bearer } = account
    const session = yield* sessionOf(service, account)
    const slug = `sample-${++client}`
    yield* service.ask(`/v1/projects/${slug}`, { method: "PUT", body: "<h1>Hi</h1>", headers: { ...bearer, "content-type": "text/html" } })
    const [token] = (yield* service.ask("/v1/tokens", { headers: bearer })).json
    const { user_code } = (yield* service.ask("/v1/auth/device", { method: "POST", headers: from() })).json
    const { client_id } = (yield* register(service, {}, from())).json
    const known: Known = {
      slug,
      user_code,
      client_id,
      token_id: token.id,
      version: 1,
      title: "Another title",
      redirect_uri: REDIRECT,
      code_challenge: pkce().challenge,
      code_challenge_method: "S256",
      password: PASSWORD,
      current_password: PASSWORD,
      new_password: "another long phrase entirely"
    }
    return { id: account.id, bearer, session, known, sessionCookie: session.cookie.split("; ").find((cookie) => cookie.startsWith("__Host-svc_session="))! }
  })

  const send = (service: It, operation: Operation, known: Known, headers: Record<string, string>) => {
    const { path, question } = operation.request(known)
    return service.ask(path, { ...question, headers: { ...question.headers, ...headers } })
  }

  it.effect("a session without the right token, on both sides, changes nothing anywhere", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { known, session, sessionCookie } = yield* person
      const foreign = (yield* person).session["x-csrf-token"]
      const token = session["x-csrf-token"]
      const tries: Record<string, Record<string, string>> = {
        "no header, and some that are not followed": { cookie: session.cookie, ...UNFOLLOWED },
        "an empty header": { cookie: session.cookie, "x-csrf-token": "" },
        "a foreign token": { cookie: session.cookie, "x-csrf-token": foreign },
        "no cookie": { cookie: sessionCookie, "x-csrf-token": token },
        "empty on both sides": { cookie: `${sessionCookie}; __Host-svc_csrf=`, "x-csrf-token": "" },
        "a cookie that any subdomain could set": { cookie: `${sessionCookie}; svc_csrf=${token}`, "x-csrf-token": token }
      }
      const rows = yield* allRows(service)
      const before = yield* everything(service, rows)
      for (const door of doors) {
        for (const [what, headers] of Object.entries(tries)) {
          const refused = yield* send(service, door, known, headers)
          assert.isTrue(isCsrf(refused), `${door.name} with ${what}: ${refused.status} ${refused.text}`)
          assert.isUndefined(refused.headers["set-cookie"], door.name)
        }
        assert.strictEqual(yield* everything(service, rows), before, door.name)
      }
      // Otherwise an empty list would pass too.
      assert.isAtLeast(doors.length, 15)
      console.log(`csrf: ${doors.length} doors of openapi.json stayed shut to ${Object.keys(tries).length} wrong tries each, nothing changed`)
    }))

  it.effect("what a page that was drawn for another account asks for is not done", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { id, known, session } = yield* person
      const other = (yield* person).id
      const rows = yield* allRows(service)
      const before = yield* everything(service, rows)
      for (const door of doors) {
        for (const named of [other, ""]) {
          const refused = yield* send(service, door, known, { ...session, "x-account-id": named })
          assert.deepStrictEqual([refused.status, refused.json.error.details.reason], [403, "another_account"], door.name)
        }
      }
      assert.strictEqual(yield* everything(service, rows), before)
      const label = (named: string) => service.ask("/v1/tokens", { json: { label: "mine" }, headers: { ...session, "x-account-id": named } })
      assert.strictEqual((yield* label(other)).status, 403)
      assert.strictEqual((yield* label(id)).status, 201)
    }))

  it.effect("the same requests pass with the token, and where a bearer may ask it needs none", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const rows = yield* allRows(service)
      const done = { session: 0, bearer: 0, changed: 0 }
      let someone = yield* person
      let before = yield* everything(service, rows)
      for (const door of doors) {
        for (const way of ["session", "bearer"] as const) {
          if (!door.doors.has(way)) continue
          const { bearer, known, session } = someone
          const answer = yield* send(service, door, known, way === "session" ? session : { ...bearer, cookie: session.cookie })
          const lacking = answer.json?.error?.code === "oauth_not_configured"
          assert.isFalse((answer.status >= 500 && !lacking) || [401, 403, 405, 415].includes(answer.status), `${door.name} by ${way}: ${answer.status} ${answer.text}`)
          if (answer.status < 300) done[way]++
          if ((yield* everything(service, rows)) === before) continue
          if (answer.status < 300) done.changed++
          // Some of these end the session or revoke the token, so every change is followed by a new person.
          someone = yield* person
          before = yield* everything(service, rows)
        }
      }
      console.log(
        `csrf: with the token ${done.session} of them did their work, for a bearer beside a session cookie ${done.bearer}; ` +
          `${done.changed} of these ${done.session + done.bearer} left a trace`
      )
      // Refusing a request that would have failed anyway, or left no trace, would prove nothing.
      assert.isAtLeast(done.session, 12)
      assert.isAtLeast(done.bearer, 6)
      assert.isAtLeast(done.changed, 15)
    }))

  it.effect("a bearer opens none of a session's own doors, whatever lies beside it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const own = operations.filter(({ doors }) => doors.has("session") && !doors.has("bearer"))
      const { bearer, known, session } = yield* person
      const rows = yield* allRows(service)
      const before = yield* everything(service, rows)
      for (const door of own) {
        for (const headers of [bearer, { ...bearer, cookie: session.cookie }, { ...bearer, ...session }]) {
          const refused = yield* send(service, door, known, headers)
          assert.deepStrictEqual([refused.status, refused.json.error.code], [401, "auth_required"], door.name)
        }
      }
      assert.strictEqual(yield* everything(service, rows), before)
      assert.isAtLeast(own.length, 8)
      console.log(`csrf: ${own.length} doors of a session's own refused a bearer`)
    }))
})
