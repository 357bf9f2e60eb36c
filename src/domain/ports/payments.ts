/** The payment service: who pays, what for, and what it says of them now. It grants nothing; charges do. */
import { Context, Schema } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { CustomerId, Notice, Offers, Subscription } from "../billing/model.ts"
import type { BillingUnconfigured, UnsignedNotice } from "../failures.ts"
import type { WorkspaceId } from "../workspaces/model.ts"

/**
 * It did not do what was asked. `answered`: it said so, and says the same again to the same key. `refused`: what was
 * asked is what it would not do, and why; waiting helps nobody. `left`: the subscriptions that it was not done to.
 */
export class PaymentsAway extends Schema.TaggedError<PaymentsAway>()("payments_away", {
  answered: Schema.Boolean,
  refused: Schema.optionalKey(Schema.Literals(["no such customer", "otherwise"])),
  left: Schema.optionalKey(Schema.Array(Schema.String))
}) {}

export interface Order {
  readonly customer: CustomerId
  readonly workspaceId: WorkspaceId
  readonly price: string
  /** When the page stops taking money: what lies about open could be paid long after something else was. */
  readonly closesAt: DateTime.Utc
  readonly returnTo: { readonly paid: string; readonly left: string }
  /** With the same key it is the same order, however often it is placed. */
  readonly key: string
}

export class Payments extends Context.Service<Payments, {
  /** Whether anybody could pay here at all. */
  readonly enabled: boolean
  readonly offers: Offers
  /** A new customer; with the same key the same one. */
  readonly customer: (workspaceId: WorkspaceId, key: string) => Effect.Effect<CustomerId, BillingUnconfigured | PaymentsAway>
  /** Answers the page where somebody may pay. */
  readonly checkout: (order: Order) => Effect.Effect<string, BillingUnconfigured | PaymentsAway>
  /** Answers the page where a customer manages what they pay for. */
  readonly portal: (customer: CustomerId, returnTo: string) => Effect.Effect<string, BillingUnconfigured | PaymentsAway>
  /** Has all that a customer pays for end with its period, as far as it goes; or go on, where it was this that ended it. Any number of times. */
  readonly endWithPeriod: (customer: CustomerId, ends: boolean) => Effect.Effect<void, BillingUnconfigured | PaymentsAway>
  /** Ends a subscription at once and gives back what its latest charge took. Any number of times, each under a `round` of its own or not. */
  readonly giveBack: (subscription: string, round: string) => Effect.Effect<void, BillingUnconfigured | PaymentsAway>
  /** All that a customer ever had, as of now. */
  readonly subscriptions: (customer: CustomerId) => Effect.Effect<ReadonlyArray<Subscription>, BillingUnconfigured | PaymentsAway>
  /** What a notice says, once it is certain who wrote it, and that lately; none where it is not in a form that we know. */
  readonly notice: (
    body: string,
    signature: string | undefined,
    now: DateTime.Utc
  ) => Effect.Effect<Option.Option<Notice>, BillingUnconfigured | UnsignedNotice>
}>()("svc/domain/ports/Payments") {}
