/** Every hour: deletes expired passes, and keys spent long ago. Neither opens anything; safe to run twice. */
import { Gates } from "../domain/hosting/gates.ts"
import { byTheClock, telling } from "./by-the-clock.ts"

export const sweepPassesOnce = telling(Gates.use(({ sweep }) => sweep()), "passes swept")

export const SweepPassesWorker = byTheClock("sweep-passes", "29 * * * *", sweepPassesOnce, "passes not swept")
