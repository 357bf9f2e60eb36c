/** Reads a customer anew because of a notice, again and again with growing pauses while the payment service is away. */
import { Effect, Schedule, Schema } from "effect"
import { Activity } from "effect/workflow"
import type { CustomerId } from "../domain/billing/model.ts"
import { Subscriptions } from "../domain/billing/subscriptions.ts"
import { ReadSubscription } from "../services/database/billing.ts"

/** One second, doubling to five minutes, for a day; what is missed then is read with the overdue ones. */
const pauses = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("5 minutes")]).pipe(Schedule.upTo({ duration: "1 day" }))

export const readAgain = (customer: CustomerId, notice: string) =>
  Subscriptions.use(({ read }) => read(customer)).pipe(
    // A database that is away must not cost a charge.
    Effect.catchDefect((cause) => Effect.fail({ _tag: "defect" as const, cause })),
    Effect.retry({ schedule: pauses, while: ({ _tag }) => _tag !== "validation_error" }),
    Effect.catch(({ _tag }) => Effect.annotateLogs(Effect.logError("a payment notice came to nothing"), { notice, why: _tag }))
  )

export const ReadSubscriptionWorker = ReadSubscription.toLayer(({ customer, notice }) =>
  Activity.make({ name: "read", success: Schema.Void, execute: readAgain(customer, notice) })
)
