/** Rate limits in Redis: exact across processes, by its own clock, and no outage of the service while it is away. */
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, Redacted, References, Result, Scope } from "effect"
import { RateLimiter } from "effect/persistence"
import { createClient } from "redis"
import { afterAll, beforeAll, describe } from "vitest"
import type { Limit } from "../../../src/domain/ports/rate-limits.ts"
import { RateLimits } from "../../../src/domain/ports/rate-limits.ts"
import { RateLimitsEffect } from "../../../src/services/rate-limits/rate-limits.ts"
import { RateLimiterStoreRedis } from "../../../src/services/rate-limits/store-redis.ts"
import { freshDatabaseFacts } from "../../support/database.ts"
import { at, DAY } from "../../support/moments.ts"
import { clearAway, eventually, newFolder, serve } from "../../support/program.ts"
import type { Program } from "../../support/program.ts"
import { hasRedis, openRedis } from "../../support/redis.ts"
import type { Redis } from "../../support/redis.ts"

const login: Limit = { name: "login.address", limit: 5, window: "1 minute" }
const magic: Limit = { name: "magic.email", limit: 3, window: "1 hour" }

/** For 200 requests at once, beyond several times what they take with Redis: each waits half a second at most, whereas a Redis that hangs would hold them for ever. */
const PATIENCE = 15_000

/** Redis's own clock goes on while a test shifts its windows, by less than this. */
const SLACK = 10_000

const tryOnce = (limit: Limit, key: string) => Effect.result(RateLimits.use((limits) => limits.consume(limit, key)))

describe.skipIf(!hasRedis)("rate limits in Redis (wants redis-server)", () => {
  let redis: Redis
  const scope = Scope.makeUnsafe()

  beforeAll(async () => {
    redis = await openRedis()
  })

  afterAll(async () => {
    await clearAway()
    await redis.kill()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const instance = Layer.unwrap(Effect.sync(() =>
    Layer.fresh(RateLimitsEffect.pipe(Layer.provide(Layer.fresh(RateLimiterStoreRedis(Redacted.make(redis.url))))))))

  /** Time passes for all windows, or goes back. */
  const pass = (millis: number) =>
    Effect.promise(async () => {
      const operator = await createClient({ url: redis.url }).connect()
      for (const key of await operator.keys("*")) await operator.hIncrBy(key, "ends", -millis)
      operator.destroy()
    })

  it.effect("let the limit through, say how long to wait, and open again, by the clock of Redis alone, also after it was a year ahead", () =>
    Effect.gen(function*() {
      const waits = Effect.map(Effect.flip(RateLimits.use((limits) => limits.consume(login, "10.0.0.1"))), ({ details }) => Number(details["retry_after_seconds"]))
      for (let one = 0; one < 5; one++) assert.isTrue(Result.isSuccess(yield* at(one % 2 * DAY, tryOnce(login, "10.0.0.1"))))
      yield* pass(20_500)
      for (const millis of [0, DAY]) assert.isTrue((yield* at(millis, waits)) <= 40)
      yield* pass(39_500 - SLACK)
      assert.isTrue((yield* waits) <= SLACK / 1000)
      yield* pass(SLACK)
      assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.1")))
      assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.2")))
      for (const minutes of [25, 34, 0.5]) {
        assert.isTrue(Result.isSuccess(yield* tryOnce(magic, "ada@example.com")))
        yield* pass(minutes * 60_000)
      }
      assert.isTrue(Result.isFailure(yield* tryOnce(magic, "ada@example.com")))
      for (let one = 0; one < 5; one++) assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.8")))
      yield* pass(-365 * DAY)
      assert.isTrue(Result.isFailure(yield* tryOnce(login, "10.0.0.8")))
      yield* pass(60_000 - SLACK)
      assert.isTrue(Result.isFailure(yield* tryOnce(login, "10.0.0.8")))
      yield* pass(SLACK)
      assert.isTrue(Result.isSuccess(yield* tryOnce(login, "10.0.0.8")))
      for (const key of yield* Effect.promise(redis.keys)) assert.match(key, /^svc:limits:[A-Za-z0-9_-]{43}$/)
    }).pipe(Effect.provide(instance)))

  it.effect("count unlimited tries, as the library asks for them", () =>
    Effect.gen(function*() {
      const store = yield* RateLimiter.RateLimiterStore
      const one = { key: "unlimited", tokens: 2, refillRate: "30 seconds", limit: undefined, algorithm: "fixed-window" } as never
      assert.deepStrictEqual(yield* store.fixedWindow(one), [2, 60_000])
      const [count, left] = yield* store.fixedWindow(one)
      assert.isTrue(count === 4 && left <= 60_000 && left > 60_000 - SLACK)
    }).pipe(Effect.provide(Layer.unwrap(Effect.sync(() => RateLimiterStoreRedis(Redacted.make(redis.url)))))))

  it("say why Redis refuses, and a start is refused where it lets nobody in", async () => {
    const operator = await createClient({ url: redis.url }).connect()
    const heard: Array<string> = []
    const hearing = Logger.layer([Logger.make(({ fiber, message }) => void heard.push(`${String(message)} ${JSON.stringify(fiber.getRef(References.CurrentLogAnnotations))}`))])
    const store = (user: string) => RateLimiterStoreRedis(Redacted.make(redis.url.replace("//", `//${user}`)))
    const refusal = (user: string) => Effect.runPromise(Effect.map(Effect.flip(Effect.scoped(Layer.build(store(user)))), ({ message }) => message))
    const said = (why: string) => `SVC_REDIS_URL names a Redis that does not let this user in (${why}); correct the user name and password in it.`
    assert.strictEqual(await refusal("ada:hunter2@"), said("WRONGPASS"))
    const numbered = RateLimiterStoreRedis(Redacted.make(`${redis.url}/99`))
    assert.strictEqual((await Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(numbered))))).message, "SVC_REDIS_URL ends in the number of a database that this Redis does not have; leave the number out.")
    await operator.configSet("requirepass", "right")
    try {
      assert.deepStrictEqual([await refusal(":hunter2@"), await refusal("")], [said("WRONGPASS"), said("NOAUTH")])
      await operator.configSet("maxmemory", "1")
      const tries = Effect.all([tryOnce(login, "10.3.0.1"), tryOnce(login, "10.3.0.1")])
      const tried = tries.pipe(Effect.provide(RateLimitsEffect.pipe(Layer.provide(store(":right@")))), Effect.provide(hearing))
      assert.isTrue((await Effect.runPromise(tried)).every(Result.isSuccess))
      assert.deepStrictEqual(heard, ['Redis is away or refuses; this instance counts its rate limits alone {"why":"OOM"}'])
    } finally {
      await operator.configSet({ requirepass: "", maxmemory: "0" })
      operator.destroy()
    }
  })

  it("let exactly the limit through of 200 parallel tries over two processes, and go on when Redis hangs, dies and returns", async () => {
    const { database, host, username } = await Effect.runPromise(Scope.provide(scope)(freshDatabaseFacts))
    const environment = {
      SVC_DATABASE_URL: `postgres://${username}@localhost/${database}?host=${host}`,
      SVC_SECRET: "a secret that both of them know, and nobody else",
      SVC_SMTP_URL: "smtp://127.0.0.1:1",
      SVC_BASE_URL: "http://svc.localhost",
      SVC_REDIS_URL: redis.url,
      SVC_TRUSTED_PROXY_HOPS: "1"
    }
    const programs = await Promise.all([0, 1].map(() => serve({ ...environment, SVC_DATA_DIR: newFolder() })))

    // Before anything was counted: an alert notices a counter that rises, not one that appears.
    assert.match((await programs[0]!.ask("/metrics")).text, /^svc_limits_alone_total 0$/m)

    let addresses = 0
    const guess = (program: Program, address: string) =>
      program.ask("/v1/auth/invites/accept", { json: { token: "guess", name: "G" }, headers: { "x-forwarded-for": address } })
    const guesses = async (count: number) => {
      const address = `10.1.0.${++addresses}`
      const started = performance.now()
      const answers = await Promise.all(Array.from({ length: count }, (_, index) => guess(programs[index % 2]!, address)))
      assert.sameMembers([...new Set(answers.map((answer) => answer.status))], [401, 429])
      return { let: answers.filter((answer) => answer.status === 401).length, ms: performance.now() - started }
    }
    const noticed = () => programs.flatMap((program) => program.stdout().match(/Redis is away or refuses/g) ?? []).length
    const together = () => eventually("they count together again", async () => (await guesses(100)).let === 20)

    // On a busy machine an answer of Redis may take too long; a burst during which that happened proves nothing.
    let patience = PATIENCE
    for (let tries = 1; ; tries++) {
      const before = noticed()
      const burst = await guesses(200)
      if (noticed() === before || tries === 3) {
        assert.strictEqual(burst.let, 20)
        patience += 5 * burst.ms
        break
      }
      await together()
    }

    // Both instances count alone: twice the limit, and nobody waits long.
    redis.pause(true)
    const hanging = await guesses(200)
    assert.strictEqual(hanging.let, 40)
    assert.isBelow(hanging.ms, patience)
    redis.pause(false)
    await together()

    await redis.kill()
    const gone = await guesses(200)
    assert.strictEqual(gone.let, 40)
    assert.isBelow(gone.ms, patience)
    for (const program of programs) {
      await eventually("it is ready", async () => (await program.ask("/readyz")).status === 200)
      assert.match(program.stdout(), /Redis is away or refuses.*(?:ETIMEDOUT|ECONNREFUSED)/s)
    }
    await redis.start()
    await together()

    await redis.kill()
    const third = await serve({ ...environment, SVC_DATA_DIR: newFolder() })
    assert.match(third.stdout(), /Redis is away or refuses.*ECONNREFUSED/s)
    assert.strictEqual((await guess(third, "10.2.0.1")).status, 401)
    assert.match((await third.ask("/metrics")).text, /^svc_limits_alone_total [1-9]/m)
    const ends = await Promise.all([...programs, third].map((program) => program.end()))
    assert.deepStrictEqual(ends.map(({ code, stderr }) => [code, stderr]), [[0, ""], [0, ""], [0, ""]])
    await redis.start()
  })
})
