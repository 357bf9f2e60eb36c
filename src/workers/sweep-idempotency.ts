/** Every hour: deletes the answers kept for calls that nobody will send again. Safe to run twice. */
import { Effect } from "effect"
import { Idempotency } from "../domain/idempotency/idempotency.ts"
import { byTheClock } from "./by-the-clock.ts"

const sweepIdempotencyOnce = Effect.gen(function*() {
  const calls = yield* (yield* Idempotency).sweep()
  if (calls > 0) yield* Effect.logInfo("idempotent calls swept").pipe(Effect.annotateLogs({ calls }))
})

export const SweepIdempotencyWorker = byTheClock("sweep-idempotency", "43 * * * *", sweepIdempotencyOnce, "idempotent calls not swept")
