/** Billing over HTTP, and the one door for Stripe. */
import { Effect } from "effect"
import { Billing } from "../../../domain/billing/billing.ts"
import { Subscriptions } from "../../../domain/billing/subscriptions.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { ok } from "../../contract/wire.ts"
import { handlersOf } from "../carried.ts"

export const BillingHandlers = handlersOf(
  Api,
  "billing",
  Effect.fnUntraced(function*(handlers) {
    const billing = yield* Billing
    const subscriptions = yield* Subscriptions

    return handlers.handleAll({
      plans: () => billing.plans,
      checkout: ({ payload }) => Caller.use(({ user }) => billing.checkout(user, payload)),
      subscription: ({ query }) => Caller.use(({ user }) => billing.bill(user, query.workspace)),
      portal: ({ payload }) => Caller.use(({ user }) => billing.portal(user, payload.workspace)),
      // The signature covers the exact bytes; a body over the limit is refused as everywhere.
      webhook: ({ headers, request }) =>
        Effect.orDie(request.text).pipe(
          Effect.flatMap((body) => subscriptions.receive(body, headers["stripe-signature"])),
          Effect.as(ok)
        )
    })
  })
)
