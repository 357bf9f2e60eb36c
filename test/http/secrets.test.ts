/** Secrets: after a rotation the previous one still opens, and nothing older does; what logs and errors reveal of any. */
import { isDeepStrictEqual } from "node:util"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, it } from "vitest"
import { DatabaseEmbedded } from "../../src/services/database/client.ts"
import { cookiesOf } from "../support/ask.ts"
import type { Question } from "../support/ask.ts"
import { freshDatabaseFacts } from "../support/database.ts"
import type { ConnectionFacts } from "../support/database.ts"
import { openPostOffice, tokenIn } from "../support/post-office.ts"
import type { PostOffice } from "../support/post-office.ts"
import { clearAway, eventually, launch, newFolder, serve } from "../support/program.ts"
import type { Environment, Program } from "../support/program.ts"

const PASSWORD = "correct horse battery staple"

const [OLD, NEW] = ["the first secret", "the second secret"].map((name) => `${name}, of thirty-two bytes`) as [string, string]

const scope = Scope.makeUnsafe()
let post: PostOffice
let environment: Environment
let facts: ConnectionFacts

beforeAll(async () => {
  facts = await Effect.runPromise(Scope.provide(scope)(freshDatabaseFacts))
  const { database, host, username } = facts
  post = await openPostOffice()
  environment = {
    SVC_DATABASE_URL: `postgres://${username}@localhost/${database}?host=${host}`,
    SVC_SMTP_URL: post.url,
    SVC_BASE_URL: "http://svc.localhost",
    SVC_DATA_DIR: newFolder()
  }
})

afterAll(async () => {
  await clearAway()
  await post?.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const signIn = async (program: Program, email: string) =>
  cookiesOf(await program.ask("/v1/auth/login", { json: { email, password: PASSWORD } }))

const me = async (program: Program, cookie: string) => (await program.ask("/v1/me", { headers: { cookie } })).status

it("sessions and waiting mails outlive one rotation of the secret, and not a second", async () => {
  const before = await serve({ ...environment, SVC_SECRET: OLD })
  const email = "ada@example.com"
  assert.strictEqual((await before.ask("/v1/auth/signup", { json: { email, password: PASSWORD } })).status, 202)
  await eventually("the mail arrives", () => post.lettersTo(email).length === 1)
  const old = await signIn(before, email)
  assert.strictEqual(await me(before, old), 200)
  post.refuse(true)
  await before.ask("/v1/auth/signup", { json: { email: "late@example.com", password: PASSWORD } })
  await eventually("the mail is refused for now", () => post.attempts.some(({ taken }) => !taken))
  await before.end()

  const rotated = await serve({ ...environment, SVC_SECRET: NEW, SVC_SECRET_PREVIOUS: OLD })
  post.refuse(false)
  assert.strictEqual(await me(rotated, old), 200)
  const csrf = await rotated.ask("/v1/auth/csrf", { headers: { cookie: old } })
  const renamed = await rotated.ask("/v1/me", { method: "PATCH", json: { name: "Ada" }, headers: { cookie: old, "x-csrf-token": csrf.json.csrf_token } })
  assert.strictEqual(renamed.status, 200)
  const fresh = await signIn(rotated, email)
  assert.strictEqual(await me(rotated, fresh), 200)
  await eventually("the mail sealed with the old secret arrives", () => post.lettersTo("late@example.com").length === 1)
  await rotated.end()

  const later = await serve({ ...environment, SVC_SECRET: NEW })
  assert.strictEqual(await me(later, old), 401)
  assert.strictEqual(await me(later, fresh), 200)
  await later.end()
})

it("a secret that is too short stops the start, and is not printed", async () => {
  const { code, stderr } = await launch("serve", { ...environment, SVC_SECRET: NEW, SVC_SECRET_PREVIOUS: "hunter2 was here" }).ended
  assert.strictEqual(code, 1)
  assert.match(stderr, /^svc: SVC_SECRET_PREVIOUS holds 16 characters \(hidden\); it wants at least 32 bytes\.\n$/)
})

it("logs and errors hold no secret, no address of a person and nothing of what they wrote, whatever goes wrong", async () => {
  const ada = "ada.logs@example.com"
  const [bad, typed] = ["wr0ng-password-that-was-typed", "kept-between-reader-and-author"]
  const program = await serve({ ...environment, SVC_SECRET: NEW, SVC_LOG: "json", SVC_PLATFORM_ADMINS: ada })
  const said: Array<string> = []
  const secrets = [bad, typed, PASSWORD, NEW, "ada.logs"]
  const ask = async (path: string, question?: Question) => {
    const answer = await program.ask(path, question)
    if (answer.status >= 400) said.push(answer.text)
    return answer
  }
  await ask("/v1/auth/signup", { json: { email: ada, password: PASSWORD, name: "Leaky Person" } })
  const verification = await eventually("the mail", () => post.lettersTo(ada).map((letter) => tokenIn(letter, "verify-email"))[0])
  await ask("/v1/auth/verify-email/confirm", { json: { token: verification } })
  const signedIn = await ask("/v1/auth/login", { json: { email: ada, password: PASSWORD } })
  const session = { cookie: cookiesOf(signedIn), "x-csrf-token": String(signedIn.json.csrf_token) }
  const { token } = (await ask("/v1/tokens", { json: { label: "logs" }, headers: session })).json as { token: string }
  secrets.push(verification, token, session["x-csrf-token"], ...session.cookie.split("; ").map((pair) => pair.split("=")[1]!))
  const bearer = { authorization: `Bearer ${token}` }
  const html = { ...bearer, "content-type": "text/html" }
  const slug = "told"
  await ask(`/v1/projects/${slug}?visibility=password`, { method: "PUT", body: `<p>${typed}</p>`, headers: html })
  const { password: doorcode } = (await ask(`/v1/projects/${slug}`, { headers: bearer })).json as { password: string }
  const link = (await ask(`/v1/projects/${slug}/share-links`, { json: { label: typed }, headers: bearer })).json as { token: string }
  secrets.push(doorcode, link.token)
  const host = `${slug}.svc.localhost`
  const browser = { "user-agent": `Mozilla/5.0 Firefox/140.0 ${typed}`, referer: `https://elsewhere.example/?${typed}` }

  // Each of these sends something to an endpoint that refuses it, or that works with it.
  for (const [path, question] of [
    ["/v1/auth/login", { json: { email: ada, password: bad } }],
    ["/v1/auth/login", { json: { email: ada, password: [bad] } }],
    ["/v1/auth/signup", { json: { email: `${typed} ${ada}`, password: bad } }],
    ["/v1/auth/magic-link/verify", { json: { token: typed } }],
    [`/v1/auth/idp/callback?code=${typed}&state=${typed}`, { headers: { cookie: session.cookie } }],
    [`/magic-link?token=${typed}`, {}],
    [`/nowhere/${typed}?token=${typed}`, { headers: bearer }],
    [`/v1/exports/01900000-0000-7000-8000-000000000000/download?token=${typed}`, {}],
    ["/v1/me", { headers: { authorization: `Bearer ${typed}` } }],
    ["/v1/folders", { json: { name: typed, sharing: typed }, headers: { ...bearer, "idempotency-key": typed } }],
    ["/v1/folders", { json: { name: typed }, headers: { ...bearer, "idempotency-key": typed } }],
    ["/v1/folders", { json: { name: `${typed}!` }, headers: { ...bearer, "idempotency-key": typed } }],
    ["/v1/tokens", { json: { label: "x" }, headers: { ...session, "x-csrf-token": typed } }],
    [`/v1/projects/${slug}`, { method: "PATCH", json: { password: bad, [typed]: 1 }, headers: bearer }],
    ["/mcp", { json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "publish", arguments: { slug: typed, content: 7 } } }, headers: { ...bearer, accept: "application/json, text/event-stream" } }],
    ["/rpc", { method: "POST", body: `{"_tag":"Request","id":"1","tag":"LookUpUser","payload":{"email":"${ada}","secret":"${typed}"},"headers":[]}\n`, headers: { ...bearer, "content-type": "application/x-ndjson" } }],
    ["/rpc", { method: "POST", body: typed, headers: bearer }],
    ["/oauth/token", { method: "POST", body: `grant_type=refresh_token&client_id=x&refresh_token=${typed}`, headers: { "content-type": "application/x-www-form-urlencoded" } }],
    ["/v1/billing/webhook", { method: "POST", body: typed, headers: { "stripe-signature": typed } }],
    [`/_svc/gate/share?t=${link.token}`, { host, headers: browser }],
    [`/_svc/gate/share?t=${typed}`, { host, headers: browser }],
    ["/_svc/gate/password", { host, method: "POST", body: `password=${bad}`, headers: { ...browser, "content-type": "application/x-www-form-urlencoded" } }],
    [`/?${typed}`, { host, headers: { ...browser, cookie: `__Host-svc_gate=${typed}` } }],
    ["/_svc/comments", { host, json: { body: typed }, headers: { ...browser, authorization: `Bearer ${typed}` } }]
  ] as ReadonlyArray<readonly [string, Question]>) {
    const { status } = await ask(path, question)
    assert.notStrictEqual(status, 500, path)
  }

  // PostgreSQL's error names the whole row that it refuses; a mail server's names the recipient.
  await Effect.runPromise(SqlClient.SqlClient.use((sql) => sql`ALTER TABLE users ADD CONSTRAINT leaky CHECK (name <> 'Leaky Person') NOT VALID`).pipe(Effect.provide(DatabaseEmbedded(facts))))
  post.refuse(true)
  const refused = post.attempts.length
  await ask("/v1/auth/magic-link", { json: { email: ada } })
  await eventually("the mail is refused", () => post.attempts.length > refused)
  const broken = await ask("/v1/auth/signup", { json: { email: `new.${ada}`, password: PASSWORD, name: "Leaky Person" } })
  assert.strictEqual(broken.status, 500)
  await Effect.runPromise(SqlClient.SqlClient.use((sql) => sql`ALTER TABLE users DROP CONSTRAINT leaky`).pipe(Effect.provide(DatabaseEmbedded(facts))))
  const { stderr, stdout } = await program.end()
  post.refuse(false)
  const lines = stdout.trimEnd().split("\n").map((line) => JSON.parse(line) as { message: unknown; annotations: object })
  assert.deepInclude(lines.find(({ message }) => message === "svc is up")?.annotations, { baseUrl: "http://svc.localhost", docs: "http://svc.localhost/docs" })
  for (const told of [
    { method: "GET", route: "/v1/me", status: 401, code: "auth_required" },
    { method: "PATCH", route: "/v1/projects/:slug", status: 422, code: "validation_error" },
    { method: "POST", route: "/mcp", status: 200 },
    { method: "POST", route: "/rpc", status: 422, code: "validation_error" },
    { method: "POST", route: "/oauth/token", status: 401, code: "invalid_client" },
    { method: "POST", route: "/v1/auth/signup", status: 500, code: "internal_error" }
  ]) {
    assert.isTrue(lines.some(({ annotations, message }) => message === "request" && isDeepStrictEqual({ ...annotations, ms: 0, requestId: "" }, { ...told, ms: 0, requestId: "" })), JSON.stringify(told))
  }
  const logged = stdout + stderr
  assert.include(logged, "leaky", "the defect is told")
  for (const secret of [...secrets, "argon2", "Leaky Person"]) {
    assert.notInclude(logged, secret, `…${logged.slice(Math.max(0, logged.indexOf(secret) - 300), logged.indexOf(secret) + 300)}`)
    // A refusal names the wrong field, and a gate keeps its reader's destination.
    if (secret !== "ada.logs" && secret !== typed) for (const text of said) assert.notInclude(text, secret)
  }
})
