/** The signed-in user, if any, where nobody has to sign in: read from the cookie alone, and never a reason to refuse. */
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Visitor } from "../../domain/invites/invites.ts"
import type { Sessions } from "../../domain/sessions/sessions.ts"
import { SESSION_COOKIE } from "../contract/authentication.ts"
import { csrfConfirmed } from "./middleware/authentication.ts"

export const visitorOf = Effect.fnUntraced(function*(sessions: typeof Sessions.Service) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const cookie = request.cookies[SESSION_COOKIE]
  const user = cookie === undefined ? undefined : Option.getOrUndefined(yield* sessions.authenticate(cookie))
  return user === undefined ? undefined : { user, confirm: csrfConfirmed(request) } satisfies Visitor
})
