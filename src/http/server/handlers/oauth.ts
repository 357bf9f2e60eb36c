/** Consent for agents, over HTTP. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { OAuth } from "../../../domain/oauth/oauth.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"

export const OauthHandlers = HttpApiBuilder.group(
  Api,
  "oauth",
  Effect.fnUntraced(function*(handlers) {
    const oauth = yield* OAuth

    return handlers.handleAll({
      info: ({ query }) => Caller.use(({ user }) => oauth.info(user, query.client_id)),
      authorize: ({ payload: { decision, ...asked } }) =>
        Caller.use(({ user }) =>
          oauth.decide(user, {
            clientId: asked.client_id,
            redirectUri: asked.redirect_uri,
            codeChallenge: asked.code_challenge ?? undefined,
            codeChallengeMethod: asked.code_challenge_method ?? undefined,
            scope: asked.scope ?? undefined,
            state: asked.state ?? undefined,
            resource: asked.resource ?? undefined
          }, decision)
        )
    })
  })
)
