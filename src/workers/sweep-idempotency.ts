/** Every hour: answers kept for calls that nobody sends again. Safe to run twice. */
import { Cron, Effect } from "effect"
import { ClusterCron } from "effect/cluster"
import { Idempotency } from "../domain/idempotency/idempotency.ts"

const sweepIdempotencyOnce = Effect.gen(function*() {
  const calls = yield* (yield* Idempotency).sweep()
  if (calls > 0) yield* Effect.logInfo("idempotent calls swept").pipe(Effect.annotateLogs({ calls }))
}).pipe(Effect.withSpan("SweepIdempotency.once"))

export const SweepIdempotencyWorker = ClusterCron.make({
  name: "sweep-idempotency",
  cron: Cron.parseUnsafe("43 * * * *"),
  execute: Effect.catchCause(sweepIdempotencyOnce, (cause) => Effect.logError("idempotent calls not swept", cause))
})
