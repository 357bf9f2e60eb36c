/** API tokens of the account. */
import { queryOptions } from "@tanstack/react-query"
import { apart } from "../ui/apart.ts"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"

export const tokens = queryOptions({
  queryKey: keys.tokens,
  queryFn: ({ signal }) => take(api.GET("/v1/tokens", { signal }))
})

/** Only the answer carries the token: show it once, with a copy button. */
export const createToken: Change<{ readonly label: string }, components["schemas"]["NewApiToken"]> = {
  send: (body) => take(api.POST("/v1/tokens", { body })),
  settles: () => [keys.tokens],
  tells: "Copy the token now: it is shown this once."
}

export const revokeToken: Change<{ readonly id: string; readonly label: string }> = {
  send: ({ id }) => take(api.DELETE("/v1/tokens/{token_id}", { params: { path: { token_id: id } } })),
  settles: () => [keys.tokens],
  says: (_, { label }) => `The token ${apart(label)} no longer works.`
}
