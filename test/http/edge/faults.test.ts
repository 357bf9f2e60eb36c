/** Batches, slow and broken stores, and clients that leave: over real sockets. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { randomBytes } from "node:crypto"
import type { IncomingMessage } from "node:http"
import net from "node:net"
import { Unavailable } from "../../../src/domain/failures.ts"
import { BLOCK } from "../../../src/http/edge/memory/holdings.ts"
import { DOMAIN, openRig, until } from "./rig.ts"

const HTML = "text/html; charset=utf-8"
const files = { "index.html": [HTML, "hello"] } as const

const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => void (open = resolve))
  return { open, opened }
}

describe("facts", () => {
  it("requests of one tick share one query, and name each address once", async () => {
    await using rig = await openRig()
    rig.publish("a", files)
    rig.publish("b", files)
    const request = (n: number) =>
      `GET / HTTP/1.1\r\nHost: ${n % 2 ? "a" : "b"}.${DOMAIN}\r\n${n === 100 ? "Connection: close\r\n" : ""}\r\n`
    const text = await rig.raw(Array.from({ length: 100 }, (_, n) => request(n + 1)).join(""))
    assert.strictEqual(text.split("hello").length, 101)
    assert.isAtMost(rig.calls.length, 3)
    assert.deepStrictEqual(rig.calls[0]!.map(({ slug }) => slug).sort(), ["a", "b"])
  })

  it("queries that arrive while the lanes are busy are sent together", async () => {
    await using rig = await openRig({ lanes: 1 })
    rig.publish("a", files)
    const first = gate()
    let held = 0
    rig.holding(() => ++held === 1 ? first.opened : Promise.resolve())
    const early = rig.ask("a", "/")
    await until(() => rig.calls.length === 1)
    const others = Array.from({ length: 50 }, () => rig.ask("a", "/"))
    await until(() => rig.requests() === 51)
    assert.strictEqual(rig.calls.length, 1)
    first.open()
    assert.isTrue((await Promise.all([early, ...others])).every(({ text }) => text === "hello"))
    assert.strictEqual(rig.calls.length, 2)
  })

  it("a request is never answered from facts read before it arrived", async () => {
    for (const lanes of [1, 2]) {
      await using rig = await openRig({ lanes })
      rig.publish("a", files)
      const first = gate()
      let held = 0
      rig.holding(() => ++held === 1 ? first.opened : Promise.resolve())
      const early = rig.ask("a", "/")
      await until(() => rig.calls.length === 1)
      rig.change("a", { visibility: "private" })
      const late = rig.ask("a", "/")
      if (lanes === 1) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        assert.strictEqual(rig.calls.length, 1)
        first.open()
      }
      assert.strictEqual((await late).status, 403)
      first.open()
      assert.strictEqual((await early).status, 200)
      assert.strictEqual(rig.calls.length, 2)
    }
  })

  it("a store that fails or never answers is 503 in bounded time, and recovery is by itself", async () => {
    await using rig = await openRig({ patienceMs: 150 })
    rig.publish("a", files)
    for (const fault of [Effect.die(new Error("password=hunter2")), Effect.never]) {
      rig.faults.sites = fault
      const started = performance.now()
      const answers = await Promise.all(Array.from({ length: 20 }, () => rig.ask("a", "/")))
      // A store that never answers would keep them for ever.
      assert.isBelow(performance.now() - started, 10_000)
      for (const { headers, status, text } of answers) {
        assert.deepStrictEqual([status, headers["retry-after"], headers["cache-control"]], [503, "2", "private, no-store"])
        assert.notInclude(text, "hunter2")
      }
      rig.faults.sites = undefined
      assert.strictEqual((await rig.ask("a", "/")).status, 200)
    }
    assert.isAbove(rig.defects.length, 0)
    const envelope = rig.ask("a", "/", { accept: "application/json" })
    assert.strictEqual((await envelope).status, 200)
  })

  it("a store that is away is logged as it is for the API: as a warning, by its code", async () => {
    const lines: Array<Record<string, unknown>> = []
    await using rig = await openRig(
      { outageIn: (cause) => String(cause).includes("away") ? { what: "away", code: "57P01" } : undefined },
      Logger.make((options) => void lines.push(JSON.parse(Logger.formatJson.log(options))))
    )
    rig.publish("a", files)
    rig.faults.sites = Effect.die(new Error("the database is away: hunter2"))
    assert.strictEqual((await rig.ask("a", "/")).status, 503)
    await until(() => lines.length > 0)
    assert.lengthOf(lines, 1)
    assert.deepInclude(lines[0], { level: "WARN", message: "database away", annotations: { code: "57P01", requestId: "-" } })
    assert.notInclude(JSON.stringify(lines), "hunter2")
  })

  it("requests that wait when the edge closes are answered", async () => {
    const rig = await openRig()
    rig.publish("a", files)
    rig.faults.sites = Effect.never
    const waiting = rig.ask("a", "/").then(({ status }) => status, () => "cut")
    await until(() => rig.calls.length === 1)
    await rig.close()
    assert.include([503, "cut"], await waiting)
  })

  it("a version that was pruned after its facts were read is looked for again", async () => {
    await using rig = await openRig()
    const old = rig.publish("a", files)
    const first = gate()
    let held = 0
    rig.holding(() => ++held === 1 ? first.opened : Promise.resolve())
    const early = rig.ask("a", "/")
    await until(() => rig.calls.length === 1)
    rig.publish("a", { "index.html": [HTML, "newer"] })
    rig.manifests.delete(old)
    first.open()
    assert.strictEqual((await early).text, "newer")
    rig.manifests.clear()
    rig.publish("b", files)
    rig.manifests.clear()
    assert.strictEqual((await rig.ask("b", "/")).status, 503)
  })
})

describe("bytes", () => {
  it("packs that cannot be read are 503; what is in memory goes on", async () => {
    await using rig = await openRig()
    rig.publish("a", { ...files, "cold.txt": ["text/plain", "cold"], "v.mp4": ["video/mp4", randomBytes(BLOCK * 6)] })
    assert.strictEqual((await rig.ask("a", "/")).status, 200)
    rig.faults.packs = Effect.fail(new Unavailable({ message: "s3://bucket/secret is away" }))
    for (const path of ["/cold.txt", "/v.mp4"]) {
      const { headers, status, text } = await rig.ask("a", path, { accept: "application/json" })
      assert.deepStrictEqual([status, headers["retry-after"], JSON.parse(text).error.code], [503, "2", "unavailable"])
      assert.notInclude(text, "bucket")
    }
    assert.strictEqual((await rig.ask("a", "/")).text, "hello")
    rig.faults.packs = undefined
    assert.strictEqual((await rig.ask("a", "/cold.txt")).text, "cold")
  })

  it("a pack that answers too little is 503, never a torn file", async () => {
    await using rig = await openRig()
    rig.publish("a", files)
    rig.packs.set("pack-1", Buffer.from("he"))
    assert.strictEqual((await rig.ask("a", "/")).status, 503)
  })

  it("a file that breaks off in the middle cuts the connection", async () => {
    await using rig = await openRig()
    rig.publish("a", { "v.mp4": ["video/mp4", randomBytes(BLOCK * 40)] })
    const text = rig.ask("a", "/v.mp4")
    await until(() => rig.reads.length >= 2)
    rig.faults.packs = Effect.fail(new Unavailable({ message: "gone" }))
    assert.strictEqual(await text.then(() => "whole", () => "cut"), "cut")
    await until(() => rig.facts.length === 1)
    assert.strictEqual(rig.facts[0]!.status, 503)
  })

  it("misses of one file at a time share one read", async () => {
    await using rig = await openRig()
    rig.publish("a", { "a.png": ["image/png", randomBytes(50_000)] })
    await Promise.all(Array.from({ length: 40 }, () => rig.ask("a", "/a.png")))
    assert.strictEqual(rig.reads.length, 1)
  })

  it("a slow client is read for no further than it takes, and not at all once it left", async () => {
    await using rig = await openRig({ cacheBytes: BLOCK * 2 })
    rig.publish("a", { "v.mp4": ["video/mp4", randomBytes(BLOCK * 200)] })
    const socket = net.connect({ port: rig.port, host: "127.0.0.1" })
    socket.on("error", () => {})
    socket.pause()
    socket.write(`GET /v.mp4 HTTP/1.1\r\nHost: a.${DOMAIN}\r\n\r\n`)
    await until(() => rig.reads.length > 1)
    let before = rig.reads.length
    // Ten reads of the same figure: a single one may coincide with a pause of the machine.
    for (let same = 0; same < 10; same = before === rig.reads.length ? same + 1 : 0) {
      before = rig.reads.length
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    // The kernel's own buffers take a few megabytes.
    assert.isBelow(before, 60)
    socket.destroy()
    await until(() => rig.facts.length === 1)
    assert.strictEqual(rig.facts[0]!.status, 499)
    assert.isAtMost(rig.reads.length, before + 1)
  })

  it("of what is not read, most is given up where most waits, and there what waits the longest; whoever reads gets all", async () => {
    const size = 200 * BLOCK
    const fromHeader = ({ headers }: IncomingMessage) => String(headers["x-forwarded-for"])
    await using rig = await openRig({ cacheBytes: BLOCK * 2, unreadBytes: BLOCK * 8, clientOf: fromHeader })
    rig.publish("a", { "v.mp4": ["video/mp4", randomBytes(size)] })
    const asking = async (client: string, from: number) => {
      const socket = net.connect({ port: rig.port, host: "127.0.0.1" }).on("error", () => {}).pause()
      const before = rig.reads.length
      socket.write(`GET /v.mp4 HTTP/1.1\r\nHost: a.${DOMAIN}\r\nX-Forwarded-For: ${client}\r\nRange: bytes=${from}-\r\nConnection: close\r\n\r\n`)
      await until(() => rig.reads.length > before)
      return socket
    }
    const isWhole = (socket: net.Socket, bytes: number) => new Promise<boolean>((resolve) => {
      let read = 0
      socket.on("data", ({ length }: Buffer) => void (read += length)).on("close", () => resolve(read > bytes)).resume()
    })
    const reader = await asking("reader", 0)
    const others: Array<net.Socket> = []
    // Each waits with a block of its own.
    for (let n = 1; n <= 40; n++) others.push(await asking("other", n * BLOCK))
    await until(() => rig.connections() <= 8)
    assert.isTrue(await isWhole(reader, size))
    assert.strictEqual(rig.facts.filter(({ status }) => status === 499).length, 33)
    const whole = await Promise.all(others.map((socket, n) => isWhole(socket, size - (n + 1) * BLOCK)))
    assert.deepStrictEqual(whole, others.map((_, n) => n >= 33))
  })

  it("clients that wait with the same bytes are as many as there are", async () => {
    await using rig = await openRig({ unreadBytes: BLOCK * 8 })
    rig.publish("a", { "v.mp4": ["video/mp4", randomBytes(100 * BLOCK)] })
    const sockets = Array.from({ length: 40 }, () => net.connect({ port: rig.port, host: "127.0.0.1" }).pause())
    for (const socket of sockets) socket.write(`GET /v.mp4 HTTP/1.1\r\nHost: a.${DOMAIN}\r\n\r\n`)
    await until(() => rig.requests() === 40)
    await new Promise((resolve) => setTimeout(resolve, 500))
    assert.deepStrictEqual([rig.connections(), rig.facts.length], [40, 0])
    for (const socket of sockets) socket.destroy()
  })

  it("an answer that takes too long for its version's bytes is cut, and not completed with what may be others", async () => {
    await using rig = await openRig({ readMs: 100 })
    const size = 128 * BLOCK
    rig.publish("a", { "v.mp4": ["video/mp4", randomBytes(size)] })
    const socket = net.connect({ port: rig.port, host: "127.0.0.1" })
    socket.on("error", () => {})
    socket.pause()
    socket.write(`GET /v.mp4 HTTP/1.1\r\nHost: a.${DOMAIN}\r\n\r\n`)
    await until(() => rig.reads.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 300))
    let received = 0
    socket.on("data", (chunk: Buffer) => void (received += chunk.length))
    socket.resume()
    await new Promise((resolve) => socket.once("close", resolve))
    assert.isAbove(received, BLOCK)
    assert.isBelow(received, size)
    await until(() => rig.facts.some(({ status }) => status === 503))
  })

  it("a client that leaves while its facts are read costs no page", async () => {
    await using rig = await openRig()
    rig.publish("a", files)
    const first = gate()
    rig.holding(() => first.opened)
    const socket = net.connect({ port: rig.port, host: "127.0.0.1" })
    socket.write(`GET / HTTP/1.1\r\nHost: a.${DOMAIN}\r\n\r\n`)
    await until(() => rig.calls.length === 1)
    socket.destroy()
    await until(() => rig.connections() === 0)
    first.open()
    await until(() => rig.facts.length === 1)
    assert.deepStrictEqual([rig.facts[0]!.status, rig.reads.length, rig.defects.length], [499, 0, 0])
  })

  it("pipelined requests are answered in their order", async () => {
    await using rig = await openRig()
    rig.publish("a", { ...files, "v.mp4": ["video/mp4", Buffer.alloc(BLOCK * 6, "v")], "b.txt": ["text/plain", "second"] })
    const request = (path: string, last = false) =>
      `GET ${path} HTTP/1.1\r\nHost: a.${DOMAIN}\r\n${last ? "Connection: close\r\n" : ""}\r\n`
    const text = await rig.raw(request("/v.mp4") + request("/") + request("/b.txt", true))
    assert.isTrue(text.endsWith("second"))
    assert.isBelow(text.indexOf("vvvv"), text.indexOf("hello"))
    assert.strictEqual(text.split("HTTP/1.1 200").length, 4)
  })

  it("memory stays within its bound", async () => {
    await using rig = await openRig({ cacheBytes: 300_000 })
    rig.publish("a", Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}.png`, ["image/png", randomBytes(50_000)] as const])))
    for (let n = 0; n < 20; n++) await rig.ask("a", `/${n}.png`)
    const before = rig.reads.length
    await rig.ask("a", "/19.png")
    assert.strictEqual(rig.reads.length, before)
    await rig.ask("a", "/0.png")
    assert.strictEqual(rig.reads.length, before + 1)
  })
})
