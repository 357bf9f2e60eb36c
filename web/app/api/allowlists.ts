/** Who may comment, by address: a project's own list, a folder's, the workspace's. */
import { queryOptions } from "@tanstack/react-query"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"

export type Allowlist = components["schemas"]["CommentAllowlist"]
type Changes = components["schemas"]["CommentAllowlistChanges"]

/** Whose list: a project's by its slug, a folder's or a workspace's by its id. */
export interface Listing {
  readonly level: "project" | "folder" | "workspace"
  readonly id: string
}

const read = ({ id, level }: Listing, signal: AbortSignal) => {
  switch (level) {
    case "project":
      return take(api.GET("/v1/projects/{slug}/comment-allowlist", { params: { path: { slug: id } }, signal }))
    case "folder":
      return take(api.GET("/v1/folders/{id}/comment-allowlist", { params: { path: { id } }, signal }))
    case "workspace":
      return take(api.GET("/v1/workspace/comment-allowlist", { params: { query: { workspace: id } }, signal }))
  }
}

const write = ({ id, level }: Listing, body: Changes) => {
  switch (level) {
    case "project":
      return take(api.PUT("/v1/projects/{slug}/comment-allowlist", { params: { path: { slug: id } }, body }))
    case "folder":
      return take(api.PUT("/v1/folders/{id}/comment-allowlist", { params: { path: { id } }, body }))
    case "workspace":
      return take(api.PUT("/v1/workspace/comment-allowlist", { params: { query: { workspace: id } }, body }))
  }
}

export const allowlistOf = (of: Listing) =>
  queryOptions({ queryKey: keys.allowlist(of.level, of.id), queryFn: ({ signal }) => read(of, signal) })

// Lists further down show what they inherit, so all lists are read again.
const settles = () => [keys.allowlists]

export const chooseAllowlist: Change<{ readonly of: Listing; readonly changes: Changes }, Allowlist> = {
  settles,
  send: ({ changes, of }) => write(of, changes),
  shows: ({ changes, of }) => [{ key: keys.allowlist(of.level, of.id), with: (shown: Allowlist) => ({ ...shown, ...changes }) }]
}

/** Added addresses show only once the service has accepted them. */
export const addToAllowlist: Change<{ readonly of: Listing; readonly emails: ReadonlyArray<string> }, Allowlist> = {
  settles,
  send: ({ emails, of }) => write(of, { add_emails: [...emails] }),
  tells: "Added"
}

export const takeOffAllowlist: Change<{ readonly of: Listing; readonly email: string }, Allowlist> = {
  settles,
  send: ({ email, of }) => write(of, { remove_emails: [email] }),
  shows: ({ email, of }) => [{ key: keys.allowlist(of.level, of.id), with: (shown: Allowlist) => ({ ...shown, emails: shown.emails.filter((one) => one !== email) }) }],
  says: (_, { email }) => `${email} is off the list.`,
  undo: ({ email, of }) => write(of, { add_emails: [email] })
}
