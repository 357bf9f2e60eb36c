/** What is sold and what is known of who pays (SPEC §4.5, CONTRACT §6). */
import { Schema } from "effect"
import type { DateTime } from "effect"
import type { BillingState, Plan, WorkspaceId } from "../workspaces/model.ts"

export const Interval = Schema.Literals(["month", "year"])
export type Interval = typeof Interval.Type

/** What can be bought, and by which price the payment service knows it. */
export type Offers = { readonly [P in Plan]?: { readonly [I in Interval]?: string | undefined } | undefined }

/** As the payment service names a workspace. */
export const CustomerId = Schema.String.pipe(Schema.brand("CustomerId"))
export type CustomerId = typeof CustomerId.Type

/** A subscription as the payment service tells it now. */
export interface Subscription {
  readonly id: string
  /** In its own word: `active`, `past_due`, `canceled` … */
  readonly status: string
  readonly createdAt: DateTime.Utc
  /** Whether it came of a page of ours; what somebody set up by hand over there is their business. */
  readonly ours: boolean
  readonly currentPeriodEnd: DateTime.Utc | null
  /** When it is to end, where that is settled. */
  readonly cancelsAt: DateTime.Utc | null
  readonly endedAt: DateTime.Utc | null
  /** Whether its latest charge was paid. */
  readonly paid: boolean
  /** What that charge was for; null where it was not paid, or for nothing that we sell. */
  readonly plan: Plan | null
}

/** Something happened over there. What exactly is read anew, so that order and number do not matter. */
export interface Notice {
  readonly id: string
  readonly kind: string
  readonly customer: CustomerId | null
}

/** The kinds worth reading a customer anew for. */
export const KINDS: ReadonlySet<string> = new Set([
  "checkout.session.completed",
  "invoice.paid",
  "invoice.payment_failed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted"
])

/** What is remembered of a paying workspace: of the subscription that was charged last. */
export interface Customer {
  readonly id: CustomerId
  readonly workspaceId: WorkspaceId
  /** Null until the first charge. */
  readonly subscriptionId: string | null
  readonly currentPeriodEnd: DateTime.Utc | null
  /** How many times it was set out to read it anew … */
  readonly readings: number
  /** … and the latest of them that was put down: an earlier one, answered late, says nothing new. */
  readonly answered: number
}

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
  /** Whether publishing stops once trial and subscription are over. */
  readonly lapses: boolean
}

export const TrialMail = Schema.Literals(["ending", "ended", "links_going_down"])
export type TrialMail = typeof TrialMail.Type
