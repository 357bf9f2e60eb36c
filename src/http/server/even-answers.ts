/** Answers whose time must not tell what was done or found: writing a mail takes longer than finding nobody to write to. */
import { Effect, Fiber } from "effect"

/** Well above what either takes, even hashing a password, and too short for a person to mind. */
const PACE = "100 millis"

/** Done when the program is, but no sooner than the pace. What fails, such as a limit that is used up, fails at once. */
export const evenly = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.map(Effect.all([program, Effect.sleep(PACE)], { concurrency: 2 }), ([answer]) => answer)

/** Refuses a guess no sooner than the pace, so that the last tenth of a millisecond does not tell whether there was anything to guess. */
export const refusedEvenly = <A, E extends { readonly _tag: string }, R>(program: Effect.Effect<A, E, R>, refusal: E["_tag"]): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkChild(Effect.sleep(PACE)), (pace) =>
    Effect.tapError(program, ({ _tag }) => _tag === refusal ? Fiber.join(pace) : Effect.void))
