/** Checkout, portal and bill of a workspace, for its admins (SPEC §4.5, CONTRACT §6). Nothing here grants a plan: only charges do. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { Audit } from "../audit/audit.ts"
import { NotFound, Unavailable } from "../failures.ts"
import type { BillingUnconfigured } from "../failures.ts"
import { orFail } from "../found.ts"
import { Addresses } from "../ports/addresses.ts"
import { Atomically } from "../ports/atomically.ts"
import { Payments } from "../ports/payments.ts"
import type { Order, PaymentsAway } from "../ports/payments.ts"
import { Policies } from "../ports/policies.ts"
import { RateLimits } from "../ports/rate-limits.ts"
import { Tokens } from "../ports/tokens.ts"
import type { Plan, WorkspaceId } from "../workspaces/model.ts"
import { isPaid } from "../workspaces/rules.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import type { Bill, Customer, CustomerId, Interval } from "./model.ts"
import { billingPage } from "./plan-pages.ts"
import * as Rules from "./rules.ts"
import { BillingStore } from "./store.ts"
import { Subscriptions } from "./subscriptions.ts"

const HOUR = 3_600_000

const away = ({ refused }: PaymentsAway) =>
  new Unavailable({
    message: refused === undefined
      ? "The payment service does not answer. Try again in a moment."
      : "The payment service refused this. The operator finds the reason in the service’s log."
  })

const isGone = (failure: BillingUnconfigured | PaymentsAway): boolean => failure._tag === "payments_away" && failure.refused === "no such customer"

const neverBought = () => new NotFound({ message: "Nothing was ever bought for this workspace.", field: "workspace" })

const boughtNoMore = () => new NotFound({ message: "Nothing of this workspace is left at the payment service. A plan can be bought again.", field: "workspace" })

/** A page of the payment service that somebody was sent to. */
interface SentPage {
  readonly user: User
  readonly workspaceId: WorkspaceId
  readonly plan: Plan
  readonly customer: CustomerId
  readonly url: string
}

export class Billing extends Context.Service<Billing>()("svc/domain/billing/Billing", {
  make: Effect.gen(function*() {
    const store = yield* BillingStore
    const payments = yield* Payments
    const policies = yield* Policies
    const tokens = yield* Tokens
    const limits = yield* RateLimits
    const subscriptions = yield* Subscriptions
    const workspaces = yield* Workspaces
    const workspaceStore = yield* WorkspaceStore
    const audit = yield* Audit
    const { appUrl } = yield* Addresses
    const { atomically } = yield* Atomically

    const returning = (workspaceId: WorkspaceId, query: string) => billingPage(appUrl, workspaceId) + query

    const plans = Effect.sync(() => ({ billingEnabled: payments.enabled, plans: Rules.purchasable(payments.offers) }))

    /** How every page of the payment service begins. */
    const entered = Effect.fn("Billing.entered")(function*(user: User, id: WorkspaceId) {
      yield* limits.consume(Rules.PAGES, user.id)
      const now = yield* DateTime.now
      const workspace = yield* workspaces.selectAsAdmin(user, id)
      if (!payments.enabled) return yield* Rules.unconfigured()
      return { now, workspace }
    })

    /** Sends the workspace's own idempotency key, so that concurrent requests ask for the same thing. */
    const asking = Effect.fn("Billing.asking")(function*<A>(
      id: WorkspaceId,
      now: DateTime.Utc,
      ask: (key: string) => Effect.Effect<A, BillingUnconfigured | PaymentsAway>
    ) {
      const key = yield* store.attempt(id, yield* tokens.uuid, now)
      const renew = Effect.flatMap(tokens.uuid, (fresh) => store.renewAttempt(id, key, fresh))
      return yield* Effect.tapError(ask(key), (failure) => failure._tag === "payments_away" && failure.answered ? renew : Effect.void)
    })

    /** The workspace's one customer, created when it is first needed. */
    const customerOf = Effect.fn("Billing.customerOf")(function*(id: WorkspaceId, now: DateTime.Utc) {
      const known = Option.getOrUndefined(yield* store.customer(id))
      if (known !== undefined) return known
      return yield* store.name(id, yield* asking(id, now, (key) => payments.customer(id, key)))
    })

    /** Audits each page once, however often it is asked for. Locks the workspace before its customer, in the same order as a reading. */
    const noteSent = Effect.fn("Billing.noteSent")(
      function*({ customer, plan, url, user, workspaceId }: SentPage, now: DateTime.Utc) {
        yield* workspaceStore.lock(workspaceId)
        if (!(yield* store.newPage(customer, tokens.hash(url)))) return
        const target = { type: "workspace", id: workspaceId, plan } as const
        yield* audit.write({ workspaceId, actor: user.id, action: "billing.checkout_started", target }, now)
      },
      atomically
    )

    const forget = (customer: Customer) => Effect.flatMap(tokens.uuid, (fresh) => store.forget(customer, fresh))

    /** A repeated click gets the same page, until a reading or the next hour. A customer gone from the payment service is forgotten. */
    const page = Effect.fn("Billing.page")(function*(order: Pick<Order, "workspaceId" | "price" | "returnTo">, now: DateTime.Utc) {
      const customer = yield* customerOf(order.workspaceId, now)
      yield* store.noteCheckout(customer.id, now)
      const hour = Math.floor(DateTime.toEpochMillis(now) / HOUR)
      const whole = { ...order, customer: customer.id, closesAt: DateTime.makeUnsafe((hour + 2) * HOUR) }
      // The key names the customer too: a request for a forgotten one must not use up the key of the next.
      const url = yield* asking(order.workspaceId, now, (key) => payments.checkout({ ...whole, key: `${key}/${customer.id}/${order.price}/${customer.readings}/${hour}` })).pipe(
        Effect.tapError((failure) => isGone(failure) ? forget(customer) : Effect.void)
      )
      return { customer, url }
    })

    /** What was bought is read again: its notice may be lost. Where the payment service refuses to tell, the page that is asked for next says why, or mends it. */
    const checkOnce = Effect.fn("Billing.checkOnce")(function*(id: WorkspaceId, now: DateTime.Utc) {
      const customer = Option.getOrUndefined(yield* store.customer(id))
      if (customer === undefined) return
      const found = yield* payments.subscriptions(customer.id).pipe(
        Effect.catchIf((failure) => failure._tag === "payments_away" && failure.refused !== undefined, () => Effect.succeed([]))
      )
      const how = Rules.bought(found, now)
      if (how === undefined) return
      yield* subscriptions.read(customer.id)
      return yield* Rules.boughtAlready(how)
    })

    const checkout = Effect.fn("Billing.checkout")(
      function*(user: User, { interval, plan, workspace: id }: { readonly workspace: WorkspaceId; readonly plan: Plan; readonly interval: Interval }) {
        const { now, workspace } = yield* entered(user, id)
        const price = yield* Effect.fromResult(Rules.buy(payments.offers, plan, interval, workspace, now))
        yield* checkOnce(id, now)
        const order = { workspaceId: id, price, returnTo: { paid: returning(id, "&checkout=done"), left: returning(id, "&checkout=cancelled") } }
        const { customer, url } = yield* Effect.catchIf(page(order, now), isGone, () => page(order, now))
        yield* noteSent({ user, workspaceId: id, plan, customer: customer.id, url }, now)
        return { url }
      },
      Effect.catchTag("payments_away", (failure) => Effect.fail(away(failure)))
    )

    const portal = Effect.fn("Billing.portal")(
      function*(user: User, id: WorkspaceId) {
        const { now, workspace } = yield* entered(user, id)
        const customer = yield* store.customer(id).pipe(orFail(neverBought))
        // A workspace that is paid for keeps its customer until a reading has ended that.
        const url = yield* payments.portal(customer.id, returning(id, "&portal=back")).pipe(
          Effect.catchIf((failure) => isGone(failure) && !isPaid(workspace, now), () => Effect.andThen(forget(customer), boughtNoMore()))
        )
        yield* audit.write({ workspaceId: id, actor: user.id, action: "billing.portal_opened" }, now)
        return { url }
      },
      Effect.catchTag("payments_away", (failure) => Effect.fail(away(failure)))
    )

    const bill = Effect.fn("Billing.bill")(function*(user: User, id: WorkspaceId) {
      const now = yield* DateTime.now
      const workspace = yield* workspaces.selectAsAdmin(user, id)
      const customer = Option.getOrUndefined(yield* store.customer(id))
      const paid = isPaid(workspace, now)
      const periodEnd = customer?.currentPeriodEnd ?? null
      const ending = Rules.endsWithin(periodEnd, workspace.subscriptionEndsAt)
      return {
        plan: workspace.plan,
        state: workspace.billingState,
        trialEndsAt: workspace.trialEndsAt,
        // A subscription may end on a date within its period; one that ends on a later date renews until then.
        currentPeriodEnd: paid ? ending ? workspace.subscriptionEndsAt : periodEnd : null,
        cancelAtPeriodEnd: paid && ending,
        linksDownOn: workspace.linksDownOn,
        canCheckout: !paid && Rules.sells(payments.offers),
        canPortal: payments.enabled && customer !== undefined,
        paymentComing: !paid && customer?.paymentComing === true,
        lapses: policies.trial !== "open"
      } satisfies Bill
    })

    return { plans, checkout, portal, bill }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
