/** Whose tries a request counts among, by what a proxy in front says of it. */
import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { trusting } from "../../src/http/server/client-address.ts"

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
