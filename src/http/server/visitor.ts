/** The signed-in user, if any, where nobody has to sign in. A bearer token is nobody here, and a bad one is refused as everywhere. */
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import type { ApiTokens } from "../../domain/api-tokens/api-tokens.ts"
import type { Visitor } from "../../domain/invites/invites.ts"
import type { Sessions } from "../../domain/sessions/sessions.ts"
import { bearerOf, sessionCookieOf } from "../contract/authentication.ts"
import { csrfConfirmed, ofBearer } from "./middleware/authentication.ts"

export const visitorOf = Effect.fnUntraced(function*(sessions: typeof Sessions.Service, tokens: typeof ApiTokens.Service) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const authorization = request.headers["authorization"]
  if (authorization !== undefined) yield* ofBearer(tokens, bearerOf(authorization) ?? "")
  const cookie = sessionCookieOf(request)
  const user = cookie === undefined ? undefined : Option.getOrUndefined(yield* sessions.authenticate(cookie))
  return user === undefined ? undefined : { user, confirm: csrfConfirmed(request) } satisfies Visitor
})
