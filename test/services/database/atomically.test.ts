/** Transactions in turn: what one account begins leaves connections for everybody else. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Atomically, OnBehalfOf } from "../../../src/domain/ports/atomically.ts"
import { AtomicallySql } from "../../../src/services/database/atomically.ts"
import { freshDatabase } from "../../support/database.ts"

layer(Layer.provideMerge(AtomicallySql, freshDatabase), { excludeTestServices: true })("transactions", (it) => {
  it.effect("of one account are two at once, however many it begins, and another's need not wait for them", () =>
    Effect.gen(function*() {
      const { atomically } = yield* Atomically
      const sql = yield* SqlClient.SqlClient
      const gate = yield* Deferred.make<void>()
      const begun: Array<string> = []
      const one = (name: string, account: string | undefined, ends: Effect.Effect<void>) =>
        Effect.forkChild(
          atomically(Effect.andThen(sql`SELECT 1`, Effect.andThen(Effect.sync(() => begun.push(name)), ends))).pipe(Effect.provideService(OnBehalfOf, account)),
          { startImmediately: true }
        )
      const eves = yield* Effect.forEach(Array.from({ length: 12 }), () => one("eve", "eve", Deferred.await(gate)))
      while (begun.length < 2) yield* Effect.yieldNow
      yield* Effect.forEach(["bob", "kim", undefined], (account) => Effect.flatMap(one(account ?? "nobody", account, Effect.void), Fiber.join))
      assert.deepStrictEqual(begun.toSorted(), ["bob", "eve", "eve", "kim", "nobody"])
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of eves) yield* Fiber.join(fiber)
      assert.lengthOf(begun, 15)
    }))
})
