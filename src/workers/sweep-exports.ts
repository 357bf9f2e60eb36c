/** Every hour: deletes archives whose link has expired, bytes included. Safe to run twice. */
import { Exports } from "../domain/exports/exports.ts"
import { byTheClock, telling } from "./by-the-clock.ts"

export const sweepExportsOnce = telling(Exports.use(({ sweep }) => sweep()), "exports swept")

export const SweepExportsWorker = byTheClock("sweep-exports", "53 * * * *", sweepExportsOnce, "exports not swept")
