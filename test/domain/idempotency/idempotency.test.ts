/** Calls that may be sent again, on real parts: one of many runs; leases and kept answers end to the millisecond. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Latch, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { Idempotency } from "../../../src/domain/idempotency/idempotency.ts"
import { IdempotencyKey } from "../../../src/domain/idempotency/model.ts"
import type { Call } from "../../../src/domain/idempotency/model.ts"
import { Atomically } from "../../../src/domain/ports/atomically.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { houseWith } from "../../support/house.ts"

const HOUR = 3_600_000
const print = { hash: "a", length: 1 }
let people = 0

const caller = Effect.gen(function*() {
  const { uuid } = yield* Tokens
  const [id, home] = [UserId.make(yield* uuid), WorkspaceId.make(yield* uuid)]
  const now = yield* DateTime.now
  const name = `keyed-${++people}`
  yield* (yield* AccountStore).create({ id, email: `${name}@example.com`, name, passwordHash: "none", home: { id: home, name, plan: "starter", trialEndsAt: now } }, now)
  return { userId: id, operation: "POST /v1/things", key: IdempotencyKey.make("k") } satisfies Call
})

/** A call that counts how often it really runs, and returns that number. */
const counting = (call: Call) => {
  let runs = 0
  const once = (work: Effect.Effect<unknown> = Effect.void, given = print) =>
    Idempotency.use((slice) =>
      slice.once(call, {
        run: Effect.andThen(work, Effect.sync(() => ({ value: ++runs, kept: { print: given, answer: runs } }))),
        print: () => Effect.succeed(Option.some(given)),
        again: (answer) => Effect.succeed(Number(answer) + 1000)
      })
    )
  return { once, runs: () => runs }
}

const codeOf = <A, R>(effect: Effect.Effect<A, { readonly _tag: string }, R>) => Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

layer(houseWith())("idempotency", (it) => {
  it.effect("an answer is kept for 24 hours, and not a millisecond longer", () =>
    Effect.gen(function*() {
      const { once } = counting(yield* caller)
      assert.strictEqual(yield* once(), 1)
      yield* TestClock.adjust(24 * HOUR - 1)
      assert.strictEqual(yield* once(), 1001)
      assert.strictEqual(yield* codeOf(once(Effect.void, { hash: "b", length: 1 })), "validation_error")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* once(), 2)
    }))

  it.effect("a call that runs keeps its claim however long it takes; one that went silent gives it up after a minute", () =>
    Effect.gen(function*() {
      const call = yield* caller
      const { once, runs } = counting(call)
      const sql = yield* SqlClient.SqlClient
      const slow = yield* Effect.forkChild(once(Effect.sleep("10 minutes")))
      const heard = Effect.map(sql<{ at: Date }>`SELECT heard_at AS at FROM idempotent_calls WHERE user_id = ${call.userId}`, (rows) => rows[0]?.at.getTime())
      while ((yield* heard) === undefined) yield* Effect.yieldNow
      // In small steps: the next renewal is scheduled by the answer to the one before.
      for (let second = 0; second < 180; second++) {
        yield* TestClock.adjust("1 second")
        const now = DateTime.toEpochMillis(yield* DateTime.now)
        // The database may be slow to hear of it; the clock waits until it has.
        while (now - (yield* heard)! >= 45_000) yield* Effect.yieldNow
      }
      assert.strictEqual(yield* codeOf(once()), "conflict")
      yield* TestClock.adjust("9 minutes")
      // On a busy machine the clock outruns the database: what gave up waiting for it tries again a little later.
      while (slow.pollUnsafe() === undefined) {
        yield* TestClock.adjust("1 second")
        yield* heard
      }
      assert.strictEqual(yield* Fiber.join(slow), 1)
      assert.strictEqual(yield* once(), 1001)

      // What a dead process leaves: a claimed call, and no renewal since.
      const left = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`UPDATE idempotent_calls SET answer = NULL, heard_at = ${left} WHERE user_id = ${call.userId}`
      yield* TestClock.adjust(59_999)
      assert.strictEqual(yield* codeOf(once()), "conflict")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* once(), 2)
      assert.strictEqual(runs(), 2)
    }))

  it.effect("a process that froze for a minute commits nothing of a call that ran again elsewhere meanwhile, and gets its answer", () =>
    Effect.gen(function*() {
      const call = yield* caller
      const { once, runs } = counting(call)
      const { atomically } = yield* Atomically
      const sql = yield* SqlClient.SqlClient
      const renamed = (name: string) => atomically(Effect.orDie(sql`UPDATE users SET name = ${name} WHERE id = ${call.userId}`))
      const [frozen, thawed] = [yield* Latch.make(), yield* Latch.make()]
      const first = yield* Effect.forkChild(once(Effect.andThen(frozen.open, Effect.andThen(thawed.await, renamed("first")))))
      yield* frozen.await
      yield* sql`UPDATE idempotent_calls SET heard_at = heard_at - interval '1 minute' WHERE user_id = ${call.userId}`
      assert.strictEqual(yield* once(renamed("second")), 1)
      yield* thawed.open
      assert.strictEqual(yield* Fiber.join(first), 1001)
      assert.strictEqual(runs(), 1)
      assert.deepStrictEqual(yield* sql`SELECT name FROM users WHERE id = ${call.userId}`, [{ name: "second" }])
    }))

  it.effect("of 200 at once one runs; a refused one leaves the key free", () =>
    Effect.gen(function*() {
      const { once, runs } = counting(yield* caller)
      assert.strictEqual(yield* codeOf(once(Effect.fail({ _tag: "refused" }) as unknown as Effect.Effect<never>)), "refused")
      const all = yield* Effect.forEach(Array.from({ length: 200 }), () => Effect.exit(once()), { concurrency: "unbounded" })
      assert.strictEqual(runs(), 1)
      assert.isTrue(all.some((exit) => exit._tag === "Success" && exit.value === 1))
    }))

  it.effect("answers a day old are swept, the rest stays", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [old, fresh] = [yield* caller, yield* caller]
      yield* counting(old).once()
      yield* TestClock.adjust(12 * HOUR)
      yield* counting(fresh).once()
      yield* TestClock.adjust(12 * HOUR)
      yield* (yield* Idempotency).sweep()
      const left = yield* sql<{ user: string }>`SELECT user_id AS user FROM idempotent_calls WHERE user_id = ANY(${[old.userId, fresh.userId]}::uuid[])`
      assert.deepStrictEqual(left, [{ user: fresh.userId }])
    }))
})
