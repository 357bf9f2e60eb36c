/** The workspace itself: its plan and limits, its name, its deletion. For its admins. */
import { queryOptions } from "@tanstack/react-query"
import type { Me } from "./account.ts"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { Change, ChangeOnce } from "./queries.ts"

export type Workspace = components["schemas"]["Workspace"]

export const workspaceOf = (workspace: string) =>
  queryOptions({
    queryKey: keys.workspace(workspace),
    queryFn: ({ signal }) => take(api.GET("/v1/workspace", { params: { query: { workspace } }, signal }))
  })

export const renameWorkspace: Change<{ readonly workspace: string; readonly name: string }> = {
  send: ({ name, workspace }) => take(api.PATCH("/v1/workspace", { params: { query: { workspace } }, body: { name } })),
  shows: ({ name, workspace }) => [
    { key: keys.workspace(workspace), with: (shown: Workspace) => ({ ...shown, name }) },
    { key: keys.me, with: (shown: Me) => ({ ...shown, workspaces: shown.workspaces.map((one) => one.id === workspace ? { ...one, name } : one) }) }
  ],
  settles: ({ workspace }) => [keys.workspace(workspace), keys.me],
  tells: "Saved"
}

export const workspacePlace = "workspace"

export const createWorkspace: ChangeOnce<{ readonly name: string }, Workspace> = {
  place: () => workspacePlace,
  send: (body, header) => take(api.POST("/v1/workspaces", { params: { header }, body })),
  settles: () => [keys.me]
}

/** Read when asked for and not cached: it says what would be lost now. */
export const workspaceImpact = (workspace: string) =>
  queryOptions({
    queryKey: keys.workspaceImpact(workspace),
    queryFn: ({ signal }) => take(api.GET("/v1/workspace/deletion-impact", { params: { query: { workspace } }, signal })),
    staleTime: 0,
    gcTime: 0
  })

export const deleteWorkspace: Change<{ readonly workspace: string; readonly password: string }, components["schemas"]["ScheduledDeletion"]> = {
  send: (body) => take(api.DELETE("/v1/workspace", { params: { query: { workspace: body.workspace } }, body })),
  settles: () => [keys.me, keys.projects]
}
