/** Answers whose time must not tell what was done: writing a mail takes longer than finding nobody to write to. */
import { Effect } from "effect"

/** Well above what either takes, even hashing a password, and too short for a person to mind. */
const PACE = "100 millis"

/** Done when the program is, but no sooner than the pace. What fails, such as a limit that is used up, fails at once. */
export const evenly = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.map(Effect.all([program, Effect.sleep(PACE)], { concurrency: 2 }), ([answer]) => answer)
