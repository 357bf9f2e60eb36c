/** Every hour: deletes the answers kept for calls that nobody will send again. Safe to run twice. */
import { Idempotency } from "../domain/idempotency/idempotency.ts"
import { byTheClock, telling } from "./by-the-clock.ts"

const sweepIdempotencyOnce = telling(Idempotency.use(({ sweep }) => sweep()), "idempotent calls swept")

export const SweepIdempotencyWorker = byTheClock("sweep-idempotency", "43 * * * *", sweepIdempotencyOnce, "idempotent calls not swept")
