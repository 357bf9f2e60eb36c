/** A publish of bytes that are being collected at that very moment, in another order of its files. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Atomically } from "../../src/domain/ports/atomically.ts"
import { Collection } from "../../src/domain/projects/packs/collection.ts"
import { withoutLimits } from "../../src/services/database/client.ts"
import { waiting } from "../support/locked.ts"
import { eventually } from "../support/program.ts"
import { Service, serviceWith } from "../support/service.ts"
import { zipOf } from "../support/zips.ts"

const waits = (sql: SqlClient.SqlClient, many: number) =>
  Effect.promise(() =>
    eventually(`${many} wait`, () =>
      Effect.runPromise(Effect.map(waiting(sql), (count) => count >= many)))
  )

layer(serviceWith(), { excludeTestServices: true })("a publish and the collector", (it) => {
  it.effect("go both their way: neither waits for the other", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { bearer } = yield* service.account()
      const sql = yield* service.inside(SqlClient.SqlClient)
      const parts = yield* service.inside(Effect.all({ collection: Collection, atomic: Atomically }))
      const names = ["index.html", ...Array.from({ length: 20 }, (_, at) => `file-${String(at).padStart(2, "0")}.txt`)]
      const files = (order: ReadonlyArray<string>) => Object.fromEntries(order.map((name) => [name, `the words of ${name}`]))
      const put = (slug: string, order: ReadonlyArray<string>) =>
        Effect.flatMap(Effect.promise(() => zipOf(files(order))), (body) =>
          service.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...bearer, "content-type": "application/zip" } }))
      const first = yield* put("once", names)
      assert.strictEqual(first.status, 201, first.text)
      assert.strictEqual((yield* service.ask("/v1/projects/once", { method: "DELETE", headers: bearer })).status, 200)
      yield* sql`UPDATE packs SET unnamed_since = now() - interval '25 hours' WHERE unnamed_since IS NOT NULL`
      const [middle] = yield* sql<{ hash: string }>`SELECT hash FROM contents ORDER BY "offset" OFFSET 10 LIMIT 1`
      const [held, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // Takes up time: the collector is in the middle of a pack, and so is the publish.
      const slow = yield* Effect.forkChild(parts.atomic.atomically(Effect.gen(function*() {
        yield* Effect.orDie(withoutLimits(sql))
        yield* Effect.orDie(sql`SELECT 1 FROM contents WHERE hash = ${middle!.hash} FOR UPDATE`)
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(goOn)
      })))
      yield* Deferred.await(held)
      const collected = yield* Effect.forkChild(Effect.exit(parts.collection.collectUnnamed()))
      yield* waits(sql, 1)
      const published = yield* Effect.forkChild(put("again", names.toReversed()))
      yield* waits(sql, 2)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(slow)
      const answer = yield* Fiber.join(published)
      const exit = yield* Fiber.join(collected)
      assert.strictEqual(answer.status, 201, answer.text)
      assert.strictEqual(exit._tag, "Success", String(exit))
    }))
})
