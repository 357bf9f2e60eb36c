/**
 * For a clock that was ahead and is set back: the next turn of everything scheduled then lies up to a year away, and today's
 * turns are noted as taken. So all of it becomes due at once, which is safe to run twice, and later turns follow the right
 * clock. Checked while running, and at the start, since the clock may have been set in between. Whatever ended a timetable, it goes on
 * within five minutes.
 */
import { DateTime, Effect, Layer } from "effect"
import { goOn, putRight } from "../services/database/timetable.ts"

/** A clock that is ahead for less than this goes unnoticed, and what was scheduled meanwhile is corrected at the next start. */
const EVERY = "100 millis"

/** Smaller corrections change nothing. */
const AT_LEAST_MS = 30_000

/** How often it is looked whether every timetable has a turn ahead. */
const GOES_ON_MS = 300_000

export const FollowClock = Layer.effectDiscard(Effect.gen(function*() {
  let last = yield* DateTime.now
  let wentOn = last
  yield* putRight(last)
  const look = Effect.gen(function*() {
    yield* Effect.sleep(EVERY)
    const now = yield* DateTime.now
    if (DateTime.toEpochMillis(now) < DateTime.toEpochMillis(last) - AT_LEAST_MS) {
      const due = yield* putRight(now, 0)
      yield* Effect.logWarning("clock set back").pipe(Effect.annotateLogs({ due }))
    }
    if (Math.abs(DateTime.toEpochMillis(now) - DateTime.toEpochMillis(wentOn)) >= GOES_ON_MS) {
      wentOn = now
      const again = yield* goOn(now)
      if (again > 0) yield* Effect.logWarning("timetables had no turn ahead").pipe(Effect.annotateLogs({ again }))
    }
    last = now
  })
  // If the database is away, the next look still sees that the clock was set back.
  yield* Effect.forkScoped(Effect.forever(Effect.catchCause(look, (cause) => Effect.logWarning("clock not followed yet", cause))))
}))
