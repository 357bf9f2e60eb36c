/** Every hour: passes whose time is up, and keys spent long ago. Neither opens anything; safe to run twice. */
import { DateTime, Effect } from "effect"
import { inBatches } from "../domain/batches.ts"
import { KEYS_KEPT } from "../domain/hosting/entry-keys.ts"
import { PASS_LASTS } from "../domain/hosting/rules.ts"
import { PassStore } from "../domain/hosting/store.ts"
import { byTheClock } from "./by-the-clock.ts"

const AT_ONCE = 1_000

export const sweepPassesOnce = Effect.gen(function*() {
  const store = yield* PassStore
  const now = yield* DateTime.now
  const swept = yield* inBatches(AT_ONCE, store.sweep({ passes: DateTime.subtract(now, PASS_LASTS), keys: DateTime.subtract(now, KEYS_KEPT) }, AT_ONCE))
  if (swept > 0) yield* Effect.logInfo("passes swept").pipe(Effect.annotateLogs({ swept }))
  return swept
})

export const SweepPassesWorker = byTheClock("sweep-passes", "29 * * * *", sweepPassesOnce, "passes not swept")
