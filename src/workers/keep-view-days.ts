/** Every hour: makes room for the views of the coming days, and deletes those that may not be kept any longer. Safe to run twice. */
import { Effect } from "effect"
import { ViewDays } from "../domain/analytics/view-days.ts"
import { byTheClock } from "./by-the-clock.ts"

export const keepOnce = Effect.gen(function*() {
  const days = yield* ViewDays
  yield* days.makeRoom()
  const dropped = yield* days.forget()
  if (dropped > 0) yield* Effect.logInfo("view days dropped").pipe(Effect.annotateLogs({ dropped }))
})

/** Soon after the hour, so that keys due at midnight do not wait for most of another hour. */
export const KeepViewDaysWorker = byTheClock("keep-view-days", "1 * * * *", keepOnce, "view days not kept")
