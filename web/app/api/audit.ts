/** Who did what in a workspace, newest first. */
import { infiniteQueryOptions } from "@tanstack/react-query"
import { api, take } from "./client.ts"
import { keys } from "./queries.ts"

export const auditOf = (workspace: string) =>
  infiniteQueryOptions({
    queryKey: keys.audit(workspace),
    // Who looks there wants to see what was done a moment ago.
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      take(api.GET("/v1/workspace/audit", { params: { query: { workspace, ...(pageParam && { cursor: pageParam }) } }, signal })),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined
  })
