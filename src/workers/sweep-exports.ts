/** Every hour: archives whose link is over, bytes and all. Safe to run twice. */
import { Cron, Effect } from "effect"
import { ClusterCron } from "effect/cluster"
import { Exports } from "../domain/exports/exports.ts"

export const sweepExportsOnce = Effect.gen(function*() {
  const swept = yield* (yield* Exports).sweep()
  if (swept > 0) yield* Effect.logInfo("exports swept").pipe(Effect.annotateLogs({ swept }))
  return swept
}).pipe(Effect.withSpan("SweepExports.once"))

export const SweepExportsWorker = ClusterCron.make({
  name: "sweep-exports",
  cron: Cron.parseUnsafe("53 * * * *"),
  execute: Effect.catchCause(sweepExportsOnce, (cause) => Effect.logError("exports not swept", cause))
})
