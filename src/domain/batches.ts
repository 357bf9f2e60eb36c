/** Work on many rows, some at a time: no statement holds many for long. */
import { Effect } from "effect"

/** As long as there is more: less than `size` is the last of it. Answers how many in all. */
export const inBatches = Effect.fnUntraced(function*<E, R>(size: number, some: Effect.Effect<number, E, R>) {
  for (let all = 0;;) {
    const more = yield* some
    all += more
    if (more < size) return all
  }
})
