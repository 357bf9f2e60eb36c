/** Client documents: what may be connected to, and a server that lies, stalls, redirects and floods. */
import { createSocket } from "node:dgram"
import { lookup } from "node:dns/promises"
import { once } from "node:events"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { ClientDocuments } from "../../../src/domain/ports/client-documents.ts"
import { ClientDocumentsFetched } from "../../../src/services/client-documents/client-documents.ts"
import { documentAddress, fetchDocument, openInternet } from "../../../src/services/client-documents/fetching.ts"
import type { Fetching } from "../../../src/services/client-documents/fetching.ts"
import { isGlobalAddress } from "../../../src/services/client-documents/global-addresses.ts"
import { resolving } from "../../../src/services/client-documents/resolving.ts"
import { certificate, key } from "../../support/agent-example.ts"

describe("addresses", () => {
  it.each(["1.1.1.1", "8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450:4001::1"])("%s is global", (address) => assert.isTrue(isGlobalAddress(address)))

  it.each([
    "0.0.0.0", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.9.9.9", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1",
    "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:a9fe:a9fe", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1",
    "2002:7f00:1::", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "2606:4700::1111%eth0", "fec0::1", "ff02::1", "localhost", "", "2130706433", "0x7f.1"
  ])("%s is not", (address) => assert.isFalse(isGlobalAddress(address)))

  it("a document's address is https on 443 with a path, written as it will be asked", () => {
    assert.isDefined(documentAddress("https://agent.example/client.json"))
    for (const address of [
      "http://agent.example/c", "https://agent.example", "https://agent.example/", "https://agent.example:8443/c", "https://u:p@agent.example/c", "https://u@agent.example/c", "https://:p@agent.example/c", "https://agent.example/c#f",
      "https://agent.example/a/../c", "https://AGENT.example/c", "https://127.0.0.1/c", "https://[::1]/c", "https://2130706433/c", "https://0x7f.1/c", " https://agent.example/c", "ftp://agent.example/c", `https://agent.example/${"x".repeat(2000)}`
    ]) assert.isUndefined(documentAddress(address), address)
  })
})

describe("names", () => {
  const A = { type: 1, data: [8, 8, 8, 8] }
  const AAAA = { type: 28, data: [0x26, 0x06, 0x47, 0, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11] }
  const known: Record<string, ReadonlyArray<typeof A>> = { one: [A], both: [A, AAAA] }
  /** A name server that says nothing about names it does not know. */
  const server = createSocket("udp4", (query, from) => {
    const end = query.indexOf(0, 12) + 5
    const records = known[query.toString("latin1", 13, 13 + query[12]!)]?.filter(({ type }) => type === query.readUInt16BE(end - 4))
    if (records === undefined) return
    const answers = records.flatMap(({ data, type }) => [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data])
    server.send(Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0, ...query.subarray(12, end), ...answers]), from.port, from.address)
  })
  let resolve: Fetching["resolve"]
  beforeAll(async () => {
    await once(server.bind(0, "127.0.0.1"), "listening")
    resolve = resolving([`127.0.0.1:${server.address().port}`])
  })
  afterAll(() => void server.close())

  it("are asked of the name servers, for addresses of both families", async () => {
    const { signal } = new AbortController()
    assert.deepStrictEqual(await resolve("one.example", signal), ["8.8.8.8"])
    assert.deepStrictEqual(await resolve("both.example", signal), ["8.8.8.8", "2606:4700:4700::1111"])
  })

  // A pause of the machine takes as long as what is measured.
  it("of a server that says nothing are given up with their fetch, and hold up no other name meanwhile", { retry: 2 }, async () => {
    const giveUp = new AbortController()
    const started = performance.now()
    const all = Promise.all(Array.from({ length: 28 }, (_, n) => resolve(`h${n}.example`, giveUp.signal)))
    await once(server, "message")
    await lookup("localhost")
    giveUp.abort()
    assert.deepStrictEqual((await all).flat(), [])
    assert.isBelow(performance.now() - started, 1_500)
  })
})

describe("documents", () => {
  let asked: Array<string> = []
  const document = { client_id: "https://agent.example/client.json" }
  const server = createServer({ key, cert: certificate }, (request, response) => {
    asked.push(request.url ?? "")
    const json = { "content-type": "application/json" }
    switch (request.url) {
      case "/client.json":
        return response.writeHead(200, { ...json, "cache-control": "max-age=120" }).end(JSON.stringify(document))
      case "/brief":
        return response.writeHead(200, { ...json, "cache-control": "no-store" }).end("{}")
      case "/lasting":
        return response.writeHead(200, { ...json, "cache-control": "max-age=31536000" }).end("{}")
      case "/moved":
        return response.writeHead(302, { location: "/client.json" }).end()
      case "/html":
        return response.writeHead(200, { "content-type": "text/html" }).end(JSON.stringify(document))
      case "/broken":
        return response.writeHead(200, json).end("{")
      case "/exact":
        return response.writeHead(200, json).end(JSON.stringify("x".repeat(5 * 1024 - 2)))
      case "/large":
        return response.writeHead(200, json).end(JSON.stringify("x".repeat(5 * 1024 - 1)))
      case "/endless":
        response.writeHead(200, json)
        return void setInterval(() => response.write(" "), 50).unref()
      case "/silent":
        return undefined
      default:
        return response.writeHead(404, json).end("{}")
    }
  })
  let fetching: Fetching
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening")
    fetching = { resolve: async () => ["127.0.0.1"], mayConnect: () => true, port: (server.address() as AddressInfo).port, ca: certificate }
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const under = { now: 0, most: 0 }
  const slowly: Fetching["resolve"] = async () => {
    under.most = Math.max(under.most, ++under.now)
    await new Promise((passed) => setTimeout(passed, 20))
    under.now--
    return []
  }

  const get = (path: string, change: Partial<Fetching> = {}, ms = 30_000) =>
    fetchDocument(`https://agent.example${path}`, { ...fetching, ...change }, AbortSignal.timeout(ms)).catch((error: Error) => error)

  it("is read from the address that was resolved", async () => {
    assert.deepStrictEqual(await get("/client.json"), { json: document, maxAgeSeconds: 120 })
    assert.isObject(await get("/exact"))
  })

  it("no redirect, no other type, no 404, nothing broken or larger than 5 KB", async () => {
    for (const path of ["/moved", "/html", "/missing", "/large"]) assert.isUndefined(await get(path), path)
    assert.instanceOf(await get("/broken"), Error)
    assert.strictEqual(asked.filter((path) => path === "/client.json").length, 1)
  })

  it("an address that is out of reach leaves the one of the other family", async () => {
    assert.deepStrictEqual(await get("/client.json", { resolve: async () => ["127.0.0.2", "::ffff:127.0.0.1"] }), { json: document, maxAgeSeconds: 120 })
  })

  it("a stalled answer is given up", async () => {
    assert.instanceOf(await get("/silent", {}, 200), Error)
    assert.instanceOf(await get("/endless", {}, 200), Error)
  })

  it("one address that is not global is enough to connect to none", async () => {
    asked = []
    const mayConnect = isGlobalAddress
    for (const addresses of [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], []]) {
      assert.isUndefined(await get("/client.json", { mayConnect, resolve: async () => addresses }))
    }
    assert.deepStrictEqual(asked, [])
  })

  it("the certificate is the name's, not the address's", async () => {
    assert.instanceOf(await fetchDocument("https://other.example/client.json", fetching, AbortSignal.timeout(2_000)).catch((error: Error) => error), Error)
    assert.instanceOf(await get("/client.json", { ca: undefined }), Error)
  })

  it.effect("thirty-two are fetched at once, further ones in their turn", () =>
    Effect.gen(function*() {
      const { fetch } = yield* ClientDocuments
      yield* Effect.forEach(Array.from({ length: 40 }), (_, n) => fetch(`https://agent.example/${n}`), { concurrency: "unbounded" })
      assert.deepStrictEqual(under, { now: 0, most: 32 })
    }).pipe(Effect.provide(ClientDocumentsFetched({ ...openInternet, resolve: slowly }))))

  it.effect("is kept as long as its server says, a failure for a minute", () =>
    Effect.gen(function*() {
      asked = []
      const { fetch } = yield* ClientDocuments
      const found = (path: string) => Effect.map(fetch(`https://agent.example${path}`), Option.isSome)
      for (const _ of [1, 2, 3]) {
        assert.isTrue(yield* found("/client.json"))
        assert.isFalse(yield* found("/missing"))
      }
      assert.lengthOf(asked, 2)
      yield* TestClock.adjust("61 seconds")
      yield* found("/client.json")
      yield* found("/missing")
      assert.lengthOf(asked, 3)
      yield* TestClock.adjust("60 seconds")
      yield* found("/client.json")
      assert.lengthOf(asked, 4)
    }).pipe(Effect.provide(ClientDocumentsFetched({ ...fetching }))))

  it.effect("is kept for a minute at least, for an hour where its server says nothing, and for a day at most", () =>
    Effect.gen(function*() {
      asked = []
      const { fetch } = yield* ClientDocuments
      const paths = ["/brief", "/exact", "/lasting"]
      for (const [passes, times] of [
        ["0 seconds", [1, 1, 1]], ["59 seconds", [1, 1, 1]], ["2 seconds", [2, 1, 1]], ["58 minutes", [3, 1, 1]], ["2 minutes", [4, 2, 1]], ["22 hours", [5, 3, 1]], ["1 hour", [6, 4, 2]]
      ] as const) {
        yield* TestClock.adjust(passes)
        yield* Effect.forEach(paths, (path) => fetch(`https://agent.example${path}`))
        assert.deepStrictEqual(paths.map((path) => asked.filter((one) => one === path).length), [...times], passes)
      }
    }).pipe(Effect.provide(ClientDocumentsFetched({ ...fetching }))))
})
