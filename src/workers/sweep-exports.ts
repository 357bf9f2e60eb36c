/** Every hour: deletes archives whose link has expired, bytes included. Safe to run twice. */
import { Effect } from "effect"
import { Exports } from "../domain/exports/exports.ts"
import { byTheClock } from "./by-the-clock.ts"

export const sweepExportsOnce = Effect.gen(function*() {
  const swept = yield* (yield* Exports).sweep()
  if (swept > 0) yield* Effect.logInfo("exports swept").pipe(Effect.annotateLogs({ swept }))
  return swept
})

export const SweepExportsWorker = byTheClock("sweep-exports", "53 * * * *", sweepExportsOnce, "exports not swept")
