/** Work that comes by the clock, in turns that one instance takes for all. A turn that fails is logged, and made good by the next. */
import { Cron, Effect } from "effect"
import { ClusterCron } from "effect/cluster"

/** `cron` has five fields, in UTC. `failed` is what the log says of a turn that came to nothing. */
export const byTheClock = <E, R>(name: string, cron: string, turn: Effect.Effect<unknown, E, R>, failed: string) =>
  ClusterCron.make({
    name,
    cron: Cron.parseUnsafe(cron, "UTC"),
    execute: turn.pipe(Effect.withSpan(name), Effect.catchCause((cause) => Effect.logError(failed, cause)))
  })
