/** What is outside of the database, and has to go if the transaction that would name it keeps nothing. */
import { Effect } from "effect"

/**
 * The transaction in `run` takes `last` as its last step: whatever fails before that is rolled back, also by a defect. A COMMIT
 * that failed may have been kept all the same, and so may a call that was interrupted: nothing is undone then.
 */
export const undoing = <A, E, R>(undo: Effect.Effect<void>, run: (last: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    let committing = false
    const last = Effect.sync(() => { committing = true })
    return run(last).pipe(
      Effect.tapError(() => undo),
      Effect.tapDefect(() => committing ? Effect.void : undo)
    )
  })
