/** How a browser's session ends, and how another takes its place: the earlier one, whoever's it was, ends as by signing out. */
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { Gates } from "../../domain/hosting/gates.ts"
import { Sessions } from "../../domain/sessions/sessions.ts"
import type { IssuedSession } from "../../domain/sessions/sessions.ts"
import { SESSION_COOKIE } from "../contract/authentication.ts"
import { clearSession, CookieScope, setSession } from "./cookies.ts"

export const makeSessionChange = Effect.gen(function*() {
  const gates = yield* Gates
  const sessions = yield* Sessions
  const withCookies = Effect.provideService(CookieScope, yield* CookieScope)

  /** Nothing for a cookie that is no session: there is nothing to end then. */
  const endCurrent = HttpServerRequest.HttpServerRequest.pipe(
    Effect.flatMap((request) => sessions.current(request.cookies[SESSION_COOKIE] ?? "")),
    Effect.flatMap(Option.match({ onNone: () => Effect.void, onSome: gates.signOut }))
  )

  return {
    signOut: Effect.andThen(endCurrent, withCookies(clearSession)),
    /** Runs once the sign-in is done, so that one that fails leaves the earlier session as it was. */
    signIn: (issued: IssuedSession) => Effect.andThen(endCurrent, withCookies(setSession(issued)))
  }
})
