/** Every ten minutes: deletes staged uploads that nobody finished, with their bytes. Safe to run twice. */
import { Uploads } from "../domain/uploads/uploads.ts"
import { byTheClock, telling } from "./by-the-clock.ts"

export const sweepUploadsOnce = telling(Uploads.use(({ sweep }) => sweep()), "uploads swept")

export const SweepUploadsWorker = byTheClock("sweep-uploads", "*/10 * * * *", sweepUploadsOnce, "uploads not swept")
