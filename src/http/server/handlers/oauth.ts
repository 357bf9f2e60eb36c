/** Consent for agents, over HTTP. */
import { Effect } from "effect"
import type { AuthorizationRequest } from "../../../domain/oauth/model.ts"
import { OAuth } from "../../../domain/oauth/oauth.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { handlersOf } from "../carried.ts"

type Optional = "code_challenge" | "code_challenge_method" | "scope" | "state" | "resource"

/** A parameter without a value is left out (RFC 6749 §3.1). */
const given = (value: string | null | undefined) => value === null || value === "" ? undefined : value

const requestOf = (
  asked: { readonly client_id: string; readonly redirect_uri: string } & { readonly [Name in Optional]?: string | null | undefined }
): AuthorizationRequest => ({
  clientId: asked.client_id,
  redirectUri: asked.redirect_uri,
  codeChallenge: given(asked.code_challenge),
  codeChallengeMethod: given(asked.code_challenge_method),
  scope: given(asked.scope),
  state: given(asked.state),
  resource: given(asked.resource)
})

export const OauthHandlers = handlersOf(
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
