/** Connected devices and agents over HTTP. */
import { Effect } from "effect"
import { Grants } from "../../../domain/grants/grants.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { ok } from "../../contract/wire.ts"
import { handlersOf } from "../carried.ts"

export const GrantsHandlers = handlersOf(
  Api,
  "grants",
  Effect.fnUntraced(function*(handlers) {
    const grants = yield* Grants

    return handlers.handleAll({
      list: () => Caller.use(({ user }) => grants.list(user.id)),
      revoke: ({ params }) => Caller.use(({ user }) => Effect.as(grants.revoke(user.id, params.id), ok))
    })
  })
)
