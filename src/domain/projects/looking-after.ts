/** Who looks after a project, by the facts as they are now. */
import { Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import { AccountStore } from "../accounts/store.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { lookAfter } from "./access-rules.ts"

export const makeLookingAfter = Effect.gen(function*() {
  const accounts = yield* AccountStore
  const workspaces = yield* WorkspaceStore

  return Effect.fn("Projects.lookingAfter")(function*({ ownerId, workspaceId }: { readonly ownerId: UserId; readonly workspaceId: WorkspaceId }) {
    return lookAfter(ownerId, Option.isSome(yield* accounts.find(ownerId)), yield* workspaces.members(workspaceId))
  })
})
