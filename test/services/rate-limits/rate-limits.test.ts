/** Rate limits over both stores: exact, whole windows, no readable key stored. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
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

const scenarios = (name: string, store: Layer.Layer<RateLimiter.RateLimiterStore | SqlClient.SqlClient>) =>
  describe(name, () => {
    const provide = Effect.provide(RateLimitsEffect.pipe(Layer.provideMerge(store)))

    it.effect("lets the limit through, then says how long to wait, and counts each key alone", () =>
      Effect.gen(function*() {
        for (let one = 0; one < 5; one++) assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.1")))
        yield* TestClock.adjust("20500 millis")
        const refused = yield* tryOnce(login, "10.0.0.1")
        assert.strictEqual(wait(refused), 40)
        if (Result.isFailure(refused)) {
          assert.strictEqual(refused.failure._tag, "rate_limited")
          assert.notInclude(JSON.stringify(refused.failure), "10.0.0.1")
        }
        assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.2")))
        assert.isTrue(Result.isSuccess(yield* tryOnce({ ...login, name: "other" }, "10.0.0.1")))
        yield* TestClock.adjust("39499 millis")
        assert.strictEqual(wait(yield* tryOnce(login, "10.0.0.1")), 1)
        yield* TestClock.adjust("1 millis")
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
        const tried = (millis: number) => at(millis, tryOnce(login, "10.0.0.8"))
        for (let one = 0; one < 5; one++) assert.isTrue(Result.isSuccess(yield* tried(365 * DAY)))
        assert.strictEqual(wait(yield* tried(0)), 60)
        assert.strictEqual(wait(yield* tried(59_999)), 1)
        assert.isTrue(Result.isSuccess(yield* tried(60_000)))
      }).pipe(provide))

    it.effect("three an hour are three in the whole hour, however they are spread", () =>
      Effect.gen(function*() {
        assert.isTrue(Result.isSuccess(yield* tryOnce(magic, "ada@example.com")))
        yield* TestClock.adjust("25 minutes")
        assert.isTrue(Result.isSuccess(yield* tryOnce(magic, "ada@example.com")))
        assert.isTrue(Result.isSuccess(yield* tryOnce(magic, "ada@example.com")))
        yield* TestClock.adjust("34 minutes")
        assert.strictEqual(wait(yield* tryOnce(magic, "ada@example.com")), 60)
        yield* TestClock.adjust("1 minute")
        assert.isTrue(Result.isSuccess(yield* tryOnce(magic, "ada@example.com")))
      }).pipe(provide))

    it.effect("200 parallel tries at a limit of 5: exactly 5 pass, and refusals do not prolong the wait", () =>
      Effect.gen(function*() {
        const all = yield* Effect.all(Array.from({ length: 200 }, () => tryOnce(login, "burst")), { concurrency: "unbounded" })
        assert.strictEqual(passed(all), 5)
        yield* TestClock.adjust("1 minute")
        const again = yield* Effect.all(Array.from({ length: 200 }, () => tryOnce(login, "burst")), { concurrency: "unbounded" })
        assert.strictEqual(passed(again), 5)
      }).pipe(provide))
  })

scenarios("rate limits in memory", Layer.mergeAll(RateLimiterStoreMemory, Layer.succeed(SqlClient.SqlClient, null as never)))
scenarios("rate limits in PostgreSQL", RateLimiterStoreSql.pipe(Layer.provideMerge(freshDatabase)))

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

  it.effect("keep no readable key, and drop what is over", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(Array.from({ length: 200 }, (_, one) => `ada+${one}@example.com`), (email) => tryOnce(magic, email), {
        concurrency: 20
      })
      const rows = yield* sql<{ key: string }>`SELECT key FROM rate_limits`
      assert.strictEqual(rows.length, 200)
      for (const { key } of rows) assert.match(key, /^[A-Za-z0-9_-]{43}$/)
      yield* TestClock.adjust("2 hours")
      yield* Effect.forEach(Array.from({ length: 300 }), () => tryOnce(login, "10.0.0.1"), { discard: true })
      assert.strictEqual((yield* sql`SELECT key FROM rate_limits`).length, 1)
    }).pipe(Effect.provide(instance.pipe(Layer.provideMerge(freshDatabase)))))
})
