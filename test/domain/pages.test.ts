/** A list that goes on by key, read to its end. */
import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { every } from "../../src/domain/pages.ts"
import type { Page } from "../../src/domain/pages.ts"

/** Reads a list of so many rows, three at a time; answers them, and the cursors that were asked for. */
const all = Effect.fnUntraced(function*(rows: number, most = Infinity) {
  const asked: Array<string | undefined> = []
  const read = ({ after, limit }: Page) =>
    Effect.sync(() => {
      asked.push(after)
      const from = after === undefined ? 0 : Number(after) + 1
      return Array.from({ length: Math.min(limit, rows - from) }, (_, index) => ({ id: String(from + index) }))
    })
  const found = yield* Stream.runCollect(Stream.take(every(3, read), most))
  return { ids: found.map(({ id }) => id).join(), asked }
})

it.effect("every row comes once, also where the last page is full, and no page before its turn", Effect.fnUntraced(function*() {
  assert.deepStrictEqual(yield* all(0), { ids: "", asked: [undefined] })
  assert.deepStrictEqual(yield* all(5), { ids: "0,1,2,3,4", asked: [undefined, "2"] })
  assert.deepStrictEqual(yield* all(6), { ids: "0,1,2,3,4,5", asked: [undefined, "2", "5"] })
  assert.deepStrictEqual(yield* all(9, 2), { ids: "0,1", asked: [undefined] })
}))
