/** Devices and agents that the account let in. */
import { queryOptions } from "@tanstack/react-query"
import { apart } from "../ui/apart.ts"
import { api, take } from "./client.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"

export const grants = queryOptions({
  queryKey: keys.grants,
  queryFn: ({ signal }) => take(api.GET("/v1/me/grants", { signal }))
})

export const revokeGrant: Change<{ readonly id: string; readonly client: string }> = {
  send: ({ id }) => take(api.DELETE("/v1/me/grants/{id}", { params: { path: { id } } })),
  settles: () => [keys.grants],
  says: (_, { client }) => `${apart(client)} is out.`
}
