/** The two cookies of a browser session and their attributes (CONTRACT §3). */
import { Context, Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { LIFETIME } from "../../domain/sessions/sessions.ts"
import { CSRF_COOKIE, SESSION_COOKIE } from "../contract/authentication.ts"

/** Lax where app, API and content share a site, None where they do not. */
export class CookieScope extends Context.Service<CookieScope, { readonly sameSite: "lax" | "none" }>()(
  "svc/http/server/CookieScope"
) {}

const attributes = (sameSite: "lax" | "none") => ({ path: "/", secure: true, sameSite, maxAge: `${LIFETIME.days} days` }) as const

export const setSession = Effect.fnUntraced(function*(issued: { readonly session: string; readonly csrfToken: string }) {
  const { sameSite } = yield* CookieScope
  yield* HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setCookiesUnsafe(response, [
      [SESSION_COOKIE, issued.session, { ...attributes(sameSite), httpOnly: true }],
      [CSRF_COOKIE, issued.csrfToken, attributes(sameSite)]
    ]))
  )
})

/** Sets the session cookie to the same session wrapped anew, or removes it where `session` is undefined. The CSRF cookie stays. */
export const replaceSession = Effect.fnUntraced(function*(session: string | undefined) {
  const { sameSite } = yield* CookieScope
  const lasting = session === undefined ? { maxAge: 0 } : {}
  yield* HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setCookiesUnsafe(response, [
      [SESSION_COOKIE, session ?? "", { ...attributes(sameSite), ...lasting, httpOnly: true }]
    ]))
  )
})

export const setCsrf = Effect.fnUntraced(function*(token: string) {
  const { sameSite } = yield* CookieScope
  yield* HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setCookiesUnsafe(response, [[CSRF_COOKIE, token, attributes(sameSite)]]))
  )
})

export const clearSession = Effect.gen(function*() {
  const { sameSite } = yield* CookieScope
  const gone = { path: "/", secure: true, sameSite, maxAge: 0 } as const
  yield* HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setCookiesUnsafe(response, [
      [SESSION_COOKIE, "", { ...gone, httpOnly: true }],
      [CSRF_COOKIE, "", gone]
    ]))
  )
})
