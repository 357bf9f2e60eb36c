/** A workspace scheduled for erasure is paid for until the end of its period and no longer; a restored one renews again. */
import { Context, Effect, Layer, Option } from "effect"
import { BillingStore } from "../billing/store.ts"
import { Subscriptions } from "../billing/subscriptions.ts"
import { Payments } from "../ports/payments.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { DeletionStore } from "./store.ts"

export class Renewals extends Context.Service<Renewals>()("svc/domain/erasure/Renewals", {
  make: Effect.gen(function*() {
    const deletions = yield* DeletionStore
    const billing = yield* BillingStore
    const payments = yield* Payments
    const subscriptions = yield* Subscriptions

    /** Depends on whether the workspace is scheduled for erasure, and runs again if that changed meanwhile. Fails while the payment service is away. */
    const settle = Effect.fn("Renewals.settle")(function*(id: WorkspaceId) {
      const customer = payments.enabled ? Option.getOrUndefined(yield* billing.customer(id)) : undefined
      if (customer === undefined) return
      for (let ends = yield* deletions.isScheduled(id);;) {
        yield* payments.endWithPeriod(customer.id, ends)
        const now = yield* deletions.isScheduled(id)
        if (now === ends) break
        ends = now
      }
      yield* subscriptions.read(customer.id)
    })

    return { settle }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
