/** Who is in a workspace. */
import { queryOptions } from "@tanstack/react-query"
import { apart } from "../ui/apart.ts"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"

export type Member = components["schemas"]["Member"]
export type Role = Member["role"]

export const membersOf = (workspace: string) =>
  queryOptions({
    queryKey: keys.members(workspace),
    queryFn: ({ signal }) => take(api.GET("/v1/workspace/members", { params: { query: { workspace } }, signal }))
  })

export const changeRole: Change<{ readonly workspace: string; readonly user: string; readonly role: Role }> = {
  send: ({ role, user, workspace }) =>
    take(api.PATCH("/v1/workspace/members/{user_id}", { params: { path: { user_id: user }, query: { workspace } }, body: { role } })),
  shows: ({ role, user, workspace }) => [{
    key: keys.members(workspace),
    with: (shown: ReadonlyArray<Member>) => shown.map((member) => member.user_id === user ? { ...member, role } : member)
  }],
  settles: ({ workspace }) => [keys.members(workspace), keys.me]
}

export const removeMember: Change<{ readonly workspace: string; readonly user: string; readonly name: string }> = {
  send: ({ user, workspace }) => take(api.DELETE("/v1/workspace/members/{user_id}", { params: { path: { user_id: user }, query: { workspace } } })),
  settles: ({ workspace }) => [keys.members(workspace), keys.workspace(workspace), keys.folders(workspace), keys.projectLists],
  says: (_, { name }) => `${apart(name)} is no longer in this workspace.`
}

/** The same for oneself; `name`: the workspace's. */
export const leaveWorkspace: typeof removeMember = {
  ...removeMember,
  settles: () => [keys.me, keys.projects],
  says: (_, { name }) => `You left ${apart(name)}.`
}
