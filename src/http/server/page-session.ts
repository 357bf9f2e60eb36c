/** The session that comes with a page's request, and the request's query parameters. */
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { Sessions } from "../../domain/sessions/sessions.ts"
import { sessionCookieOf } from "../contract/authentication.ts"
import { fromElsewhere, opensPage } from "../contract/fetch-metadata.ts"

export type Fields = Readonly<Record<string, string | undefined>>

/** A repeated parameter is left out as ambiguous, an empty one as not given. */
export const parametersIn = (given: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""))

/** Whoever the session cookie belongs to. To what another origin frames or loads it is nobody's. */
export const signedIn = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (fromElsewhere(request.headers) && !opensPage(request.headers)) return Option.none()
  return yield* (yield* Sessions).current(sessionCookieOf(request) ?? "")
})

export const caller = Effect.map(signedIn, Option.map(({ user }) => user))
