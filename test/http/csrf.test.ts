/** Every door of openapi.json that a session may change something by: shut without the token of its own pages. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Answer } from "../support/ask.ts"
import { pkce, REDIRECT, register, signIn } from "../support/oauth.ts"
import type { Known, Operation } from "../support/operations.ts"
import { operations } from "../support/operations.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"

type It = typeof Service.Service

const doors = operations.filter(({ doors, mutates }) => mutates && doors.has("session"))

/** Counts of tries, and the beat of whoever carries mails: they change by themselves. */
const RESTLESS = /^(rate_limits|cluster_|effect_|migrations)/

/** All that the service remembers, as one word: every row of every table, and the names of the files it keeps. */
const everything = (service: It) =>
  service.inside(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`
    const hash = createHash("sha256")
    for (const { name } of tables.filter((table) => !RESTLESS.test(table.name))) {
      const [rows] = yield* sql.unsafe<{ all: string | null }>(`SELECT string_agg(t::text, E'\\n' ORDER BY t::text) AS all FROM "${name}" t`)
      hash.update(`${name}\n${rows?.all ?? ""}\n`)
    }
    hash.update(readdirSync(join(service.dataDir, "blobs"), { recursive: true, encoding: "utf8" }).sort().join("\n"))
    return hash.digest("hex")
  }).pipe(Effect.orDie))

const isCsrf = ({ json, status }: Answer) => status === 403 && json.error.code === "forbidden" && json.error.details.reason === "csrf"

layer(serviceWith({ SVC_TRUSTED_PROXY_HOPS: "1" }), { timeout: "60 seconds", excludeTestServices: true })("csrf", (it) => {
  let client = 0
  const from = () => ({ "x-forwarded-for": `10.5.${Math.floor(++client / 250)}.${client % 250}` })

  /** Somebody signed in, with one of everything that a request may name. */
  const person = Effect.gen(function*() {
    const service = yield* Service
    const { bearer, email } = yield* service.account()
    const session = yield* signIn(service, email, from())
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
      current_password: PASSWORD,
      new_password: "another long phrase entirely"
    }
    return { bearer, session, known, sessionCookie: session.cookie.split("; ").find((cookie) => cookie.startsWith("__Host-svc_session="))! }
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
        "no header": { cookie: session.cookie },
        "an empty header": { cookie: session.cookie, "x-csrf-token": "" },
        "a foreign token": { cookie: session.cookie, "x-csrf-token": foreign },
        "no cookie": { cookie: sessionCookie, "x-csrf-token": token },
        "empty on both sides": { cookie: `${sessionCookie}; __Host-svc_csrf=`, "x-csrf-token": "" },
        "a cookie that any subdomain could set": { cookie: `${sessionCookie}; svc_csrf=${token}`, "x-csrf-token": token }
      }
      const before = yield* everything(service)
      for (const door of doors) {
        for (const [what, headers] of Object.entries(tries)) {
          const refused = yield* send(service, door, known, headers)
          assert.isTrue(isCsrf(refused), `${door.name} with ${what}: ${refused.status} ${refused.text}`)
          assert.isUndefined(refused.headers["set-cookie"], door.name)
        }
        assert.strictEqual(yield* everything(service), before, door.name)
      }
      // An empty list would pass too.
      assert.isAtLeast(doors.length, 15)
      console.log(`csrf: ${doors.length} doors of openapi.json stayed shut to ${Object.keys(tries).length} wrong tries each, nothing changed`)
    }))

  it.effect("the same requests pass with the token, and where a bearer may ask it needs none", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const done = { session: 0, bearer: 0, changed: 0 }
      for (const door of doors) {
        for (const way of ["session", "bearer"] as const) {
          if (!door.doors.has(way)) continue
          // Some of these end the session or revoke the token, so each has a person of its own.
          const { bearer, known, session } = yield* person
          const before = yield* everything(service)
          const answer = yield* send(service, door, known, way === "session" ? session : { ...bearer, cookie: session.cookie })
          assert.isFalse(answer.status >= 500 || [401, 403, 405, 415].includes(answer.status), `${door.name} by ${way}: ${answer.status} ${answer.text}`)
          if (answer.status < 300) done[way]++
          if (answer.status < 300 && (yield* everything(service)) !== before) done.changed++
        }
      }
      console.log(
        `csrf: with the token ${done.session} of them did their work, for a bearer beside a session cookie ${done.bearer}; ` +
          `${done.changed} of these ${done.session + done.bearer} left a trace`
      )
      // What would not have worked anyway, or left no trace, would prove nothing by being refused.
      assert.isAtLeast(done.session, 12)
      assert.isAtLeast(done.bearer, 6)
      assert.isAtLeast(done.changed, 15)
    }))

  it.effect("a bearer opens none of a session's own doors, whatever lies beside it", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const own = operations.filter(({ doors }) => doors.has("session") && !doors.has("bearer"))
      const { bearer, known, session } = yield* person
      const before = yield* everything(service)
      for (const door of own) {
        for (const headers of [bearer, { ...bearer, cookie: session.cookie }, { ...bearer, ...session }]) {
          const refused = yield* send(service, door, known, headers)
          assert.deepStrictEqual([refused.status, refused.json.error.code], [401, "auth_required"], door.name)
        }
      }
      assert.strictEqual(yield* everything(service), before)
      assert.isAtLeast(own.length, 8)
      console.log(`csrf: ${own.length} doors of a session's own refused a bearer`)
    }))
})
