/** The provider's client, at a provider that answers without end, or not to the end. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { Addresses } from "../../../src/domain/ports/addresses.ts"
import { IdentityProvider } from "../../../src/domain/ports/identity-provider.ts"
import { makeClient } from "../../../src/services/idp/client.ts"
import { IdentityProviderOpenId } from "../../../src/services/idp/identity-provider.ts"

const MB = 1024 * 1024

let path = ""
let sent = 0
const piece = Buffer.alloc(64 * 1024, " ")
const issuerAt = (of: Server) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`
const server: Server = createServer(({ url }, response) => {
  if (path === "/packed") {
    return void response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(8 * MB, " ")))
  }
  response.writeHead(200, { "content-type": "application/json" })
  if (url === "/breaks") return void response.write(`{"access_token":`, () => response.destroy())
  if (url === "/stops") return void response.write(`{"access_token":`)
  if (url === "/nonsense") return void response.end("<p>")
  if (path.startsWith("/tokens")) {
    const issuer = issuerAt(server)
    return void response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/to`, token_endpoint: issuer + path.slice("/tokens".length), jwks_uri: `${issuer}/keys` }))
  }
  if (path === "/bare") return void response.end(JSON.stringify({ issuer: issuerAt(server) }))
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

const settings = () => ({ issuer: issuerAt(server), clientId: "svc", clientSecret: Redacted.make("secret") })

const provided = () =>
  IdentityProviderOpenId(settings()).pipe(
    Layer.provide(Layer.succeed(Addresses, { baseUrl: "https://svc.example" } as typeof Addresses.Service)),
    Layer.provideMerge(Logger.layer([]))
  )

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it.live("an answer of the provider's that is too large, sent without end or unpacked, is cut off after a megabyte", () =>
  Effect.gen(function*() {
    for (const at of ["/endless", "/packed"]) {
      path = at
      const client = yield* makeClient(settings())
      const { cause } = yield* Effect.flip(client)
      assert.include(String((cause as Error).cause), "too large", at)
    }
    assert.isBelow(sent, 16 * MB)
  }))

it.live("tokens that break off or stop midway are an outage; those that are no tokens are a refusal", () =>
  Effect.gen(function*() {
    const failures: Array<string> = []
    for (const at of ["/breaks", "/stops", "/nonsense"]) {
      path = `/tokens${at}`
      yield* IdentityProvider.use(Effect.fnUntraced(function*({ ask, identify }) {
        const { checks } = yield* ask({ again: false })
        failures.push((yield* Effect.flip(identify(new URLSearchParams({ code: "code", state: checks.state }), checks)))._tag)
      })).pipe(Effect.provide(provided()))
    }
    assert.deepStrictEqual(failures, ["unavailable", "unavailable", "forbidden"])
  }))

it.live("a provider that names nowhere to sign in is an outage", () =>
  Effect.gen(function*() {
    path = "/bare"
    const refused = yield* Effect.flip(IdentityProvider.use(({ ask }) => ask({ again: false }))).pipe(Effect.provide(provided()))
    assert.strictEqual(refused._tag, "unavailable")
  }))
