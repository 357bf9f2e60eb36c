/** Invitations into a workspace. */
import { queryOptions } from "@tanstack/react-query"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { Change, ChangeOnce } from "./queries.ts"

export type Invite = components["schemas"]["Invite"]

interface Named {
  readonly workspace: string
  readonly id: string
}

/** An invitation that is gone may have been accepted meanwhile. */
const settles = ({ workspace }: { readonly workspace: string }) => [keys.invites(workspace), keys.members(workspace), keys.workspace(workspace)]

export const invitesOf = (workspace: string) =>
  queryOptions({
    queryKey: keys.invites(workspace),
    queryFn: ({ signal }) => take(api.GET("/v1/workspace/invites", { params: { query: { workspace } }, signal }))
  })

export const invitePlace = (workspace: string): string => `invite ${workspace}`

export const invite: ChangeOnce<{ readonly workspace: string; readonly email: string; readonly role: "admin" | "member" }, Invite> = {
  place: ({ workspace }) => invitePlace(workspace),
  send: ({ workspace, ...body }, header) => take(api.POST("/v1/workspace/invites", { params: { query: { workspace }, header }, body })),
  settles,
  says: (_, { email }) => `An invitation is on its way to ${email}.`
}

/** `seen`: until when the invitation holds. */
export const resendInvite: ChangeOnce<Named & { readonly seen: string }, Invite> = {
  place: ({ id }) => `resend ${id}`,
  send: ({ id, workspace }, header) => take(api.POST("/v1/workspace/invites/{invite_id}/resend", { params: { path: { invite_id: id }, query: { workspace }, header } })),
  settles,
  says: () => "Sent again. The earlier link has ended."
}

export const cancelInvite: Change<Named> = {
  send: ({ id, workspace }) => take(api.DELETE("/v1/workspace/invites/{invite_id}", { params: { path: { invite_id: id }, query: { workspace } } })),
  settles,
  says: () => "The invitation is taken back."
}
