/** Every hour: room for the views of the coming days, and an end to those that may not be known any more. Safe to run twice. */
import { Cron, Effect } from "effect"
import { ClusterCron } from "effect/cluster"
import { ViewDays } from "../domain/analytics/view-days.ts"

export const keepOnce = Effect.gen(function*() {
  const days = yield* ViewDays
  yield* days.makeRoom()
  const dropped = yield* days.forget()
  if (dropped > 0) yield* Effect.logInfo("view days dropped").pipe(Effect.annotateLogs({ dropped }))
}).pipe(Effect.withSpan("KeepViewDays.once"))

/** Soon after the hour, so that midnight's keys do not wait for most of another one. */
export const KeepViewDaysWorker = ClusterCron.make({
  name: "keep-view-days",
  cron: Cron.parseUnsafe("1 * * * *"),
  execute: Effect.catchCause(keepOnce, (cause) => Effect.logError("view days not kept", cause))
})
