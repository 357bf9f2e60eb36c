/** A new secret over the wire: the one before it still opens, and nothing older or foreign does. */
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { cookiesOf } from "../support/ask.ts"
import { freshDatabaseFacts } from "../support/database.ts"
import { openPostOffice } from "../support/post-office.ts"
import type { PostOffice } from "../support/post-office.ts"
import { clearAway, eventually, launch, newFolder, serve } from "../support/program.ts"
import type { Environment, Program } from "../support/program.ts"

const PASSWORD = "correct horse battery staple"

const [OLD, NEW, FOREIGN] = ["the first secret", "the second secret", "somebody else’s"].map((name) => `${name}, of thirty-two bytes`) as [string, string, string]

const scope = Scope.makeUnsafe()
let post: PostOffice
let environment: Environment

beforeAll(async () => {
  const { database, host, username } = await Effect.runPromise(Scope.provide(scope)(freshDatabaseFacts))
  post = await openPostOffice()
  environment = {
    SVC_DATABASE_URL: `postgres://${username}@localhost/${database}?host=${host}`,
    SVC_SMTP_URL: post.url,
    SVC_BASE_URL: "http://svc.localhost",
    SVC_DATA_DIR: newFolder()
  }
}, 30_000)

afterAll(async () => {
  await clearAway()
  await post?.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
}, 90_000)

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
  await eventually("the mail sealed with the old secret arrives", () => post.lettersTo("late@example.com").length === 1, 60)
  await rotated.end()

  const later = await serve({ ...environment, SVC_SECRET: NEW })
  assert.strictEqual(await me(later, old), 401)
  assert.strictEqual(await me(later, fresh), 200)
  await later.end()

  const foreign = await serve({ ...environment, SVC_SECRET: FOREIGN, SVC_SECRET_PREVIOUS: OLD })
  assert.strictEqual(await me(foreign, fresh), 401)
  assert.strictEqual(await me(foreign, old), 200)
}, 120_000)

it("a secret that is too short stops the start, and is not printed", async () => {
  const { code, stderr } = await launch("serve", { ...environment, SVC_SECRET: NEW, SVC_SECRET_PREVIOUS: "hunter2 was here" }).ended
  assert.strictEqual(code, 1)
  assert.match(stderr, /^svc: SVC_SECRET_PREVIOUS holds 16 characters \(hidden\); it wants at least 32 bytes\.\n$/)
}, 30_000)
