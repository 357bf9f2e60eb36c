/** Who may comment, by address: a project's own list, a folder's, the workspace's. */
import { queryOptions } from "@tanstack/react-query"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"

export type Allowlist = components["schemas"]["CommentAllowlist"]
type Changes = components["schemas"]["CommentAllowlistChanges"]

/** Whose list: a project by its slug, a folder or a workspace by its id. */
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

interface Given {
  readonly of: Listing
  readonly changes: Changes
}

export const changeAllowlist: Change<Given, Allowlist> = {
  send: ({ changes, of }) => write(of, changes),
  // What is inherited shows further down, so all lists are read anew.
  settles: () => [["allowlists"]]
}

/** What is chosen shows at once; addresses do once they are taken. */
export const chooseAllowlist: Change<Given, Allowlist> = {
  ...changeAllowlist,
  shows: ({ changes, of }) => [{ key: keys.allowlist(of.level, of.id), with: (shown: Allowlist) => ({ ...shown, ...changes }) }]
}

/** `before`: the whole list as it was, which undoing brings back. */
export const takeOffAllowlist: Change<{ readonly of: Listing; readonly email: string; readonly before: ReadonlyArray<string> }, Allowlist> = {
  send: ({ before, email, of }) => write(of, { emails: before.filter((one) => one !== email) }),
  shows: ({ email, of }) => [{ key: keys.allowlist(of.level, of.id), with: (shown: Allowlist) => ({ ...shown, emails: shown.emails.filter((one) => one !== email) }) }],
  settles: () => [["allowlists"]],
  says: (_, { email }) => `${email} is off the list.`,
  undo: ({ before, of }) => write(of, { emails: [...before] })
}
