/** Workspaces over HTTP. */
import { Effect } from "effect"
import { Workspaces } from "../../../domain/workspaces/workspaces.ts"
import { Api } from "../../contract/api.ts"
import { AdminWorkspace, Caller } from "../../contract/authentication.ts"
import { handlersOf } from "../carried.ts"

export const WorkspacesHandlers = handlersOf(
  Api,
  "workspaces",
  Effect.fnUntraced(function*(handlers) {
    const workspaces = yield* Workspaces

    return handlers.handleAll({
      get: () => AdminWorkspace.use(({ user, workspaceId }) => workspaces.get(user, workspaceId)),
      change: ({ payload: { name } }) => AdminWorkspace.use((admin) => workspaces.change(admin, { name })),
      create: ({ payload: { name } }) => Caller.use(({ user }) => workspaces.create(user, name))
    })
  })
)
