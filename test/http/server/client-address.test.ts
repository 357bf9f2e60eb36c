/** Whose tries a request counts among, by what a proxy in front says of it. */
import type { IncomingMessage } from "node:http"
import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { oneClientBy, trusting } from "../../../src/http/server/client-address.ts"
import { isGlobalAddress } from "../../../src/services/client-documents/global-addresses.ts"

it.effect("proxies may write addresses with ports, in brackets, or none at all, of which the operator hears once", () => {
  const said: Array<unknown> = []
  return Effect.gen(function*() {
    const { addressBehind } = yield* trusting(1)
    const counted = (forwarded: string | undefined) => addressBehind(forwarded, "10.0.0.1")
    for (const one of ["192.0.2.7", "192.0.2.7:443", "192.0.2.7:51234", "198.51.100.1, 192.0.2.7:9", "::ffff:192.0.2.7", "[::FFFF:192.0.2.7]:80"]) assert.strictEqual(counted(one), "192.0.2.7", one)
    for (const one of ["2001:db8:1:2::3", "[2001:db8:1:2::3]", "[2001:DB8:1:2:4::5]:51234"]) assert.strictEqual(counted(one), "2001:db8:1:2::/64", one)
    for (const one of [undefined, "", " , "]) assert.strictEqual(counted(one), "10.0.0.1")
    yield* Effect.yieldNow
    assert.deepStrictEqual(said, [])
    for (const one of ["unknown", "_hidden:1", "192.0.2.7:x", "192.0.2:7", "[192.0.2.7", "1:2", "192.0.2.7, x"]) assert.strictEqual(counted(one), "10.0.0.1", one)
    yield* Effect.yieldNow
    assert.lengthOf(said, 1)
    const behindTwo = (yield* trusting(2)).addressBehind
    assert.strictEqual(behindTwo(undefined, "10.0.0.1"), "10.0.0.1")
    assert.strictEqual(behindTwo("203.0.113.1, 192.0.2.7, 198.51.100.2", "10.0.0.1"), "192.0.2.7")
    yield* Effect.yieldNow
    assert.lengthOf(said, 1)
    assert.strictEqual(behindTwo("198.51.100.2", "10.0.0.1"), "10.0.0.1", "the nearer proxy wrote over what the other one said")
    yield* Effect.yieldNow
    assert.lengthOf(said, 2)
    assert.strictEqual((yield* trusting(0)).addressBehind("192.0.2.7", "10.0.0.1"), "10.0.0.1")
  }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => said.push(message))])))
})

it.effect("a request counts among its client’s where the proxy names it, or where the connection comes from the internet; else it may be anybody’s", () =>
  Effect.gen(function*() {
    for (const [hops, forwarded, peer, client] of [
      [0, undefined, "8.8.8.8", "8.8.8.8"], [0, undefined, "::ffff:8.8.8.8", "8.8.8.8"], [0, undefined, "2606:4700:1:2:3::4", "2606:4700:1:2::/64"],
      [0, "8.8.8.8", "127.0.0.1", undefined], [0, undefined, "::1", undefined], [0, undefined, "172.17.0.1", undefined], [0, undefined, "fd00::1", undefined], [0, undefined, undefined, undefined],
      [1, "8.8.8.8", "172.17.0.1", "8.8.8.8"], [1, "10.1.2.3", "172.17.0.1", "10.1.2.3"], [1, undefined, "172.17.0.1", undefined], [1, "unknown", "127.0.0.1", undefined], [1, undefined, "8.8.8.8", "8.8.8.8"]
    ] as const) {
      const { addressBehind } = yield* trusting(hops)
      const oneClient = oneClientBy(({ socket }) => addressBehind(forwarded, socket.remoteAddress), isGlobalAddress)
      const request = { socket: { remoteAddress: peer } } as IncomingMessage
      for (let times = 0; times < 2; times++) assert.strictEqual(oneClient(request), client, JSON.stringify([hops, forwarded, peer]))
    }
  }).pipe(Effect.provide(Logger.layer([]))))
