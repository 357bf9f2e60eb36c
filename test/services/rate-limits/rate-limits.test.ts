/** Rate limits in memory and in PostgreSQL: exact, whole windows, no readable key stored. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Result } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { RateLimited } from "../../../src/domain/failures.ts"
import type { Limit } from "../../../src/domain/ports/rate-limits.ts"
import { RateLimits } from "../../../src/domain/ports/rate-limits.ts"
import { RateLimitsEffect } from "../../../src/services/rate-limits/rate-limits.ts"
import { RateLimiterStoreMemory } from "../../../src/services/rate-limits/store-memory.ts"
import { RateLimiterStoreSql } from "../../../src/services/database/rate-limits.ts"
import { freshDatabase } from "../../support/database.ts"
import { at, DAY } from "../../support/moments.ts"

const login: Limit = { name: "login.address", limit: 5, window: "1 minute" }
const magic: Limit = { name: "magic.email", limit: 3, window: "1 hour" }

const tryOnce = (limit: Limit, key: string) => Effect.result(RateLimits.use((limits) => limits.consume(limit, key)))
const passed = (all: ReadonlyArray<Result.Result<void, RateLimited>>) => all.filter(Result.isSuccess).length
const wait = (result: Result.Result<void, RateLimited>) =>
  Result.isFailure(result) ? result.failure.details["retry_after_seconds"] : undefined

/** How time passes for a store, or goes back; what its own clock does meanwhile makes a wait shorter by less than `slack`. */
interface Time {
  readonly pass: (millis: number) => Effect.Effect<unknown, unknown, SqlClient.SqlClient>
  readonly slack: number
}

const ours: Time = { pass: (millis) => Effect.flatMap(Clock.currentTimeMillis, (now) => TestClock.setTime(now + millis)), slack: 0 }

const ofPostgres: Time = {
  pass: (millis) => SqlClient.SqlClient.use((sql) => sql`UPDATE rate_limits SET ends_at = ends_at - ${millis}::float8 * interval '1 millisecond'`),
  slack: 10_000
}

const scenarios = (name: string, store: Layer.Layer<RateLimiter.RateLimiterStore | SqlClient.SqlClient>, { pass, slack }: Time) =>
  describe(name, () => {
    const provide = Effect.provide(RateLimitsEffect.pipe(Layer.provideMerge(store)))
    const waits = (result: Result.Result<void, RateLimited>, seconds: number) => {
      const told = Number(wait(result))
      assert.isTrue(told <= seconds && told > seconds - 1 - slack / 1000 && told >= 1, `${told} s, not ${seconds}`)
    }

    it.effect("lets the limit through, then says how long to wait, and counts each key alone", () =>
      Effect.gen(function*() {
        for (let one = 0; one < 5; one++) assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.1")))
        yield* pass(20_500)
        const refused = yield* tryOnce(login, "10.0.0.1")
        waits(refused, 40)
        if (Result.isFailure(refused)) {
          assert.strictEqual(refused.failure._tag, "rate_limited")
          assert.notInclude(JSON.stringify(refused.failure), "10.0.0.1")
        }
        assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.2")))
        assert.isTrue(Result.isSuccess(yield* tryOnce({ ...login, name: "other" }, "10.0.0.1")))
        yield* pass(39_499 - slack)
        waits(yield* tryOnce(login, "10.0.0.1"), 1 + slack / 1000)
        yield* pass(1 + slack)
        assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.1")))
      }).pipe(provide))

    it.effect("a try that was none is taken back, and nobody saves them up", () =>
      Effect.gen(function*() {
        const limits = yield* RateLimits
        const back = limits.giveBack(login, "10.0.0.9")
        yield* back
        for (let one = 0; one < 5; one++) assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.9")))
        assert.isTrue(Result.isFailure(yield* tryOnce(login, "10.0.0.9")))
        yield* back
        assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.9")))
        assert.isTrue(Result.isFailure(yield* tryOnce(login, "10.0.0.9")))
      }).pipe(provide))

    it.effect("a window that was opened by a clock a year ahead ends one window after it is set back", () =>
      Effect.gen(function*() {
        yield* pass(365 * DAY)
        for (let one = 0; one < 5; one++) assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.8")))
        yield* pass(-365 * DAY)
        waits(yield* tryOnce(login, "10.0.0.8"), 60)
        yield* pass(59_999 - slack)
        waits(yield* tryOnce(login, "10.0.0.8"), 1 + slack / 1000)
        yield* pass(1 + slack)
        assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.8")))
      }).pipe(provide))

    it.effect("three an hour are three in the whole hour, however they are spread", () =>
      Effect.gen(function*() {
        assert.isTrue(Result.isSuccess(yield* tryOnce(magic, "ada@example.com")))
        yield* pass(25 * 60_000)
        assert.isTrue(Result.isSuccess(yield* tryOnce(magic, "ada@example.com")))
        assert.isTrue(Result.isSuccess(yield* tryOnce(magic, "ada@example.com")))
        yield* pass(34 * 60_000)
        waits(yield* tryOnce(magic, "ada@example.com"), 60)
        yield* pass(60_000)
        assert.isTrue(Result.isSuccess(yield* tryOnce(magic, "ada@example.com")))
      }).pipe(provide))

    it.effect("200 parallel tries at a limit of 5: exactly 5 pass, and refusals do not prolong the wait", () =>
      Effect.gen(function*() {
        const all = yield* Effect.all(Array.from({ length: 200 }, () => tryOnce(login, "burst")), { concurrency: "unbounded" })
        assert.strictEqual(passed(all), 5)
        yield* pass(60_000)
        const again = yield* Effect.all(Array.from({ length: 200 }, () => tryOnce(login, "burst")), { concurrency: "unbounded" })
        assert.strictEqual(passed(again), 5)
      }).pipe(provide))
  })

scenarios("rate limits in memory", Layer.mergeAll(RateLimiterStoreMemory, Layer.succeed(SqlClient.SqlClient, null as never)), ours)
scenarios("rate limits in PostgreSQL", RateLimiterStoreSql.pipe(Layer.provideMerge(freshDatabase)), ofPostgres)

describe("rate limits in PostgreSQL, across instances", () => {
  const instance = RateLimitsEffect.pipe(Layer.provide(Layer.fresh(RateLimiterStoreSql)))

  it.effect("share one count", () =>
    Effect.gen(function*() {
      const tries = Effect.all(Array.from({ length: 50 }, () => tryOnce(login, "shared")), { concurrency: "unbounded" })
      const both = yield* Effect.all(
        [tries.pipe(Effect.provide(Layer.fresh(instance))), tries.pipe(Effect.provide(Layer.fresh(instance)))],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(passed(both.flat()), 5)
    }).pipe(Effect.provide(freshDatabase)))

  it.effect("count by the clock that they share, whatever their own ones say", () =>
    Effect.gen(function*() {
      const tries = yield* Effect.forEach(Array.from({ length: 30 }, (_, one) => one), (one) => at(one % 2 * DAY, tryOnce(login, "shared")))
      assert.strictEqual(passed(tries), 5)
      for (const millis of [0, DAY]) assert.isAtMost(Number(wait(yield* at(millis, tryOnce(login, "shared")))), 60)
    }).pipe(Effect.provide(instance.pipe(Layer.provideMerge(freshDatabase)))))

  it.effect("keep no readable key, and drop what is over", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(Array.from({ length: 200 }, (_, one) => `ada+${one}@example.com`), (email) => tryOnce(magic, email), {
        concurrency: 20
      })
      const rows = yield* sql<{ key: string }>`SELECT key FROM rate_limits`
      assert.strictEqual(rows.length, 200)
      for (const { key } of rows) assert.match(key, /^[A-Za-z0-9_-]{43}$/)
      yield* ofPostgres.pass(2 * 3_600_000)
      const tries = Effect.forEach(Array.from({ length: 300 }), () => tryOnce(login, "10.0.0.1"), { discard: true })
      // Not in somebody's transaction, which would keep the rows of others locked until it ends.
      yield* sql.withTransaction(tries)
      assert.strictEqual((yield* sql`SELECT key FROM rate_limits`).length, 201)
      yield* tries
      assert.strictEqual((yield* sql`SELECT key FROM rate_limits`).length, 1)
    }).pipe(Effect.provide(instance.pipe(Layer.provideMerge(freshDatabase)))))
})
