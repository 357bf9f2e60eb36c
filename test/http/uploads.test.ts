/** Large, lying, endless and broken uploads to the program itself: what it holds in memory, what it keeps, and how it stops meanwhile. */
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import type { ClientRequest, IncomingMessage } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, assert, beforeAll, it } from "vitest"
import { clearAway, demoToken, eventually, newFolder, serve } from "../support/program.ts"
import type { Program } from "../support/program.ts"
import { rawZip } from "../support/zips.ts"

const MB = 1024 * 1024
/** The demo account's plan. */
const CAP = 500 * MB
const CHUNK = Buffer.alloc(256 * 1024, "The same line again and again, as long as anybody listens.\n")
/** Enough of an MP4 to be recognised as one. */
const HEAD = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypisom"), Buffer.from([0, 0, 2, 0]), Buffer.from("isomiso2")])

let dataDir: string
let program: Program
let bearer: { readonly authorization: string }

beforeAll(async () => {
  dataDir = newFolder()
  program = await serve({ SVC_DATA_DIR: dataDir })
  bearer = { authorization: `Bearer ${demoToken(program)}` }
})
afterAll(clearAway)

const memory = (field: "VmHWM" | "VmRSS"): number =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${program.pid}/status`, "utf8"))![1]) / 1024

/** Resets the high-water mark of its memory. */
const forgetPeak = () => writeFileSync(`/proc/${program.pid}/clear_refs`, "5")

interface Upload {
  readonly outgoing: ClientRequest
  readonly answer: Promise<IncomingMessage>
}

const begin = (slug: string, headers: Record<string, string | number> = {}): Upload => {
  const { port } = program
  const outgoing = request({
    host: "127.0.0.1", port, method: "PUT", path: `/v1/projects/${slug}`, agent: false,
    headers: { host: `svc.localhost:${port}`, ...bearer, "content-type": "video/mp4", ...headers }
  })
  const answer = new Promise<IncomingMessage>((resolve, reject) => outgoing.once("response", resolve).on("error", reject))
  answer.catch(() => undefined)
  return { outgoing, answer }
}

/** Writes so many bytes, never holding more than the socket asks for, until all are sent or an answer comes. */
const send = async ({ answer, outgoing }: Upload, bytes: number): Promise<number> => {
  let answered = false
  const over = answer.then(() => (answered = true), () => (answered = true))
  let sent = 0
  outgoing.on("error", () => undefined)
  for (let chunk = HEAD; sent < bytes && !answered; chunk = CHUNK) {
    const part = chunk.subarray(0, bytes - sent)
    sent += part.length
    if (!outgoing.write(part)) await Promise.race([over, new Promise((resolve) => outgoing.once("drain", resolve))])
  }
  return sent
}

const upload = async (slug: string, bytes: number) => {
  const begun = begin(slug, { "content-length": bytes })
  await send(begun, bytes)
  begun.outgoing.end()
  const answer = await begun.answer
  return { status: answer.statusCode, body: await text(answer) }
}

/** The head of an answer; the body is not read. */
const slowRead = (slug: string, length: number) => {
  const { port } = program
  const headers = { host: `${slug}.svc.localhost:${port}`, range: `bytes=0-${length - 1}`, connection: "keep-alive" }
  return new Promise<IncomingMessage>((resolve, reject) => request({ host: "127.0.0.1", port, headers, agent: false }).once("response", resolve).once("error", reject).end())
}

const page = (slug: string, headers: Record<string, string> = {}, path = "/") => program.ask(path, { host: `${slug}.svc.localhost`, headers })
/** Uploads here are videos without a name of their own. */
const film = (slug: string, headers?: Record<string, string>) => page(slug, headers, "/_svc/raw/video.mp4")
const put = (slug: string, body: string) =>
  program.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...bearer, "content-type": "text/html" } })
const versions = async (slug: string) => (await program.ask(`/v1/projects/${slug}`, { headers: bearer })).json?.versions?.length as number | undefined

const blobs = (folder: "scratch" | "packs"): ReadonlyArray<string> =>
  readdirSync(join(dataDir, "blobs", folder), { recursive: true, encoding: "utf8" }).filter((name) => name.includes("-"))

/** What a failed upload must leave: nothing under way, nothing new stored, the old version served. */
const untouched = async (slug: string, packs: ReadonlyArray<string>, old: string) => {
  await eventually("the scratch folder is empty", () => blobs("scratch").length === 0)
  assert.deepStrictEqual(blobs("packs"), packs)
  assert.strictEqual(await versions(slug), 1)
  assert.strictEqual((await page(slug)).text, old)
}

it("takes 500 MB without holding them, and an endless body up to the cap, whose sender can read the refusal", async (test) => {
  if (process.platform !== "linux") test.skip("memory is read from /proc")
  assert.strictEqual((await upload("warm", 64 * MB)).status, 201)
  const baseline = memory("VmRSS")
  forgetPeak()
  const taken = await upload("large", CAP)
  assert.strictEqual(taken.status, 201, taken.body)
  const grownByUpload = memory("VmHWM") - baseline
  const tail = await film("large", { range: "bytes=-59" })
  assert.strictEqual(tail.headers["content-range"], `bytes ${CAP - 59}-${CAP - 1}/${CAP}`)

  const packs = blobs("packs")
  forgetPeak()
  const endless = begin("endless")
  const sent = await send(endless, Infinity)
  const refused = await endless.answer
  assert.strictEqual(refused.statusCode, 413)
  const { error } = JSON.parse(await text(refused))
  assert.deepInclude(error, { code: "upload_too_large", details: { limit_bytes: CAP } })
  await eventually("the connection is closed", () => endless.outgoing.socket === null || endless.outgoing.socket.destroyed)
  const grownByEndless = memory("VmHWM") - baseline
  await eventually("the scratch folder is empty", () => blobs("scratch").length === 0)
  assert.deepStrictEqual(blobs("packs"), packs)
  assert.isUndefined(await versions("endless"))
  console.log(
    `uploads: over a warm ${Math.round(baseline)} MB, a 500 MB upload took ${Math.round(grownByUpload)} MB more memory ` +
      `and an endless one, refused after ${Math.round(sent / MB)} MB, ${Math.round(grownByEndless)} MB`
  )
  assert.isAtMost(Math.max(grownByUpload, grownByEndless), 64)
})

it("leaves nothing of an upload whose sender goes away or says less than it promised", async () => {
  await put("kept", "the old version")
  const packs = blobs("packs")
  const aborted = begin("kept", { "content-length": 8 * MB })
  await send(aborted, 4 * MB)
  await eventually("the upload is on the disk", () => blobs("scratch").length === 1)
  aborted.outgoing.destroy()
  await untouched("kept", packs, "the old version")

  const chunked = begin("kept")
  await send(chunked, 4 * MB)
  await eventually("the upload is on the disk", () => blobs("scratch").length === 1)
  chunked.outgoing.destroy()
  await untouched("kept", packs, "the old version")
})

/** Sends these bytes over a socket and returns everything received until it is closed. */
const raw = (head: ReadonlyArray<string>, body: string, half = false) =>
  new Promise<string>((resolve, reject) => {
    let heard = ""
    const socket = connect({ host: "127.0.0.1", port: program.port, allowHalfOpen: true }, () => {
      socket.write([...head, `Host: svc.localhost:${program.port}`, `Authorization: ${bearer.authorization}`, "Content-Type: text/html", "", body].join("\r\n"))
      if (half) socket.end()
    })
    socket.on("data", (bytes) => (heard += String(bytes))).on("error", reject).on("end", () => socket.end()).on("close", () => resolve(heard))
  })

it("believes no lying Content-Length", async () => {
  await put("length", "the old version")
  const packs = blobs("packs")
  const over = begin("length", { "content-length": CAP + 1 })
  over.outgoing.on("error", () => undefined).write(HEAD)
  const refused = await over.answer
  assert.strictEqual(refused.statusCode, 413)
  assert.strictEqual(JSON.parse(await text(refused)).error.code, "upload_too_large")
  over.outgoing.destroy()

  const line = "PUT /v1/projects/length HTTP/1.1"
  assert.notMatch(await raw([line, "Content-Length: 1000"], "ten bytes.", true), /^HTTP\/1\.1 2/)
  assert.match(await raw([line, "Content-Length: 10", "Transfer-Encoding: chunked"], "2\r\nhi\r\n0\r\n\r\n"), /^HTTP\/1\.1 400/)
  assert.match(await raw([line, "Content-Length: 10", "Content-Length: 12"], "ten bytes.12"), /^HTTP\/1\.1 400/)
  assert.match(await raw([line, "Content-Length: -1"], ""), /^HTTP\/1\.1 400/)
  await untouched("length", packs, "the old version")
  // Bytes beyond the promised length are not part of the body; they break the connection, before or after the body is stored.
  assert.match(await raw([line, "Content-Length: 10"], "ten bytes.and more"), /HTTP\/1\.1 400/)
  assert.isTrue((await page("length")).text === "the old version" || (await film("length")).text === "ten bytes.")
})

it("finishes what is under way after SIGTERM, takes no new connections, and ends with 0", async () => {
  await put("reader", "x".repeat(8 * MB))
  const begun = begin("last", { "content-length": 8 * MB, connection: "keep-alive" })
  await send(begun, 4 * MB)
  await eventually("the upload is on the disk", () => blobs("scratch").length === 1)
  // The last bytes of some still wait for their readers when everything else is done.
  const reads = await Promise.all(Array.from({ length: 64 }, (_, at) => 8 * MB - at * 128 * 1024).map(async (length) => ({ length, answer: await slowRead("reader", length) })))

  const stopped = program.end("SIGTERM")
  await eventually("new connections are refused", () => program.ask("/healthz").then(() => false, (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED"))
  // Longer than the job engine takes to look around.
  await wait(1_500)
  for (const { answer, length } of reads) assert.strictEqual((await text(answer)).length, length)
  for (let sent = 4 * MB; sent < 8 * MB; sent += CHUNK.length) begun.outgoing.write(CHUNK)
  begun.outgoing.end()
  const answer = await begun.answer
  assert.strictEqual(answer.statusCode, 201)
  assert.strictEqual(answer.headers.connection, "close")
  assert.strictEqual(JSON.parse(await text(answer)).slug, "last")
  const answered = performance.now()
  const { code, stderr, stdout } = await stopped
  assert.deepStrictEqual([code, stderr], [0, ""])
  assert.notInclude(stdout, "runners", "a stop is nothing to warn of")
  // Neither waits for the other end to close a keep-alive connection.
  assert.isBelow(performance.now() - answered, 20_000)

  program = await serve({ SVC_DATA_DIR: dataDir })
  assert.strictEqual((await film("last")).bytes.length, 8 * MB)
})

it("a stop waits no longer for a head that is half sent than anybody would", async () => {
  let told = ""
  // The client reads its answer and never closes: that is not waited for either.
  const socket = connect({ port: program.port, host: "127.0.0.1", allowHalfOpen: true }, () => socket.write("GET /healthz HTTP/1.1\r\nHost: svc.loc"))
  socket.on("data", (chunk) => (told += String(chunk))).on("error", () => {})
  // Whoever comes later is served, so this one was heard too.
  await once(socket, "ready")
  assert.strictEqual((await program.ask("/healthz")).status, 200)
  const begun = performance.now()
  const { code } = await program.end("SIGTERM")
  assert.strictEqual(code, 0)
  assert.isBelow(performance.now() - begun, 45_000)
  assert.match(told, /^HTTP\/1\.1 408 /)
  socket.destroy()
  program = await serve({ SVC_DATA_DIR: dataDir })
})

it("stops in order where its terminal is closed, and leaves no PostgreSQL behind", async () => {
  const postmaster = join(dataDir, "postgres/postmaster.pid")
  const pid = Number(readFileSync(postmaster, "utf8").split("\n")[0])
  const { code, stderr } = await program.end("SIGHUP")
  assert.deepStrictEqual([code, stderr, existsSync(postmaster)], [0, "", false])
  assert.throws(() => process.kill(pid, 0), /ESRCH/)
  program = await serve({ SVC_DATA_DIR: dataDir })
})

it("answers others while it tells the files of a zip apart that is made to be slow", async () => {
  assert.strictEqual((await put("neighbour", "still here")).status, 201)
  // Each could name its encoding at hundreds of places, and does at none.
  const style = (at: number) => Buffer.concat([Buffer.from("<meta ".repeat(660)), Buffer.from(`${randomBytes(32).toString("hex")} ${at} \xc3\xa9\xff`, "latin1")])
  const zip = rawZip([{ name: "index.html", data: "<p>hi" }, ...Array.from({ length: 9_000 }, (_, at) => ({ name: `${at}.css`, data: style(at) }))])
  const begun = begin("slow", { "content-type": "application/zip", "content-length": zip.length })
  begun.outgoing.end(zip)
  const began = performance.now()
  const waits: Array<number> = []
  let over = false
  const answered = begun.answer.finally(() => (over = true))
  while (!over) {
    const asked = performance.now()
    assert.strictEqual((await page("neighbour")).text, "still here")
    waits.push(performance.now() - asked)
  }
  const whole = performance.now() - began
  const answer = await answered
  assert.strictEqual(answer.statusCode, 201, await text(answer))
  console.log(`uploads: ${waits.length} pages were answered in the ${Math.round(whole)} ms of a slow zip, the longest wait was ${Math.round(Math.max(...waits))} ms`)
  assert.isBelow(Math.max(...waits), whole / 2)
})
