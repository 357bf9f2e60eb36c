/** Plans and what a workspace pays. Checkout and the portal are pages of the payment provider: go to `url`. */
import { queryOptions } from "@tanstack/react-query"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { ChangeOnce } from "./queries.ts"

type Page = components["schemas"]["BillingPage"]

export const plans = queryOptions({
  queryKey: keys.plans,
  queryFn: ({ signal }) => take(api.GET("/v1/billing/plans", { signal })),
  staleTime: Number.POSITIVE_INFINITY
})

export const subscriptionOf = (workspace: string) =>
  queryOptions({
    queryKey: keys.subscription(workspace),
    queryFn: ({ signal }) => take(api.GET("/v1/billing/subscription", { params: { query: { workspace } }, signal }))
  })

export const checkout: ChangeOnce<{ readonly workspace: string; readonly plan: "starter" | "studio" | "agency"; readonly interval: "month" | "year" }, Page> = {
  place: ({ workspace }) => `checkout ${workspace}`,
  send: (body, header) => take(api.POST("/v1/billing/checkout", { params: { header }, body })),
  // Whoever has paid already gets the plan when they ask once more.
  settles: ({ workspace }) => [keys.subscription(workspace), keys.workspace(workspace)]
}

export const openPortal: ChangeOnce<{ readonly workspace: string }, Page> = {
  place: ({ workspace }) => `portal ${workspace}`,
  send: (body, header) => take(api.POST("/v1/billing/portal", { params: { header }, body })),
  // A customer who is no more is noticed by asking.
  settles: ({ workspace }) => [keys.subscription(workspace)]
}
