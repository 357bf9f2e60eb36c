/** Reading files for agents: few at once, and nobody waits behind one who asks for many. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { Reading } from "../../../src/domain/projects/reading.ts"
import { houseWith } from "../../support/house.ts"
import { somebody } from "../../support/somebody.ts"

layer(houseWith(), { timeout: "60 seconds" })("reading", (it) => {
  it.effect("is one file at a time for a person, and another's is read while theirs is slow to come", () =>
    Effect.gen(function*() {
      const [eve, bob] = [yield* somebody(), yield* somebody()]
      const { put } = yield* Publishing
      for (const [user, slug] of [[eve, "of-eve"], [bob, "of-bob"]] as const) {
        yield* put(user, slug, { path: undefined, contentType: "text/plain", length: undefined, bytes: Stream.make(new TextEncoder().encode(slug)) }, {})
      }
      const packs = yield* Packs
      const gate = yield* Deferred.make<void>()
      const asked: Array<string> = []
      let slow: string | undefined
      const slice: typeof packs.slice = (pack, offset, length) =>
        Effect.suspend(() => {
          asked.push(pack)
          return pack === slow ? Deferred.await(gate) : Effect.void
        }).pipe(Effect.andThen(packs.slice(pack, offset, length)))
      const { read } = yield* Effect.provideService(Reading.make, Packs, { ...packs, slice })
      assert.strictEqual((yield* read(eve, "of-eve", {})).text, "of-eve")
      slow = asked[0]!
      const many = yield* Effect.forEach(Array.from({ length: 6 }), () => Effect.forkChild(read(eve, "of-eve", {})))
      while (asked.length < 2) yield* Effect.yieldNow
      // By the last of these, all of hers have come to where they wait.
      for (let at = 0; at < 20; at++) assert.strictEqual((yield* read(bob, "of-bob", {})).text, "of-bob")
      assert.lengthOf(asked.filter((pack) => pack === slow), 2)
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of many) assert.strictEqual((yield* Fiber.join(fiber)).text, "of-eve")
    }))
})
