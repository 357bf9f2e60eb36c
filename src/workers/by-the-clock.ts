/** Scheduled work: one instance takes each turn for all of them. A turn that fails is logged, and the next one makes up for it. */
import { Cron, Effect } from "effect"
import { ClusterCron } from "effect/cluster"

/** Logs how much a turn did, if it did anything, and answers that number. */
export const telling = <E, R>(turn: Effect.Effect<number, E, R>, done: string) =>
  Effect.tap(turn, (count) => count > 0 ? Effect.annotateLogs(Effect.logInfo(done), { count }) : Effect.void)

/** `cron` has five fields, in UTC. `failed` is what the log says of a failed turn. */
export const byTheClock = <E, R>(name: string, cron: string, turn: Effect.Effect<unknown, E, R>, failed: string) =>
  ClusterCron.make({
    name,
    cron: Cron.parseUnsafe(cron, "UTC"),
    execute: turn.pipe(Effect.withSpan(name), Effect.catchCause((cause) => Effect.logError(failed, cause)))
  })
