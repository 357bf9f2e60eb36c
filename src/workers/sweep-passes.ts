/** Every hour: deletes expired passes, and keys spent long ago. Neither opens anything; safe to run twice. */
import { Effect } from "effect"
import { Gates } from "../domain/hosting/gates.ts"
import { byTheClock } from "./by-the-clock.ts"

export const sweepPassesOnce = Effect.gen(function*() {
  const swept = yield* (yield* Gates).sweep()
  if (swept > 0) yield* Effect.logInfo("passes swept").pipe(Effect.annotateLogs({ swept }))
  return swept
})

export const SweepPassesWorker = byTheClock("sweep-passes", "29 * * * *", sweepPassesOnce, "passes not swept")
