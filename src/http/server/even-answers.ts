/** Answers whose timing must not reveal what was done or found: writing a mail takes longer than finding nobody to write to. */
import { Effect, Fiber } from "effect"

/** Well above what either case takes, password hashing included, and too short for a person to mind. */
const PACE = "100 millis"

/** Completes with the program, but not before PACE. A failure, such as an exhausted limit, is not delayed. */
export const evenly = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.map(Effect.all([program, Effect.sleep(PACE)], { concurrency: 2 }), ([answer]) => answer)

/** Refuses a guess not before PACE, so that not even a tenth of a millisecond reveals whether there was anything to guess. */
export const refusedEvenly = <A, E extends { readonly _tag: string }, R>(program: Effect.Effect<A, E, R>, refusal: E["_tag"]): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkChild(Effect.sleep(PACE)), (pace) =>
    Effect.tapError(program, ({ _tag }) => _tag === refusal ? Fiber.join(pace) : Effect.void))
