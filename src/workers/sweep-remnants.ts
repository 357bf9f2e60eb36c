/** Every day: notices of payments of which nothing will be heard again, and agents' clients that nobody ever let in. Safe to run twice. */
import { Cron, DateTime, Effect } from "effect"
import { ClusterCron } from "effect/cluster"
import { NOTICES_KEPT } from "../domain/billing/rules.ts"
import { BillingStore } from "../domain/billing/store.ts"
import { UNUSED_KEPT } from "../domain/oauth/rules.ts"
import { OauthStore } from "../domain/oauth/store.ts"

export const sweepRemnantsOnce = Effect.gen(function*() {
  const now = yield* DateTime.now
  const notices = yield* (yield* BillingStore).sweepNotices(DateTime.subtract(now, NOTICES_KEPT))
  const clients = yield* (yield* OauthStore).sweepClients(DateTime.subtract(now, UNUSED_KEPT))
  if (notices + clients > 0) yield* Effect.logInfo("remnants swept").pipe(Effect.annotateLogs({ notices, clients }))
  return { notices, clients }
}).pipe(Effect.withSpan("SweepRemnants.once"))

export const SweepRemnantsWorker = ClusterCron.make({
  name: "sweep-remnants",
  cron: Cron.parseUnsafe("17 4 * * *"),
  execute: Effect.catchCause(sweepRemnantsOnce, (cause) => Effect.logError("remnants not swept", cause))
})
