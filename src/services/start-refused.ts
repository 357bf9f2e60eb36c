/** Why a start is refused, as one plain sentence that says what to do. */
import { Effect, Schema } from "effect"

export class StartRefused extends Schema.TaggedError<StartRefused>()("StartRefused", { message: Schema.String }) {}

const asRefusal = (what: string, where: string) => (cause: unknown): StartRefused =>
  cause instanceof StartRefused ? cause : new StartRefused({
    message: `${what} (${cause instanceof Error ? cause.message : String(cause)}); check that this user may write to ${where} and that the disk is not full.`
  })

/** Runs a step of the start that may throw a `StartRefused`, or whatever the operating system says. */
export const step = <A>(
  run: () => A | PromiseLike<A>,
  what = "The embedded database cannot start",
  where = "SVC_DATA_DIR"
): Effect.Effect<A, StartRefused> =>
  Effect.uninterruptible(Effect.tryPromise({ try: async () => await run(), catch: asRefusal(what, where) }))
