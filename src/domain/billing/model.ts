/** What is sold, and what is known of paying workspaces (SPEC §4.5, CONTRACT §6). */
import { Schema } from "effect"
import type { DateTime } from "effect"
import { WorkspaceId } from "../workspaces/model.ts"
import type { BillingState, Plan } from "../workspaces/model.ts"

export const Interval = Schema.Literals(["month", "year"])
export type Interval = typeof Interval.Type

/** What can be bought, each with the payment service's id of its price. */
export type Offers = { readonly [P in Plan]?: { readonly [I in Interval]?: string | undefined } | undefined }

/** The payment service's id for a workspace. */
export const CustomerId = Schema.String.pipe(Schema.brand("CustomerId"))
export type CustomerId = typeof CustomerId.Type

/** A subscription as the payment service reports it now. */
export interface Subscription {
  readonly id: string
  /** In the payment service's own word: `active`, `past_due`, `canceled` … */
  readonly status: string
  readonly createdAt: DateTime.Utc
  /** Whether it was bought on one of our pages; one set up by hand at the payment service is left alone. */
  readonly ours: boolean
  /** Whether it is for a plan: bought on one of our pages, or at one of our prices. */
  readonly ofPlan: boolean
  readonly currentPeriodEnd: DateTime.Utc | null
  /** When it is to end; null if it goes on. */
  readonly cancelsAt: DateTime.Utc | null
  readonly endedAt: DateTime.Utc | null
  /** Whether its latest charge was paid. */
  readonly paid: boolean
  /** Whether that charge is open: a debit may be on its way. */
  readonly due: boolean
  /** The plan that this charge was for; null if it was not paid, or was for nothing that we sell. */
  readonly plan: Plan | null
}

/** What came of giving a charge back: refunded; nothing was paid, nor will be; or it is open, and may be paid yet. */
export type GivenBack = "refunded" | "nothing paid" | "still open"

/** Says that something happened at the payment service. The present state is then read there, so order and repetition do not matter. */
export interface Notice {
  readonly id: string
  readonly kind: string
  readonly customer: CustomerId | null
}

/** The kinds of notice after which a customer is read again. */
export const KINDS: ReadonlySet<string> = new Set([
  "checkout.session.completed",
  "invoice.paid",
  "invoice.payment_failed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted"
])

/** What is remembered of a paying workspace; its subscription is the one charged last. */
export const Customer = Schema.Struct({
  id: CustomerId,
  workspaceId: WorkspaceId,
  /** Whether the workspace came with a signup, and so with a trial of its own. */
  cameWithTrial: Schema.Boolean,
  /** Null until the first charge. */
  subscriptionId: Schema.NullOr(Schema.String),
  currentPeriodEnd: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Whether a debit for what was bought was on its way at the latest reading. */
  paymentComing: Schema.Boolean,
  /** How many readings of it have begun … */
  readings: Schema.Int,
  /** … and the number of the latest one stored: an earlier one that is answered later is ignored. */
  answered: Schema.Int
})
export type Customer = typeof Customer.Type

/** How a workspace stands, as its admins see it. */
export interface Bill {
  readonly plan: Plan
  readonly state: BillingState
  readonly trialEndsAt: DateTime.Utc | null
  readonly currentPeriodEnd: DateTime.Utc | null
  readonly cancelAtPeriodEnd: boolean
  readonly linksDownOn: DateTime.Utc | null
  readonly canCheckout: boolean
  readonly canPortal: boolean
  /** Whether a payment for a plan is on its way, until which no other can be bought. */
  readonly paymentComing: boolean
  /** Whether publishing stops once trial and subscription are over. */
  readonly lapses: boolean
}

export const TrialMail = Schema.Literals(["ending", "ended", "links_going_down"])
export type TrialMail = typeof TrialMail.Type
