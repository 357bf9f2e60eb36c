/** The provider's client, at a provider that answers without end. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { makeClient } from "../../../src/services/idp/client.ts"

const MB = 1024 * 1024

let path = ""
let sent = 0
const piece = Buffer.alloc(64 * 1024, " ")
const server = createServer((_request, response) => {
  if (path === "/packed") {
    return void response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(8 * MB, " ")))
  }
  response.writeHead(200, { "content-type": "application/json" })
  const more = () => {
    // An end after all, so that a client without a bound fails the test and not the machine.
    while (!response.destroyed && sent < 256 * MB) {
      sent += piece.length
      if (!response.write(piece)) return void response.once("drain", more)
    }
    response.end()
  }
  more()
})

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it.live("an answer of the provider's that is too large, sent without end or unpacked, is cut off after a megabyte", () =>
  Effect.gen(function*() {
    for (const at of ["/endless", "/packed"]) {
      path = at
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const client = yield* makeClient({ issuer, clientId: "svc", clientSecret: Redacted.make("secret") })
      const { cause } = yield* Effect.flip(client)
      assert.include(String((cause as Error & { cause: Error & { cause: unknown } }).cause.cause), "too large", at)
    }
    assert.isBelow(sent, 16 * MB)
  }))
