/**
 * A clock that was ahead and is set back: the next turn of everything that runs by the hour lies where nobody gets for long, up to
 * a year away, and turns of today are noted as taken. So it is all due at once, which is safe to run twice, and its turns after
 * that are by the right clock. Looked at while it works, and when it begins: the clock may have been set in between.
 */
import { DateTime, Effect, Layer } from "effect"
import { putRight } from "../services/database/timetable.ts"

/** A clock that is ahead for less is not seen, and what it set out meanwhile waits for the next start. */
const EVERY = "100 millis"

/** Clocks that are put right by little go on as they are. */
const AT_LEAST_MS = 30_000

export const FollowClock = Layer.effectDiscard(Effect.gen(function*() {
  let last = yield* DateTime.now
  yield* putRight(last)
  const look = Effect.gen(function*() {
    yield* Effect.sleep(EVERY)
    const now = yield* DateTime.now
    if (DateTime.toEpochMillis(now) < DateTime.toEpochMillis(last) - AT_LEAST_MS) {
      const due = yield* putRight(now, 0)
      yield* Effect.logWarning("clock set back").pipe(Effect.annotateLogs({ due }))
    }
    last = now
  })
  // A database that is away: it is still to be seen at the next look.
  yield* Effect.forkScoped(Effect.forever(Effect.catchCause(look, (cause) => Effect.logWarning("clock not followed yet", cause))))
}))
