/**
 * Who pays twice, by two pages open at once, gets the other payment back (CONTRACT §6).
 *
 * 1. A reading finds two subscriptions that hold. The newest counts; the other is noted, with a job.
 * 2. The job looks once more, ends the other at once, and gives back what its latest charge took.
 * 3. That it is done is in the audit log, once.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Audit } from "../audit/audit.ts"
import { Atomically } from "../ports/atomically.ts"
import { Payments } from "../ports/payments.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import * as Rules from "./rules.ts"
import { BillingStore } from "./store.ts"
import { Subscriptions } from "./subscriptions.ts"

export class Doubles extends Context.Service<Doubles>()("svc/domain/billing/Doubles", {
  make: Effect.gen(function*() {
    const store = yield* BillingStore
    const workspaces = yield* WorkspaceStore
    const payments = yield* Payments
    const subscriptions = yield* Subscriptions
    const audit = yield* Audit
    const { atomically } = yield* Atomically

    /** (3) */
    const finish = Effect.fn("Doubles.finish")(
      function*(workspaceId: WorkspaceId, id: string) {
        const now = yield* DateTime.now
        yield* workspaces.lock(workspaceId)
        if (!(yield* store.doubleEnded(id, now))) return
        const target = { type: "workspace", id: workspaceId } as const
        yield* audit.write({ workspaceId, actor: null, action: "subscription.duplicate_refunded", target }, now)
      },
      atomically
    )

    /** (2) Fails where the payment service is away; to be tried again. `round` is another one for who tries anew. */
    const end = Effect.fn("Doubles.end")(function*(workspaceId: WorkspaceId, id: string, round: string) {
      const customer = Option.getOrUndefined(yield* store.customer(workspaceId))
      if (customer === undefined) return
      const found = yield* payments.subscriptions(customer.id)
      if (!Rules.isDouble(customer, found, id)) return yield* store.doubleForgotten(id)
      yield* payments.giveBack(id, round)
      yield* finish(workspaceId, id)
      yield* subscriptions.read(customer.id)
    })

    return { end }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
