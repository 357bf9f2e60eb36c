/** Every hour: passes whose time is up, and keys spent long ago. Neither opens anything; safe to run twice. */
import { Cron, DateTime, Effect } from "effect"
import { ClusterCron } from "effect/cluster"
import { KEY_LASTS } from "../domain/hosting/entry-keys.ts"
import { PASS_LASTS } from "../domain/hosting/rules.ts"
import { PassStore } from "../domain/hosting/store.ts"

/** Far beyond the minute that a key is good for: clocks differ between machines. */
const KEYS_KEPT = { minutes: 60 * KEY_LASTS.minutes } as const

export const sweepPassesOnce = Effect.gen(function*() {
  const store = yield* PassStore
  const now = yield* DateTime.now
  const swept = yield* store.sweep({ passes: DateTime.subtract(now, PASS_LASTS), keys: DateTime.subtract(now, KEYS_KEPT) })
  yield* Effect.logInfo("passes swept").pipe(Effect.annotateLogs({ swept }))
  return swept
}).pipe(Effect.withSpan("SweepPasses.once"))

export const SweepPassesWorker = ClusterCron.make({
  name: "sweep-passes",
  cron: Cron.parseUnsafe("29 * * * *"),
  execute: Effect.catchCause(sweepPassesOnce, (cause) => Effect.logError("passes not swept", cause))
})
