/**
 * A customer who pays twice, on two pages open at once, gets one payment back (CONTRACT §6).
 *
 * 1. A reading finds two running subscriptions. The newest that is paid counts; the other is noted, together with a job.
 * 2. The job checks again, ends the other subscription at once and refunds its latest charge, or voids it while it is open.
 * 3. The audit log records once that it ended, and whether anything was refunded.
 * 4. A charge that may still be paid, as a debit on its way, and a refund that failed are seen to by the job of a later day.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Audit } from "../audit/audit.ts"
import type { Action } from "../audit/model.ts"
import { Atomically } from "../ports/atomically.ts"
import { Payments } from "../ports/payments.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import type { GivenBack } from "./model.ts"
import * as Rules from "./rules.ts"
import { BillingStore } from "./store.ts"
import { Subscriptions } from "./subscriptions.ts"

/** What the audit log says of it; nothing while it may still be paid. */
const TOLD: Record<GivenBack, Action | undefined> = {
  refunded: "subscription.duplicate_refunded",
  "nothing paid": "subscription.duplicate_ended",
  "still open": undefined
}

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
      function*(workspaceId: WorkspaceId, id: string, action: Action) {
        const now = yield* DateTime.now
        yield* workspaces.lock(workspaceId)
        if (!(yield* store.doubleEnded(id, now))) return
        yield* audit.write({ workspaceId, actor: null, action }, now)
      },
      atomically
    )

    /** (2) Fails while the payment service is away, and is then retried. Each new job passes another `round`. */
    const end = Effect.fn("Doubles.end")(function*(workspaceId: WorkspaceId, id: string, round: string) {
      const customer = Option.getOrUndefined(yield* store.customer(workspaceId))
      if (customer === undefined) return
      const found = yield* payments.subscriptions(customer.id)
      if (!Rules.isDouble(customer, found, id)) return yield* store.doubleForgotten(id)
      const told = TOLD[yield* payments.giveBack(id, round)]
      if (told !== undefined) yield* finish(workspaceId, id, told)
      yield* subscriptions.read(customer.id)
    })

    return { end }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
