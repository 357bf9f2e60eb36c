/** Consent for agents, over HTTP. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { AuthorizationRequest } from "../../../domain/oauth/model.ts"
import { OAuth } from "../../../domain/oauth/oauth.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"

type Optional = "code_challenge" | "code_challenge_method" | "scope" | "state" | "resource"

const requestOf = (
  asked: { readonly client_id: string; readonly redirect_uri: string } & { readonly [Name in Optional]?: string | null | undefined }
): AuthorizationRequest => ({
  clientId: asked.client_id,
  redirectUri: asked.redirect_uri,
  codeChallenge: asked.code_challenge ?? undefined,
  codeChallengeMethod: asked.code_challenge_method ?? undefined,
  scope: asked.scope ?? undefined,
  state: asked.state ?? undefined,
  resource: asked.resource ?? undefined
})

export const OauthHandlers = HttpApiBuilder.group(
  Api,
  "oauth",
  Effect.fnUntraced(function*(handlers) {
    const oauth = yield* OAuth

    return handlers.handleAll({
      info: ({ query: { redirect_uri, response_type, ...asked } }) =>
        Caller.use(({ user }) =>
          oauth.info(user, redirect_uri === undefined ? { clientId: asked.client_id } : requestOf({ ...asked, redirect_uri }), response_type)
        ),
      authorize: ({ payload: { decision, ...asked } }) => Caller.use(({ user }) => oauth.decide(user, requestOf(asked), decision))
    })
  })
)
