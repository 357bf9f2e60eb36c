/** Every hour: reads customers again who were not heard of for too long, since a notice may never have come. Safe to run twice. */
import { Effect } from "effect"
import { Subscriptions } from "../domain/billing/subscriptions.ts"
import { Payments } from "../domain/ports/payments.ts"
import { byTheClock, telling } from "./by-the-clock.ts"

export const rereadOnce = Effect.gen(function*() {
  if ((yield* Payments).enabled) yield* telling(Subscriptions.use(({ readOverdue }) => readOverdue()), "subscriptions reread")
})

export const RereadSubscriptionsWorker = byTheClock("reread-subscriptions", "41 * * * *", rereadOnce, "subscriptions not reread")
