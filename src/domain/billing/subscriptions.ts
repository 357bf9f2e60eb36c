/**
 * How a charge reaches a workspace (CONTRACT §6).
 *
 * 1. The payment service sends a signed notice. It is stored by its id, with a job; a repeated one is recognised.
 * 2. The job counts a reading, then asks what the customer's subscriptions are now. What the notice says is never used.
 * 3. The answer is stored under the workspace's lock, unless a reading that began later was stored before it.
 * 4. Notices may be lost: paying customers are read once a day, and sooner if news is overdue.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { sumAll } from "effect/Number"
import { Audit } from "../audit/audit.ts"
import { DeletionStore } from "../erasure/store.ts"
import { Atomically } from "../ports/atomically.ts"
import { Payments } from "../ports/payments.ts"
import { GRACE } from "../workspaces/rules.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { KINDS } from "./model.ts"
import type { Customer, CustomerId, Subscription } from "./model.ts"
import * as Rules from "./rules.ts"
import { BillingStore } from "./store.ts"

const BATCH = 200

export class Subscriptions extends Context.Service<Subscriptions>()("svc/domain/billing/Subscriptions", {
  make: Effect.gen(function*() {
    const store = yield* BillingStore
    const workspaces = yield* WorkspaceStore
    const deletions = yield* DeletionStore
    const payments = yield* Payments
    const audit = yield* Audit
    const { atomically } = yield* Atomically

    /** (1) Notices of an unknown kind or form, or about an unknown customer, are accepted and dropped. */
    const receive = Effect.fn("Subscriptions.receive")(function*(body: string, signature: string | undefined) {
      const now = yield* DateTime.now
      const notice = Option.getOrUndefined(yield* payments.notice(body, signature, now))
      if (notice === undefined) return yield* Effect.logInfo("payment notice of another form")
      const taken = KINDS.has(notice.kind) && notice.customer !== null && (yield* atomically(store.take(notice, notice.customer, now)))
      yield* Effect.annotateLogs(Effect.logInfo("payment notice"), { notice: notice.id, kind: notice.kind, taken })
    })

    /** (3) */
    const put = Effect.fn("Subscriptions.put")(
      function*({ readings, workspaceId }: Customer, found: ReadonlyArray<Subscription>) {
        const now = yield* DateTime.now
        const workspace = Option.getOrUndefined(yield* workspaces.lock(workspaceId))
        const known = Option.getOrUndefined(yield* store.customer(workspaceId))
        if (workspace === undefined || known === undefined || known.answered >= readings) return
        const paymentComing = Rules.bought(found, now) === "on its way"
        if (paymentComing) yield* store.noteCheckout(known.id, now)
        const left = yield* store.noteDoubles(workspaceId, Rules.doubles(known, found).map(({ id }) => id), now)
        if (left > 0 || Rules.surplus(known, found).length > 0) {
          yield* Effect.annotateLogs(Effect.logWarning("a workspace pays for two subscriptions, or was not paid back yet"), { workspaceId, customer: known.id })
        }
        // Somebody paid on a page opened before the workspace was deleted: nothing else would end that subscription.
        if (Rules.goesOn(found) && (yield* deletions.isScheduled(workspaceId))) yield* deletions.settleRenewal(workspaceId, `reading ${readings}`)
        const reckoned = Rules.settle(known, workspace.subscriptionEndsAt, found, now)
        const settled = reckoned && { ...reckoned, plan: Rules.planOf(reckoned, { ...workspace, cameWithTrial: known.cameWithTrial }, now) }
        yield* store.put({ ...known, readings, paymentComing }, settled)
        if (settled === undefined) return
        yield* Effect.forEach(Rules.noted(workspace, settled, now), (action) => audit.write({ workspaceId, actor: null, action }, now), { discard: true })
        if (settled.plan === null || settled.plan === workspace.plan) return
        const target = { type: "workspace", id: workspaceId, plan: settled.plan } as const
        yield* audit.write({ workspaceId, actor: null, action: "workspace.plan_changed", target }, now)
      },
      atomically
    )

    /** (2) Fails while the payment service is away, and is then retried. */
    const read = Effect.fn("Subscriptions.read")(function*(id: CustomerId) {
      const begun = Option.getOrUndefined(yield* store.beginReading(id, yield* DateTime.now))
      if (begun !== undefined) yield* put(begun, yield* payments.subscriptions(id))
    })

    /** (4) Answers how many were read, one at a time. One that fails does not hold up the others; where a whole batch fails, the rest waits. */
    const readOverdue = Effect.fn("Subscriptions.readOverdue")(function*() {
      const now = yield* DateTime.now
      const times = {
        now,
        readBefore: DateTime.subtract(now, { days: 1 }),
        endedSince: DateTime.subtract(now, GRACE),
        newsBefore: DateTime.subtract(now, { hours: 1 }),
        wentSince: DateTime.subtract(now, { days: 2 }),
        readAhead: DateTime.add(now, { hours: 1 })
      }
      for (let all = 0;;) {
        const some = sumAll(yield* Effect.forEach(yield* store.overdue(times, BATCH), (id) =>
          Effect.catchCause(Effect.as(read(id), 1), (cause) => Effect.as(Effect.logWarning("a subscription was not read", cause), 0))))
        if (some === 0) return all
        all += some
      }
    })

    return { receive, read, readOverdue }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
