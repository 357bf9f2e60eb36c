/** Reads a customer again because of a notice, retried with growing pauses while the payment service is away. */
import { Schema } from "effect"
import { Activity } from "effect/workflow"
import type { CustomerId } from "../domain/billing/model.ts"
import { Subscriptions } from "../domain/billing/subscriptions.ts"
import { ReadSubscription } from "../services/database/billing.ts"
import { paying } from "./retry-job.ts"

/** If it fails for a day, the customer is read with the overdue ones. */
const readAgain = (customer: CustomerId, notice: string) =>
  paying(Subscriptions.use(({ read }) => read(customer)), "a payment notice came to nothing", { notice })

export const ReadSubscriptionWorker = ReadSubscription.toLayer(({ customer, notice }) =>
  Activity.make({ name: "read", success: Schema.Void, execute: readAgain(customer, notice) })
)
