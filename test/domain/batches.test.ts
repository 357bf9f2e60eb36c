/** Work on many rows: each once, none held up by another, and never many of them in memory. */
import { assert, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { eachOnce } from "../../src/domain/batches.ts"

const named = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `${from + n}`)

/** A queue whose rows leave it when they are handled, unless they fail. `found`: how many were read at a time. */
const queue = (rows: ReadonlyArray<string>, fails: (row: string) => boolean) => {
  const [left, handled, found] = [new Set(rows), [] as Array<string>, [] as Array<number>]
  const run = eachOnce(200, {
    waiting: (limit) =>
      Effect.sync(() => {
        const some = [...left].slice(0, limit)
        found.push(some.length)
        return some
      }),
    nameOf: (row) => row,
    handle: (row) =>
      Effect.suspend(() => {
        handled.push(row)
        if (fails(row)) return Effect.die("refused")
        left.delete(row)
        return Effect.succeed(1)
      }),
    failure: "a row was not handled"
  })
  return { found, handled, left, run }
}

layer(Logger.layer([]))("each once", (it) => {
  it.effect("takes no more at a time, however many wait", () =>
    Effect.gen(function*() {
      const { found, left, run } = queue(named(0, 1_000), () => false)
      assert.strictEqual(yield* run, 1_000)
      assert.strictEqual(left.size, 0)
      assert.deepStrictEqual(found, [200, 200, 200, 200, 200, 0])
    }))

  it.effect("handles those behind any number that fail", () =>
    Effect.gen(function*() {
      const { found, handled, left, run } = queue(named(0, 700), (row) => Number(row) < 450)
      assert.strictEqual(yield* run, 250)
      assert.deepStrictEqual(handled, named(0, 700))
      assert.deepStrictEqual([...left], named(0, 450))
      assert.isAtMost(Math.max(...found), 200 + 450)
    }))
})
