/** Devices and agents that the account let in. */
import { queryOptions } from "@tanstack/react-query"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"

type Grant = components["schemas"]["Grant"]

export const grants = queryOptions({
  queryKey: keys.grants,
  queryFn: ({ signal }) => take(api.GET("/v1/me/grants", { signal }))
})

export const revokeGrant: Change<{ readonly id: string; readonly client: string }> = {
  send: ({ id }) => take(api.DELETE("/v1/me/grants/{id}", { params: { path: { id } } })),
  shows: ({ id }) => [{ key: keys.grants, with: (shown: ReadonlyArray<Grant>) => shown.filter((grant) => grant.id !== id) }],
  settles: () => [keys.grants],
  says: (_, { client }) => `${client} is out.`
}
