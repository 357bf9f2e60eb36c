/** Every ten minutes: staged uploads that nobody finished, with their bytes. Safe to run twice. */
import { Cron, Effect } from "effect"
import { ClusterCron } from "effect/cluster"
import { Uploads } from "../domain/uploads/uploads.ts"

export const sweepUploadsOnce = Effect.gen(function*() {
  const chunks = yield* (yield* Uploads).sweep()
  if (chunks > 0) yield* Effect.logInfo("uploads swept").pipe(Effect.annotateLogs({ chunks }))
}).pipe(Effect.withSpan("SweepUploads.once"))

export const SweepUploadsWorker = ClusterCron.make({
  name: "sweep-uploads",
  cron: Cron.parseUnsafe("*/10 * * * *"),
  execute: Effect.catchCause(sweepUploadsOnce, (cause) => Effect.logError("uploads not swept", cause))
})
