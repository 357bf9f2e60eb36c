/** Who may comment, by address: a project's own list, a folder's, the workspace's. */
import { queryOptions } from "@tanstack/react-query"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"

type Changes = components["schemas"]["CommentAllowlistChanges"]

export const allowlistOfProject = (slug: string) =>
  queryOptions({
    queryKey: keys.allowlist("project", slug),
    queryFn: ({ signal }) => take(api.GET("/v1/projects/{slug}/comment-allowlist", { params: { path: { slug } }, signal }))
  })

export const allowlistOfWorkspace = (workspace: string) =>
  queryOptions({
    queryKey: keys.allowlist("workspace", workspace),
    queryFn: ({ signal }) => take(api.GET("/v1/workspace/comment-allowlist", { params: { query: { workspace } }, signal }))
  })

/** What is inherited shows further down, so all lists are read anew. */
const settles = () => [["allowlists"]]

export const changeProjectAllowlist: Change<{ readonly slug: string; readonly changes: Changes }> = {
  send: ({ changes, slug }) => take(api.PUT("/v1/projects/{slug}/comment-allowlist", { params: { path: { slug } }, body: changes })),
  settles
}

export const changeWorkspaceAllowlist: Change<{ readonly workspace: string; readonly changes: Changes }> = {
  send: ({ changes, workspace }) => take(api.PUT("/v1/workspace/comment-allowlist", { params: { query: { workspace } }, body: changes })),
  settles
}
