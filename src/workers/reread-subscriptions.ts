/** Every hour: those who pay and of whom nothing was heard for too long, since a notice may never have come. Safe to run twice. */
import { Cron, Effect } from "effect"
import { ClusterCron } from "effect/cluster"
import { Subscriptions } from "../domain/billing/subscriptions.ts"
import { Payments } from "../domain/ports/payments.ts"

export const rereadOnce = Effect.gen(function*() {
  if (!(yield* Payments).enabled) return
  const read = yield* (yield* Subscriptions).readOverdue()
  if (read > 0) yield* Effect.logInfo("subscriptions reread").pipe(Effect.annotateLogs({ read }))
}).pipe(Effect.withSpan("RereadSubscriptions.once"))

export const RereadSubscriptionsWorker = ClusterCron.make({
  name: "reread-subscriptions",
  cron: Cron.parseUnsafe("41 * * * *"),
  execute: Effect.catchCause(rereadOnce, (cause) => Effect.logError("subscriptions not reread", cause))
})
