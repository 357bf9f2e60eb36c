/** Everything of a workspace in one archive; the link to it comes by mail. */
import { queryOptions } from "@tanstack/react-query"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { ChangeOnce } from "./queries.ts"

export type LatestExport = components["schemas"]["Export"] | components["schemas"]["NoExport"]

export const latestExport = (workspace: string) =>
  queryOptions({
    queryKey: keys.exports(workspace),
    queryFn: async ({ signal }) => (await take(api.GET("/v1/workspace/export", { params: { query: { workspace } }, signal }))) as LatestExport,
    // Polls until the export is made, since somebody may be watching.
    refetchInterval: ({ state: { data } }) => data?.status === "queued" || data?.status === "building" ? 1500 : false
  })

export const exportPlace = (workspace: string): string => `export ${workspace}`

export const requestExport: ChangeOnce<{ readonly workspace: string; readonly password: string }> = {
  place: ({ workspace }) => exportPlace(workspace),
  send: (body, header) => take(api.POST("/v1/workspace/export", { params: { header }, body })),
  settles: ({ workspace }) => [keys.exports(workspace)]
}
