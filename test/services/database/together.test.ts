/** Many simultaneous queries become one statement, sent after all of them were made; one query's fault does not affect the others. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { together } from "../../../src/services/database/together.ts"
import { freshDatabase } from "../../support/database.ts"

/** Doubles its input, and records which inputs were sent together. */
const doubling = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const statements: Array<ReadonlyArray<string>> = []
  const ask = yield* together({
    alone: (asked: string) =>
      Effect.suspend(() => {
        statements.push([asked])
        return Effect.orDie(Effect.map(sql<{ twice: number }>`SELECT ${asked}::int * 2 AS twice`, ([row]) => row!.twice))
      }),
    many: (asked) =>
      Effect.suspend(() => {
        statements.push(asked)
        return Effect.orDie(Effect.map(
          sql<{ twice: number }>`SELECT n::int * 2 AS twice FROM unnest(${asked}::text[]) WITH ORDINALITY AS a (n, at) ORDER BY at`,
          (rows) => rows.map((row) => row.twice)
        ))
      })
  })
  return { ask, statements }
})

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => String(from + n))

layer(freshDatabase, { timeout: "30 seconds", excludeTestServices: true })("questions asked together", (it) => {
  it.effect("are one statement, and each is told its own answer", () =>
    Effect.gen(function*() {
      const { ask, statements } = yield* doubling
      assert.strictEqual(yield* ask("21"), 42)
      const all = yield* Effect.forEach(numbers(1, 150), ask, { concurrency: "unbounded" })
      assert.deepStrictEqual(all, numbers(1, 150).map((n) => Number(n) * 2))
      assert.deepStrictEqual(statements, [["21"], numbers(1, 64), numbers(65, 128), numbers(129, 150)])
    }))

  it.effect("are read after they were asked, whatever is under way", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE facts (value int NOT NULL)`
      yield* sql`INSERT INTO facts VALUES (0)`
      const read = Effect.orDie(Effect.map(sql<{ value: number }>`SELECT value FROM facts`, ([row]) => row!.value))
      const ask = yield* together({ alone: () => read, many: (asked) => Effect.map(read, (value) => asked.map(() => value)) })
      const asking = yield* Effect.forkChild(Effect.forEach(numbers(1, 200), ask, { concurrency: "unbounded" }))
      for (let value = 1; value <= 20; value++) {
        yield* sql`UPDATE facts SET value = ${value}`
        assert.deepStrictEqual(yield* Effect.all([ask("a"), ask("b"), ask("c")], { concurrency: "unbounded" }), [value, value, value])
      }
      yield* Fiber.join(asking)
    }))

  it.effect("are sent separately inside a transaction, which sees uncommitted rows", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const outside = Effect.runPromiseWith(yield* Effect.context<never>())
      const seen = Effect.orDie(Effect.map(sql`SELECT 1 FROM pg_class WHERE relname = 'unborn'`, (rows) => rows.length))
      const ask = yield* together({ alone: () => seen, many: (asked) => Effect.map(seen, (found) => asked.map(() => found)) })
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`CREATE TABLE unborn ()`
        assert.deepStrictEqual(yield* Effect.all([ask(1), ask(2)], { concurrency: "unbounded" }), [1, 1])
        const others = Effect.all([ask(1), ask(2)], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* Effect.promise(() => outside(others)), [0, 0])
      }))
    }))

  it.effect("fail alone where they are wrong themselves, and together where the statement does", () =>
    Effect.gen(function*() {
      const { ask } = yield* doubling
      const exits = yield* Effect.forEach(["1", "no number", "3"], (n) => Effect.exit(ask(n)), { concurrency: "unbounded" })
      assert.deepStrictEqual(exits.map((exit) => exit._tag === "Success" ? exit.value : exit._tag), [2, "Failure", 6])
      const down = yield* together({ alone: () => Effect.die("down"), many: () => Effect.die("down") })
      const all = yield* Effect.forEach([1, 2, 3], (n) => Effect.exit(down(n)), { concurrency: "unbounded" })
      assert.deepStrictEqual(all.map((exit) => exit._tag), ["Failure", "Failure", "Failure"])
    }))

  it.effect("go on for those who stay", () =>
    Effect.gen(function*() {
      const [begun, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const asked: Array<ReadonlyArray<number>> = []
      const many = Effect.fnUntraced(function*(all: ReadonlyArray<number>) {
        asked.push(all)
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(open)
        return all.map((n) => n * 2)
      })
      const ask = yield* together({ alone: (n: number) => Effect.succeed(n * 2), many })
      const [one, two, three] = yield* Effect.forEach([1, 2, 3], (n) => Effect.forkChild(ask(n), { startImmediately: true }))
      // A query cancelled before the statement is sent is left out; one cancelled during it stops waiting.
      three!.interruptUnsafe()
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(one!)
      yield* Deferred.succeed(open, undefined)
      assert.strictEqual(yield* Fiber.join(two!), 4)
      assert.deepStrictEqual(asked, [[1, 2]])
    }))
})
