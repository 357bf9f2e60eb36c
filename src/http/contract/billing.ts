/** Plans, payment and how a subscription stands (SPEC §4.5, CONTRACT §6). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Interval } from "../../domain/billing/model.ts"
import { BillingUnconfigured, Forbidden, Invalid, NotFound, RateLimited, Unavailable, UnsignedNotice } from "../../domain/failures.ts"
import { BillingState, Plan, WorkspaceId } from "../../domain/workspaces/model.ts"
import { annotate } from "./annotations.ts"
import { Authenticated } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { Idempotent } from "./idempotency.ts"
import { idOf, Status, Timestamp, wire } from "./wire.ts"

const intervals = Schema.optionalKey(Schema.Array(Interval))

const PlansView = wire({
  billingEnabled: Schema.Boolean.annotate({ description: "Whether this service takes payments" }),
  plans: Schema.Struct({ starter: intervals, studio: intervals, agency: intervals })
    .annotate({ description: "The plans that can be bought, each with its intervals" })
}).annotate({ identifier: "Plans" })

const SubscriptionView = wire({
  plan: Plan,
  state: BillingState,
  trialEndsAt: Schema.NullOr(Timestamp),
  currentPeriodEnd: Schema.NullOr(Timestamp).annotate({ description: "Until when the subscription is charged" }),
  cancelAtPeriodEnd: Schema.Boolean,
  linksDownOn: Schema.NullOr(Timestamp).annotate({ description: "When published links stop serving; null unless the workspace has lapsed" }),
  canCheckout: Schema.Boolean,
  canPortal: Schema.Boolean,
  paymentComing: Schema.Boolean.annotate({ description: "Whether a debit for a plan is on its way, which takes some days: until it arrives or fails, checkout refuses another" }),
  lapses: Schema.Boolean.annotate({ description: "Whether publishing stops once trial and subscription are over" })
}).annotate({ identifier: "Subscription" })

const workspace = idOf(WorkspaceId)

const PageView = Schema.Struct({ url: Schema.String.annotate({ description: "Where to send the browser" }) }).annotate({ identifier: "BillingPage" })

const noSuchWorkspace = refusal(NotFound, 404)
const notAdmin = refusal(Forbidden, 403)
const limited = refusal(RateLimited, 429)
const cannotPay = [refusal(BillingUnconfigured, 503), refusal(Unavailable, 503)] as const

export class BillingContract extends HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.get("plans", "/plans", { success: PlansView })
      .annotateMerge(annotate("List plans", "Only those that have a price. Where billing is not enabled, nothing can be bought, and trials do not end unless the operator says so.")),
    HttpApiEndpoint.post("checkout", "/checkout", {
      payload: Schema.Struct({ workspace, plan: Plan, interval: Interval }),
      success: PageView,
      error: [noSuchWorkspace, notAdmin, refusal(Invalid, 422), limited, ...cannotPay]
    }).middleware(Idempotent).annotateMerge(annotate("Buy a plan", "For admins. Answers the address of a page of the payment service. It changes nothing by itself: the plan moves when a charge is paid.")),
    HttpApiEndpoint.get("subscription", "/subscription", {
      query: { workspace },
      success: SubscriptionView,
      error: [noSuchWorkspace, notAdmin]
    }).annotateMerge(annotate("See the subscription of a workspace", "For admins.")),
    HttpApiEndpoint.post("portal", "/portal", {
      payload: Schema.Struct({ workspace }),
      success: PageView,
      error: [noSuchWorkspace, notAdmin, limited, ...cannotPay]
    }).middleware(Idempotent).annotateMerge(annotate("Manage a subscription", "For admins. Answers the address of a page of the payment service that works once and for a short time. 404 where nothing was ever bought."))
  )
  .middleware(Authenticated)
  .add(
    HttpApiEndpoint.post("webhook", "/webhook", {
      headers: { "stripe-signature": Schema.optionalKey(Schema.String) },
      success: Status,
      error: [refusal(UnsignedNotice, 400), ...cannotPay]
    }).annotateMerge(annotate(
      "Receive an event from Stripe",
      "For Stripe alone: the body is an event with its signature. What happened is read from Stripe anew, so that order and repeats do not matter.",
      { requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } } }
    ))
  )
  .prefix("/v1/billing")
  .annotateMerge(OpenApi.annotations({ title: "Billing", description: "Plans and paying for them, by Stripe." }))
{}
