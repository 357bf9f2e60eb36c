/** The payment service: customers, checkout and subscriptions. A workspace's plan follows from charges alone, not from calls made here. */
import { Context, Schema } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { CustomerId, GivenBack, Notice, Offers, Subscription } from "../billing/model.ts"
import type { BillingUnconfigured, UnsignedNotice } from "../failures.ts"
import type { WorkspaceId } from "../workspaces/model.ts"

/**
 * The payment service did not do what was asked. `answered`: it failed with an answer that it repeats for the same key.
 * `refused`: it rejected the request, for this reason; waiting does not help. There is `no such customer` only if that is proven, not
 * because of a key for another account. `left`: the subscriptions that were not changed.
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
  /** When the page stops accepting payment: a page left open could otherwise be paid long after another order was. */
  readonly closesAt: DateTime.Utc
  readonly returnTo: { readonly paid: string; readonly left: string }
  /** Idempotency key: an order placed again with the same key is the same order. */
  readonly key: string
}

export class Payments extends Context.Service<Payments, {
  /** Whether a payment service is configured. */
  readonly enabled: boolean
  readonly offers: Offers
  /** Creates a customer; the same key gives the same customer again. */
  readonly customer: (workspaceId: WorkspaceId, key: string) => Effect.Effect<CustomerId, BillingUnconfigured | PaymentsAway>
  /** Returns the address of the page where the order is paid. */
  readonly checkout: (order: Order) => Effect.Effect<string, BillingUnconfigured | PaymentsAway>
  /** Returns the address of the page where a customer manages their subscriptions. */
  readonly portal: (customer: CustomerId, returnTo: string) => Effect.Effect<string, BillingUnconfigured | PaymentsAway>
  /** `ends`: every subscription that would renew ends with its paid period, and no charge that failed is tried again. Otherwise what an earlier call ended goes on. Idempotent. */
  readonly endWithPeriod: (customer: CustomerId, ends: boolean) => Effect.Effect<void, BillingUnconfigured | PaymentsAway>
  /** Ends a subscription at once and refunds its latest charge, or takes it back while it is open. Idempotent, whether a repeated call has the same `round` or a new one. */
  readonly giveBack: (subscription: string, round: string) => Effect.Effect<GivenBack, BillingUnconfigured | PaymentsAway>
  /** All subscriptions that the customer ever had, in their present state; none once the customer was deleted there. */
  readonly subscriptions: (customer: CustomerId) => Effect.Effect<ReadonlyArray<Subscription>, BillingUnconfigured | PaymentsAway>
  /** Reads a notice once its signature shows that it is authentic and recent; none if its form is unknown. */
  readonly notice: (
    body: string,
    signature: string | undefined,
    now: DateTime.Utc
  ) => Effect.Effect<Option.Option<Notice>, BillingUnconfigured | UnsignedNotice>
}>()("svc/domain/ports/Payments") {}
