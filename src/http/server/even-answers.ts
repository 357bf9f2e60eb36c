/** Answers whose timing must not reveal what was done or found: writing a mail takes longer than finding nobody to write to. */
import { Effect, Latch } from "effect"

/** Well above what either case takes, password hashing included, and too short for a person to mind. */
const PACE = "100 millis"

/** Waits for the next full PACE since the beginning: on a busy machine what takes longer than one would tell its time again. */
const beats = Effect.gen(function*() {
  const next = yield* Latch.make()
  yield* Effect.forkChild(Effect.forever(Effect.andThen(Effect.sleep(PACE), next.release)))
  return next.await
})

/** Completes with the program, but only at a full PACE. A failure, such as an exhausted limit, is not delayed. */
export const evenly = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(beats, (next) => Effect.tap(program, next))

/** Refuses a guess only at a full PACE, so that not even a tenth of a millisecond reveals whether there was anything to guess. */
export const refusedEvenly = <A, E extends { readonly _tag: string }, R>(program: Effect.Effect<A, E, R>, refusal: E["_tag"]): Effect.Effect<A, E, R> =>
  Effect.flatMap(beats, (next) => Effect.tapError(program, ({ _tag }) => _tag === refusal ? next : Effect.void))
