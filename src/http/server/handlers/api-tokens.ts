/** API tokens over HTTP. */
import { Effect } from "effect"
import { ApiTokens } from "../../../domain/api-tokens/api-tokens.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { ok } from "../../contract/wire.ts"
import { handlersOf } from "../carried.ts"

export const ApiTokensHandlers = handlersOf(
  Api,
  "tokens",
  Effect.fnUntraced(function*(handlers) {
    const tokens = yield* ApiTokens

    return handlers.handleAll({
      create: ({ payload }) => Caller.use(({ user }) => tokens.createSignedIn(user, payload.label)),
      list: () => Caller.use(({ user }) => tokens.list(user.id)),
      revoke: ({ params }) =>
        Caller.use(({ user }) => Effect.as(tokens.revoke(user.id, params.token_id), ok))
    })
  })
)
