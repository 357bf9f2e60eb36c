/** How a browser's session ends, and how another takes its place: the earlier one of somebody else ends as by signing out. */
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

  /** None for a cookie that is no session: there is nothing to end then. */
  const current = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ cookies }) => sessions.current(cookies[SESSION_COOKIE] ?? ""))

  /** The session to set. What the same person has under way, such as an upload in another tab, goes on. */
  const replacing = Effect.fnUntraced(function*(issued: IssuedSession) {
    const earlier = Option.getOrUndefined(yield* current)
    if (earlier === undefined) return issued
    const continued = Option.getOrUndefined(yield* sessions.continuing(issued, earlier))
    yield* continued === undefined ? gates.signOut(earlier) : gates.endPasses(earlier)
    return continued ?? issued
  })

  return {
    signOut: Effect.flatMap(current, Option.match({ onNone: () => Effect.void, onSome: gates.signOut })).pipe(Effect.andThen(withCookies(clearSession))),
    /** Runs once the sign-in is done, so that one that fails leaves the earlier session as it was. */
    signIn: (issued: IssuedSession) => Effect.flatMap(replacing(issued), (session) => withCookies(setSession(session)))
  }
})
