/** Every hour: deletes the views that may not be kept any longer, and makes room for those of the coming days. Safe to run twice. */
import { Effect } from "effect"
import { ViewDays } from "../domain/analytics/view-days.ts"
import { byTheClock, telling } from "./by-the-clock.ts"

const forget = telling(ViewDays.use((days) => days.forget()), "view days dropped")

/** Keys go first, since they have a time by which they must; and neither failure keeps the other from being done. */
export const keepOnce = Effect.ensuring(forget, ViewDays.use((days) => days.makeRoom()))

/** Soon after the hour, so that keys due at midnight do not wait for most of another hour. */
export const KeepViewDaysWorker = byTheClock("keep-view-days", "1 * * * *", keepOnce, "view days not kept")
