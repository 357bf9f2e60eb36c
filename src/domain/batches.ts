/** Work on many rows in batches: no statement holds many rows for long. */
import { Effect } from "effect"

/** Repeats `some` until it handles fewer than `size` rows. Answers how many it handled in all. */
export const inBatches = Effect.fnUntraced(function*<E, R>(size: number, some: Effect.Effect<number, E, R>) {
  for (let all = 0;;) {
    const more = yield* some
    all += more
    if (more < size) return all
  }
})

/** One of many that fails does not hold up the others: it counts as none, and the log says `failure`. */
export const orNone = (failure: string) => <E, R>(handled: Effect.Effect<number, E, R>): Effect.Effect<number, never, R> =>
  Effect.catchCause(handled, (cause) => Effect.as(Effect.logError(failure, cause), 0))

interface Queue<A, E, R, E2, R2> {
  readonly waiting: (limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
  readonly nameOf: (row: A) => string
  readonly handle: (row: A) => Effect.Effect<number, E2, R2>
  /** What the log says where `handle` fails. */
  readonly failure: string
}

/** Handles every row that waits, `size` at a time. Answers the sum of what `handle` answered. */
export const eachOnce = Effect.fnUntraced(function*<A, E, R, E2, R2>(size: number, { failure, handle, nameOf, waiting }: Queue<A, E, R, E2, R2>) {
  const seen = new Set<string>()
  // `left`: seen and still waiting, so that they may stand before those that are new.
  for (let sum = 0, left = 0;;) {
    const found = yield* waiting(size + left)
    const rows = found.filter((row) => !seen.has(nameOf(row)))
    if (rows.length === 0 && found.length < size + left) return sum
    left = found.length - rows.length
    for (const row of rows) {
      // Each row once a run: one that waits again is left to the next run.
      seen.add(nameOf(row))
      sum += yield* orNone(failure)(handle(row))
    }
  }
})
