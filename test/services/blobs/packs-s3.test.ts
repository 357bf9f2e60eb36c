/** Packs in a bucket: the contract against an S3 double, and what only a network can do wrong. */
import { assert, describe, it } from "@effect/vitest"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer, request } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { Deferred, Effect, Fiber, Layer, Logger, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { PackStore } from "../../../src/domain/projects/store.ts"
import { PacksS3 } from "../../../src/services/blobs/packs-s3.ts"
import { bucketDouble, withBucketKeys } from "../../support/bucket.ts"
import { eventually } from "../../support/program.ts"
import { chunksOf, freshId, packsContract } from "./packs-contract.ts"

const MB = 1024 * 1024
const bucket = "packs"

withBucketKeys()

const double = bucketDouble(bucket)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "packs-s3-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Without `said`, no pack was ever wiped or removed by another instance. */
const store = (port: number, scratchDir: string, cacheBytes: number, said?: ReadonlyMap<string, string | null>) =>
  PacksS3({ bucket, endpoint: `http://127.0.0.1:${port}`, forcePathStyle: true, scratchDir, cacheBytes }).pipe(
    Layer.provide(Layer.mock(PackStore, { marks: (ids) => Effect.succeed(said ?? new Map(ids.map((id) => [id, null]))) }))
  )

const withDouble = (cacheBytes: number) =>
  Layer.unwrap(Effect.gen(function*() {
    return Layer.orDie(store((yield* double).port, yield* folder, cacheBytes))
  }))

packsContract("packs in a bucket", withDouble(64 * MB))
packsContract("packs in a bucket, with a cache too small to help", withDouble(MB))

type Meddle = (method: string, url: string) => "pass" | "refuse" | "hang" | "cut"

/** Stands between the store and the double, sees every request and may break it. */
const wire = Effect.fnUntraced(function*(port: number) {
  const seen: Array<string> = []
  const control: { meddle: Meddle; until: (line: string) => Promise<void>; onEnd: (line: string) => void; conditional: (url: string) => number | undefined } =
    { meddle: () => "pass", until: () => Promise.resolve(), onEnd: () => undefined, conditional: () => undefined }
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const line = `${incoming.method} ${incoming.url}`
    seen.push(line)
    await control.until(line)
    const verdict = control.meddle(incoming.method!, incoming.url!)
    // The double ignores conditions on writes.
    const refused = incoming.method === "PUT" && incoming.headers["if-none-match"] === "*" ? control.conditional(incoming.url!) : undefined
    if (refused !== undefined) {
      incoming.resume()
      return void outgoing.writeHead(refused).end()
    }
    if (verdict === "hang") return void incoming.resume()
    if (verdict === "refuse") {
      incoming.resume()
      return void outgoing.writeHead(500).end()
    }
    const { headers, method, url: path } = incoming
    const onward = request({ host: "127.0.0.1", port, method, path, headers }, (answered) => {
      outgoing.writeHead(answered.statusCode!, answered.headers)
      if (verdict === "cut") return void answered.once("data", (some: Buffer) => outgoing.write(some, () => outgoing.destroy()))
      answered.pipe(outgoing).on("finish", () => control.onEnd(line))
    })
    onward.on("error", () => outgoing.destroy())
    incoming.pipe(onward)
  }
  // It never says "100 Continue", as some stores and proxies do not: who waits for that waits in vain.
  const server = createServer(answer).on("checkContinue", answer)
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () => Effect.sync(() => (server.closeAllConnections(), server.close()))
  )
  return { port: (server.address() as AddressInfo).port, seen, control }
})

const scene = Effect.gen(function*() {
  const root = yield* folder
  const between = yield* wire((yield* double).port)
  const services = yield* Layer.build(store(between.port, root, 64 * MB))
  return { root, ...between, packs: yield* Effect.provide(Packs, services) }
})

const keep = (packs: Packs["Service"], bytes: Uint8Array, id: string) =>
  Effect.scoped(Effect.gen(function*() {
    const draft = yield* packs.draft
    return yield* draft.keep(id, [yield* draft.append(chunksOf(bytes), bytes.length)])
  }))

describe("packs in a bucket, when things go wrong", () => {
  it.live("reads each block once, and from the cache when the store is gone", () =>
    Effect.gen(function*() {
      const { control, packs, seen } = yield* scene
      const [id, bytes] = [freshId(), randomBytes(3 * MB)]
      yield* keep(packs, bytes, id)
      const read = packs.slice(id, 10_000, 2 * MB)
      const all = yield* Effect.all(Array.from({ length: 20 }, () => read), { concurrency: "unbounded" })
      for (const got of all) assert.isTrue(bytes.subarray(10_000, 10_000 + 2 * MB).equals(got))
      assert.strictEqual(seen.filter((line) => line.startsWith("GET")).length, 3)
      control.meddle = () => "refuse"
      assert.isTrue(bytes.subarray(10_000, 10_000 + 2 * MB).equals(yield* read))
      assert.strictEqual((yield* Effect.flip(packs.ready))._tag, "unavailable")
      assert.strictEqual((yield* Effect.flip(packs.slice(freshId(), 0, 1)))._tag, "unavailable")
      assert.strictEqual((yield* Effect.flip(keep(packs, bytes, freshId())))._tag, "unavailable")
    }).pipe(Effect.scoped))

  it.live("whoever keeps or reads has a connection, however many others wait for a busy store", () =>
    Effect.gen(function*() {
      const { control, packs, seen } = yield* scene
      const packed = Array.from({ length: 60 }, freshId)
      /** Answers nobody before all are there. */
      const together = <A, E>(begin: string, one: (id: string) => Effect.Effect<A, E>) => {
        const all = Promise.withResolvers<void>()
        control.until = () => {
          if (seen.filter((line) => line.startsWith(begin)).length === packed.length) all.resolve()
          return all.promise
        }
        return Effect.forEach(packed, one, { concurrency: "unbounded" })
      }
      yield* together("PUT", (id) => keep(packs, Buffer.from(id), id))
      const read = yield* together("GET", (id) => packs.slice(id, 0, id.length))
      assert.deepStrictEqual(read.map(String), packed)
    }).pipe(Effect.scoped))

  it.live("six large packs are on their way at once, and a small one does not wait behind them", () =>
    Effect.gen(function*() {
      const { control, packs, seen } = yield* scene
      const bytes = randomBytes(24 * MB)
      const arrived = Promise.withResolvers<void>()
      control.until = (line) => line.includes("partNumber=") ? arrived.promise : Promise.resolve()
      const large = yield* Effect.forkChild(Effect.forEach(Array.from({ length: 8 }, freshId), (id) => keep(packs, bytes, id), { concurrency: "unbounded" }))
      const begun = () => seen.filter((line) => /^POST .*uploads/.test(line)).length
      yield* Effect.promise(() => eventually("six are begun", () => begun() === 6))
      yield* keep(packs, bytes.subarray(0, MB - 1), freshId())
      assert.strictEqual(begun(), 6)
      arrived.resolve()
      yield* Fiber.join(large)
      assert.strictEqual(begun(), 8)
    }).pipe(Effect.scoped))

  it.live("a long stream takes what is cached, and pushes nothing out of it", () =>
    Effect.gen(function*() {
      const between = yield* wire((yield* double).port)
      const packs = yield* Effect.provide(Packs, yield* Layer.build(store(between.port, yield* folder, 3 * MB)))
      const [often, archive] = [{ id: freshId(), bytes: randomBytes(MB) }, { id: freshId(), bytes: randomBytes(10 * MB) }]
      for (const { bytes, id } of [often, archive]) yield* keep(packs, bytes, id)
      const page = packs.slice(often.id, 100, 1000)
      yield* Stream.runDrain(packs.read(often.id, 0, MB))
      yield* packs.slice(archive.id, 4 * MB + 7, 5)
      const asked = () => between.seen.filter((line) => line.startsWith("GET")).length
      assert.strictEqual(asked(), 2)
      for (const round of [1, 2]) {
        const read = Buffer.concat([...(yield* Stream.runCollect(packs.read(archive.id, 1, 10 * MB - 1)))])
        assert.isTrue(archive.bytes.subarray(1).equals(read))
        assert.strictEqual(asked(), 2 + 9 * round, "all blocks but the one that is here")
        assert.isTrue(often.bytes.subarray(100, 1100).equals(yield* page))
        assert.strictEqual(asked(), 2 + 9 * round)
      }
    }).pipe(Effect.scoped))

  it.live("asks again when an answer breaks off, three times in all", () =>
    Effect.gen(function*() {
      const { control, packs, seen } = yield* scene
      const [id, bytes] = [freshId(), randomBytes(MB)]
      yield* keep(packs, bytes, id)
      const asked = () => seen.filter((line) => line.startsWith("GET")).length
      control.meddle = () => asked() < 3 ? "cut" : "pass"
      assert.isTrue(bytes.equals(yield* packs.slice(id, 0, MB)))
      assert.strictEqual(asked(), 3)
      const other = freshId()
      control.meddle = () => "pass"
      yield* keep(packs, bytes, other)
      control.meddle = () => "cut"
      assert.strictEqual((yield* Effect.flip(packs.slice(other, 0, MB)))._tag, "unavailable")
      assert.strictEqual(asked(), 6)
    }).pipe(Effect.scoped))

  it.live("a part that fails aborts the upload and leaves nothing", () =>
    Effect.gen(function*() {
      const { control, packs, root, seen } = yield* scene
      control.meddle = (method, url) => method === "PUT" && url.includes("partNumber=2") ? "refuse" : "pass"
      assert.strictEqual((yield* Effect.flip(keep(packs, randomBytes(20 * MB), freshId())))._tag, "unavailable")
      assert.isTrue(seen.some((line) => line.startsWith("DELETE") && line.includes("uploadId=")))
      assert.deepStrictEqual(readdirSync(join(root, "scratch")), [])
      assert.strictEqual((yield* Stream.runCollect(packs.list)).length, 0)
    }).pipe(Effect.scoped))

  it.live("a pack that is thinned is written in parts, and as it was where one of them fails", () =>
    Effect.gen(function*() {
      const { control, packs, seen } = yield* scene
      const [id, bytes] = [freshId(), randomBytes(20 * MB)]
      yield* keep(packs, bytes, id)
      const [dead, living] = [{ offset: 0, length: 9 * MB }, { offset: 9 * MB, length: 11 * MB, hash: createHash("sha256").update(bytes.subarray(9 * MB)).digest("hex") }]
      assert.isTrue(bytes.subarray(0, 5).equals(yield* packs.slice(id, 0, 5)))
      control.meddle = (method, url) => method === "PUT" && url.includes("partNumber=2") ? "refuse" : "pass"
      assert.strictEqual((yield* Effect.flip(packs.thin(id, [dead], [living])))._tag, "unavailable")
      control.meddle = () => "pass"
      const begun = seen.length
      assert.isFalse(yield* packs.thin(id, [dead], [{ ...living, hash: living.hash.replaceAll(/[0-7]/g, "8") }]))
      assert.isTrue(seen.slice(begun).some((line) => line.startsWith("DELETE") && line.includes("uploadId=")))
      assert.isTrue(bytes.equals(Buffer.concat([...yield* Stream.runCollect(packs.read(id, 0, 20 * MB))])))
      assert.isTrue(yield* packs.thin(id, [dead], [living]))
      // What lay in the cache is the old one's.
      assert.isTrue(Buffer.alloc(9 * MB).equals(yield* packs.slice(id, 0, 9 * MB)))
      assert.isTrue(bytes.subarray(9 * MB).equals(yield* packs.slice(id, 9 * MB, 11 * MB)))
    }).pipe(Effect.scoped))

  it.effect("what another instance removed or thinned leaves the cache within the hour, and nothing else does", () =>
    Effect.gen(function*() {
      const { packs: other, port, seen } = yield* scene
      const [root, said] = [yield* folder, new Map<string, string | null>()]
      const packs = yield* Effect.provide(Packs, yield* Layer.build(store(port, root, 64 * MB, said)))
      const [stays, gone, thinned] = [freshId(), freshId(), freshId()]
      const ids = [stays, gone, thinned]
      for (const id of ids) {
        yield* keep(other, randomBytes(MB), id)
        said.set(id, null)
        yield* packs.slice(id, 0, 5)
      }
      const cached = () => readdirSync(join(root, "scratch"), { recursive: true }).flatMap((name) => ids.filter((id) => String(name).includes(id))).sort()
      const holds = (some: ReadonlyArray<string>) => Effect.promise(() => eventually(`of three packs it holds ${some.length}`, () => isDeepStrictEqual(cached(), some)))
      const anHourLater = (left: ReadonlyArray<string>) => Effect.andThen(TestClock.adjust("1 hour"), holds(left))
      yield* holds(ids)
      yield* other.remove(gone)
      said.delete(gone)
      // It is about to be thinned, and read once more before.
      said.set(thinned, "1 since")
      yield* anHourLater([stays])
      const before = yield* packs.slice(thinned, 0, MB)
      const [dead, living] = [{ offset: 0, length: 1000 }, { offset: 1000, length: MB - 1000, hash: createHash("sha256").update(before.subarray(1000)).digest("hex") }]
      assert.isTrue(yield* other.thin(thinned, [dead], [living]))
      said.set(thinned, "1")
      yield* anHourLater([stays])
      assert.isTrue(Buffer.alloc(1000).equals(yield* packs.slice(thinned, 0, 1000)))
      const asked = seen.length
      yield* anHourLater([stays, thinned])
      for (const id of [stays, thinned]) yield* packs.slice(id, 0, MB)
      assert.notMatch(seen.slice(asked).join(), new RegExp(`GET .*(?:${stays}|${thinned})`))
    }).pipe(Effect.scoped))

  it.live("an interrupted upload is aborted and leaves nothing", () =>
    Effect.gen(function*() {
      const { control, packs, root } = yield* scene
      const [begun, aborted] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      control.meddle = (method, url) => {
        if (method === "PUT" && url.includes("partNumber=2")) Deferred.doneUnsafe(begun, Effect.void)
        return "pass"
      }
      control.onEnd = (line) => {
        if (line.startsWith("DELETE") && line.includes("uploadId=")) Deferred.doneUnsafe(aborted, Effect.void)
      }
      const upload = yield* Effect.forkChild(keep(packs, randomBytes(20 * MB), freshId()))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(upload)
      yield* Deferred.await(aborted)
      assert.deepStrictEqual(readdirSync(join(root, "scratch")), [])
      assert.strictEqual((yield* Stream.runCollect(packs.list)).length, 0)
    }).pipe(Effect.scoped))

  it.live("a store that cannot be reached is said to be so within seconds, and is no reason not to start; the log has its words, and no trace", () => {
    const lines: Array<string> = []
    return Effect.gen(function*() {
      const services = yield* Layer.build(store(1, yield* folder, MB))
      const packs = yield* Effect.provide(Packs, services)
      assert.strictEqual((yield* Effect.flip(packs.ready))._tag, "unavailable")
      assert.strictEqual((yield* Effect.flip(packs.slice(freshId(), 0, 1)))._tag, "unavailable")
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(packs.list)))._tag, "unavailable")
      assert.lengthOf(lines, 3)
      for (const line of lines) {
        const { annotations, message } = JSON.parse(line)
        assert.match(message, /^Blob store: cannot /)
        assert.strictEqual(annotations.why, "Error: connect ECONNREFUSED 127.0.0.1:1")
      }
    }).pipe(Effect.provide(Logger.layer([Logger.make((options) => void lines.push(Logger.formatJson.log(options)))])), Effect.scoped)
  })

  it.live("one of many simultaneous claims wins if the store supports conditional writes; otherwise it is claimed without", () =>
    Effect.gen(function*() {
      const { control, packs } = yield* scene
      const written = new Set<string>()
      control.conditional = (url) => written.has(url) ? 412 : void written.add(url)
      const ids = Array.from({ length: 10 }, freshId)
      const claimed = yield* Effect.all(ids.map(packs.claim), { concurrency: "unbounded" })
      assert.strictEqual(new Set(claimed).size, 1)
      assert.deepStrictEqual(yield* packs.deployment, Option.some(claimed[0]!))

      const plain = yield* scene
      plain.control.conditional = () => 501
      assert.strictEqual(yield* plain.packs.claim("one"), "one")
      assert.strictEqual(yield* plain.packs.claim("other"), "one")
    }).pipe(Effect.scoped))

  it.live("a store that hangs is not ready, and says not whose it is", () =>
    Effect.gen(function*() {
      const { control, packs } = yield* scene
      control.meddle = () => "hang"
      const answers = yield* Effect.all([Effect.flip(packs.ready), Effect.flip(packs.deployment)], { concurrency: 2 })
      for (const { _tag } of answers) assert.strictEqual(_tag, "unavailable")
    }).pipe(Effect.scoped))
})
