/** Every ten minutes: deletes staged uploads that nobody finished, with their bytes. Safe to run twice. */
import { Effect } from "effect"
import { Uploads } from "../domain/uploads/uploads.ts"
import { byTheClock } from "./by-the-clock.ts"

export const sweepUploadsOnce = Effect.gen(function*() {
  const chunks = yield* (yield* Uploads).sweep()
  if (chunks > 0) yield* Effect.logInfo("uploads swept").pipe(Effect.annotateLogs({ chunks }))
})

export const SweepUploadsWorker = byTheClock("sweep-uploads", "*/10 * * * *", sweepUploadsOnce, "uploads not swept")
