/** The program with an external PostgreSQL, mail server and bucket, alone and as two instances that share them. */
import { Effect, Exit, Scope } from "effect"
import { startFauxqs } from "fauxqs"
import { afterAll, assert, beforeAll, it } from "vitest"
import { cookiesOf } from "../support/ask.ts"
import type { Question } from "../support/ask.ts"
import { freshDatabaseFacts } from "../support/database.ts"
import { comingAgain } from "../support/pair.ts"
import { PIXEL } from "../support/pngs.ts"
import { openPostOffice } from "../support/post-office.ts"
import type { PostOffice } from "../support/post-office.ts"
import { clearAway, eventually, newFolder, serve } from "../support/program.ts"
import type { Environment, Program } from "../support/program.ts"
import { zipOf } from "../support/zips.ts"

const PASSWORD = "correct horse battery staple"
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypisom"), Buffer.from([0, 0, 2, 0]), Buffer.from("isomiso2"), Buffer.alloc(2 * 1024 * 1024, "mp4")])

const scope = Scope.makeUnsafe()
let post: PostOffice
let bucket: Awaited<ReturnType<typeof startFauxqs>>
let environment: Environment
let one: Program
let two: Program
let bearer: { readonly authorization: string }

beforeAll(async () => {
  const { database, host, username } = await Effect.runPromise(Scope.provide(scope)(freshDatabaseFacts))
  post = await openPostOffice()
  bucket = await startFauxqs({ port: 0, logger: false })
  bucket.createBucket("pages")
  environment = {
    SVC_DATABASE_URL: `postgres://${username}@localhost/${database}?host=${host}`,
    SVC_SECRET: "a secret that both of them know, and nobody else",
    SVC_SMTP_URL: post.url,
    SVC_MAIL_FROM: "The House <house@example.com>",
    SVC_BASE_URL: "http://svc.localhost",
    SVC_S3_BUCKET: "pages",
    SVC_S3_ENDPOINT: `http://127.0.0.1:${bucket.port}`,
    SVC_S3_FORCE_PATH_STYLE: "true",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    SVC_TRUSTED_PROXY_HOPS: "1"
  }
  one = await serve({ ...environment, SVC_DATA_DIR: newFolder() })
})

afterAll(async () => {
  await clearAway()
  await Promise.all([post?.stop(), bucket?.stop()])
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

let clients = 0
/** A client address of its own, so that one try does not count against another. */
const from = () => ({ "x-forwarded-for": `10.0.0.${++clients}` })

const signUp = (program: Program, email: string, name = "Ada") =>
  program.ask("/v1/auth/signup", { json: { email, password: PASSWORD, name }, headers: from() })

const put = (program: Program, slug: string, body: string | Buffer, type = "text/html") =>
  program.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...bearer, "content-type": type } })

const page = (program: Program, slug: string, path = "/", headers: Question["headers"] = {}) =>
  program.ask(path, { host: `${slug}.svc.localhost`, headers })

const change = (program: Program, slug: string, json: unknown) =>
  program.ask(`/v1/projects/${slug}`, { method: "PATCH", json, headers: bearer })

it("sign up, verify by mail, sign in, publish every kind: as with everything of its own", async () => {
  const email = "ada@example.com"
  for (const name of ["Ada\r\nBcc: eve@example.com", "Ada\nX-Evil: 1"]) assert.strictEqual((await signUp(one, email, name)).status, 422)
  post.refuse(true)
  assert.strictEqual((await signUp(one, email, "<script>alert(1)</script>")).status, 202)
  await eventually("the mail is refused for now", () => post.attempts.length >= 1)
  post.refuse(false)
  await eventually("the mail arrives", () => post.lettersTo(email).length === 1)

  const [{ mail, raw, recipients }] = post.lettersTo(email) as [PostOffice["attempts"][0]]
  assert.deepStrictEqual(recipients, [email])
  assert.deepInclude(mail, { subject: "Confirm your email address", from: { name: "The House", address: "house@example.com" } })
  assert.match(mail.messageId!, /^<[0-9a-f-]{36}@svc\.localhost>$/)
  assert.deepStrictEqual(new Set(post.attempts.map((attempt) => attempt.mail.messageId)), new Set([mail.messageId]))
  const headers = mail.headers.map(({ key }) => key)
  assert.notInclude(headers, "bcc")
  assert.notInclude(raw.split("\r\n\r\n")[0]!, "script")
  assert.notInclude(mail.html!, "<script")
  const link = /http:\/\/svc\.localhost\/verify-email\?token=([\w%.-]+)/.exec(mail.text!)
  assert.include(mail.html!, `href="${link![0]}"`)

  const confirmed = await one.ask("/v1/auth/verify-email/confirm", { json: { token: decodeURIComponent(link![1]!) } })
  assert.deepStrictEqual(confirmed.json, { status: "ok", email })
  const login = await one.ask("/v1/auth/login", { json: { email, password: PASSWORD }, headers: from() })
  assert.strictEqual(login.json.email_verified, true)
  const made = await one.ask("/v1/tokens", { json: { label: "tests" }, headers: { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token } })
  bearer = { authorization: `Bearer ${made.json.token}` }

  const kinds: ReadonlyArray<readonly [kind: string, type: string, body: string | Buffer]> = [
    ["site", "text/html", "<h1>Hi</h1>"], ["markdown", "text/markdown", "# Hi\n\n```js\nlet a = 1\n```\n"], ["text", "text/plain", "plain words"], ["data", "text/csv", "a,b\n1,2\n"],
    ["pdf", "application/pdf", "%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF"], ["image", "image/png", PIXEL], ["video", "video/mp4", MP4]
  ]
  for (const [kind, type, body] of kinds) {
    const published = await put(one, `${kind}-kind`, body, type)
    assert.deepInclude(published.json, { kind, version: 1, url: `http://${kind}-kind.svc.localhost` }, published.text)
    const bytes = Buffer.from(body as string)
    const opened = await page(one, `${kind}-kind`)
    // By the thread that is built in, with a grammar that is not; no reader waits for it long.
    if (kind === "markdown") await eventually("its code is in colours", () => page(one, `${kind}-kind`).then(({ text }) => text.includes("t-keyword")))
    const source = kind === "site" ? "/" : /data-src="([^"]+)"/.exec(opened.text)![1]!
    assert.isTrue((await page(one, `${kind}-kind`, source)).bytes.equals(bytes))
    const part = await page(one, `${kind}-kind`, source, { range: `bytes=1-${bytes.length - 2}` })
    assert.deepStrictEqual([part.status, part.headers["content-range"]], [206, `bytes 1-${bytes.length - 2}/${bytes.length}`])
    assert.isTrue(part.bytes.equals(bytes.subarray(1, -1)))
  }
  await put(one, "zip-kind", await zipOf({ "index.html": "home", "about.html": "about" }), "application/zip")
  assert.strictEqual((await page(one, "zip-kind", "/about")).text, "about")

  for (const path of ["/_dev/mail", "/_dev/mail/"]) assert.strictEqual((await one.ask(path)).status, 404)
  assert.notInclude(one.stdout(), "/_dev/mail")
  // Only the embedded default also answers by this name; balancers use it for health checks.
  assert.deepStrictEqual([(await one.ask("/docs", { host: "localhost" })).status, (await one.ask("/healthz", { host: "localhost" })).status], [404, 200])
  const ready = () => one.ask("/readyz").then(({ json, status }) => status === 200 && json)
  assert.deepStrictEqual(await eventually("it is ready", ready), { status: "ok", database: "ok", blobs: "ok" })
})

const apart = async () => {
  const both = [one, two]
  const pick = (index: number) => both[index % 2]!
  for (let round = 0; round < 20; round++) {
    const [here, there] = [pick(round), pick(round + 1)]
    assert.isBelow((await comingAgain(() => put(here, "shared", `round ${round}`))).status, 300)
    assert.strictEqual((await page(there, "shared")).text, `round ${round}`)
    await comingAgain(() => change(here, "shared", { visibility: "private" }))
    assert.strictEqual((await page(there, "shared")).status, 403)
    await comingAgain(() => change(there, "shared", { visibility: "public" }))
    assert.strictEqual((await page(here, "shared")).status, 200)
  }

  const races = await Promise.all(Array.from({ length: 100 }, (_, index) => comingAgain(() => put(pick(index), "raced", `racer ${index}`))))
  const versions = races.map((answer) => answer.json.version as number)
  assert.deepStrictEqual([...versions].sort((a, b) => a - b), Array.from({ length: 100 }, (_, index) => index + 1))
  assert.strictEqual(races.filter((answer) => answer.status === 201).length, 1)
  for (const program of both) assert.strictEqual((await page(program, "raced")).text, `racer ${versions.indexOf(100)}`)

  const headers = from()
  const logins = await Promise.all(Array.from({ length: 100 }, (_, index) =>
    pick(index).ask("/v1/auth/login", { json: { email: "ada@example.com", password: PASSWORD }, headers })))
  assert.strictEqual(logins.filter((answer) => answer.status === 200).length, 5)
  assert.strictEqual(logins.filter((answer) => answer.status === 429).length, 95)
  const cookie = cookiesOf(logins.find((answer) => answer.status === 200)!)
  for (const program of both) assert.strictEqual((await program.ask("/v1/me", { headers: { cookie } })).status, 200)
}

const people = (stem: string, count: number) => Array.from({ length: count }, (_, index) => `${stem}-${index}@example.com`)
const sentBy = (program: Program) => (program.stdout().match(/mail sent/g) ?? []).length

it("two on one database and bucket act as one: at once, exactly, when one is killed, when one is stopped, and when the bucket is away", async () => {
  two = await serve({ ...environment, SVC_DATA_DIR: newFolder() })
  await apart()

  const before = people("before", 8)
  for (const [index, email] of before.entries()) assert.strictEqual((await signUp(index % 2 === 0 ? one : two, email)).status, 202)
  await eventually("their mails arrive", () => before.every((email) => post.lettersTo(email).length > 0))
  const shares = [sentBy(one), sentBy(two)]

  post.refuse(true)
  const stranded = people("stranded", 12)
  for (const [index, email] of stranded.entries()) await signUp(index % 2 === 0 ? one : two, email)
  const tried = () => new Set(post.attempts.filter(({ taken }) => !taken).flatMap(({ recipients }) => recipients))
  await eventually("every mail is tried by somebody", () => stranded.every((email) => tried().has(email)))
  await one.end("SIGKILL")
  const killed = performance.now()
  post.refuse(false)
  const after = people("after", 4)
  for (const email of after) assert.strictEqual((await signUp(two, email)).status, 202)
  await eventually("the other one delivers them all", () => [...stranded, ...after].every((email) => post.lettersTo(email).length > 0))
  const seconds = (performance.now() - killed) / 1000

  assert.strictEqual((await page(two, "shared")).status, 200)
  assert.isBelow((await put(two, "shared", "still here")).status, 300)

  post.refuse(true)
  const waiting = people("waiting", 4)
  for (const email of waiting) await signUp(two, email)
  await eventually("every mail is tried", () => waiting.every((email) => tried().has(email)))
  const asked = performance.now()
  const { code, stderr } = await two.end()
  assert.deepStrictEqual([code, stderr], [0, ""])
  // A mail that waits for its next try does not delay the stop.
  assert.isBelow(performance.now() - asked, 20_000)
  const three = await serve({ ...environment, SVC_DATA_DIR: newFolder(), SVC_DRAIN_SECONDS: "8" })
  post.refuse(false)
  await eventually("the next one delivers them", () => waiting.every((email) => post.lettersTo(email).length > 0))
  for (const email of [...before, ...stranded, ...after, ...waiting]) assert.strictEqual(post.lettersTo(email).length, 1, email)

  await page(three, "shared")
  await bucket.stop()
  const lost = await put(three, "unreachable", "nowhere to keep it")
  assert.deepStrictEqual([lost.status, lost.json.error.code, lost.headers["retry-after"]], [503, "unavailable", "2"])
  assert.strictEqual((await three.ask("/v1/projects/unreachable", { headers: bearer })).status, 404)
  assert.strictEqual((await page(three, "shared")).text, "still here")
  const ready = await eventually("the database is there", () => three.ask("/readyz").then((answer) => answer.json.database === "ok" && answer))
  assert.deepStrictEqual([ready.status, ready.json], [503, { status: "unavailable", database: "ok", blobs: "unavailable" }])

  // Told to stop, it sends balancers elsewhere, and goes on answering those that still come.
  const ended = three.end()
  const told = await eventually("it says that it stops", () => three.ask("/readyz").then((answer) => answer.json.status === "stopping" && answer))
  assert.deepStrictEqual([told.status, told.headers["retry-after"]], [503, "2"])
  const served = await page(three, "shared", "/", { connection: "keep-alive" })
  assert.deepStrictEqual([served.text, served.headers.connection], ["still here", "close"])
  // What is asked for meanwhile is done here: no other instance works.
  assert.strictEqual((await signUp(three, "draining@example.com")).status, 202)
  const { code: last } = await ended
  assert.deepStrictEqual([last, post.lettersTo("draining@example.com").length], [0, 1])
  console.log(
    `elsewhere: two instances agreed in 20 rounds, 100 PUTs of one slug and 100 logins (5 let in); they sent ${shares.join(" and ")} mails; ` +
      `of ${stranded.length} mails under way when one was killed the other delivered every one, once, within ${seconds.toFixed(1)} s; ` +
      `${waiting.length} more outlived an orderly stop`
  )
})
