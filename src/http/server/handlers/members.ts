/** Members over HTTP. */
import { Effect } from "effect"
import { Members } from "../../../domain/workspaces/members.ts"
import { Api } from "../../contract/api.ts"
import { AdminWorkspace, Caller } from "../../contract/authentication.ts"
import { ok } from "../../contract/wire.ts"
import { handlersOf } from "../carried.ts"

export const MembersHandlers = handlersOf(
  Api,
  "members",
  Effect.fnUntraced(function*(handlers) {
    const members = yield* Members

    return handlers.handleAll({
      list: ({ query }) => Caller.use(({ user }) => members.list(user, query.workspace)),
      changeRole: ({ params, payload: { role } }) => AdminWorkspace.use((admin) => members.changeRole(admin, params.user_id, role)),
      remove: ({ params, query }) => Caller.use(({ user }) => Effect.as(members.remove(user, query.workspace, params.user_id), ok))
    })
  })
)
