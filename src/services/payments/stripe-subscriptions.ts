/** What a subscription at Stripe amounts to: what it sells, whether that is paid, and when it ends. */
import { DateTime } from "effect"
import type { Stripe } from "stripe"
import type { Offers, Subscription } from "../../domain/billing/model.ts"
import { endsWithin } from "../../domain/billing/rules.ts"
import { Plan } from "../../domain/workspaces/model.ts"

/** Metadata key: the subscription ends, or the invoice is not collected, because its workspace is to be erased. The value is the later end that the subscription had, if any. */
export const ENDED_BY_US = "ends_with_workspace"

/** Metadata key: the workspace, on everything that we or our checkouts create. */
export const OF_WORKSPACE = "workspace_id"

const moment = (seconds: number | null | undefined): DateTime.Utc | null =>
  seconds === null || seconds === undefined ? null : DateTime.makeUnsafe(seconds * 1000)

export const idOf = (named: string | { readonly id: string } | null | undefined): string | null =>
  named === null || named === undefined ? null : typeof named === "string" ? named : named.id

const planOf = (offers: Offers, price: string | null): Plan | null =>
  price === null ? null : Plan.literals.find((plan) => Object.values(offers[plan] ?? {}).includes(price)) ?? null

const chargedAt = ({ pricing }: Stripe.InvoiceLineItem): string | null => idOf(pricing?.price_details?.price)

/** A credit for what a change leaves unused; one of nothing is still a credit. */
const isCredit = ({ amount, parent }: Stripe.InvoiceLineItem): boolean =>
  amount < 0 || ((parent?.subscription_item_details ?? parent?.invoice_item_details)?.proration_details?.credited_items ?? null) !== null

/** The plan that an invoice was for: of the plans it charges, the one whose period ends last; of several such, the one subscribed to now. */
const planPaid = (offers: Offers, { lines }: Stripe.Invoice, subscribed: ReadonlyArray<string | null>): Plan | null => {
  const isSubscribed = (line: Stripe.InvoiceLineItem) => Number(subscribed.includes(chargedAt(line)))
  const [last] = lines.data
    .filter((line) => !isCredit(line) && planOf(offers, chargedAt(line)) !== null)
    .toSorted((a, b) => b.period.end - a.period.end || isSubscribed(b) - isSubscribed(a))
  return last === undefined ? null : planOf(offers, chargedAt(last))
}

/** A subscription that was never paid for is not ended: it expires by itself in a day, or is read again once it is paid. */
const NEVER_BEGUN: ReadonlySet<string> = new Set(["incomplete", "incomplete_expired"])

const periodEndOf = ({ items }: Stripe.Subscription) =>
  items.data.length === 0 ? null : moment(Math.min(...items.data.map((item) => item.current_period_end)))

/** Until when it is paid, and when it is to end. */
const ends = (one: Stripe.Subscription) => {
  const currentPeriodEnd = periodEndOf(one)
  return { currentPeriodEnd, cancelsAt: moment(one.cancel_at) ?? (one.cancel_at_period_end ? currentPeriodEnd : null) }
}

/** A period more is charged, be it the last one. */
export const renews = (one: Stripe.Subscription): boolean => {
  const { cancelsAt, currentPeriodEnd } = ends(one)
  return !NEVER_BEGUN.has(one.status) && !endsWithin(currentPeriodEnd, cancelsAt)
}

/** A charge that failed before and is tried again for weeks. A first one that was never paid expires with its subscription. */
export const owedOf = ({ latest_invoice: invoice, status }: Stripe.Subscription): Stripe.Invoice | undefined =>
  invoice === null || typeof invoice === "string" || invoice.status !== "open" || NEVER_BEGUN.has(status) ? undefined : invoice

export const endedByUs = ({ metadata }: Pick<Stripe.Subscription | Stripe.Invoice, "metadata">): boolean => metadata?.[ENDED_BY_US] !== undefined

export const subscriptionOf = (offers: Offers) => (one: Stripe.Subscription): Subscription => {
  const invoice = typeof one.latest_invoice === "string" ? null : one.latest_invoice
  const paid = invoice?.status === "paid"
  const ours = one.metadata[OF_WORKSPACE] !== undefined
  const subscribed = one.items.data.map(({ price }) => price.id)
  const prices = [...subscribed, ...(invoice?.lines.data ?? []).map(chargedAt)]
  return {
    id: one.id,
    status: one.status,
    createdAt: moment(one.created)!,
    ours,
    ofPlan: ours || prices.some((price) => planOf(offers, price) !== null),
    ...ends(one),
    endedAt: moment(one.ended_at),
    paid,
    due: invoice?.status === "open",
    plan: paid ? planPaid(offers, invoice, subscribed) : null
  }
}
