/** The two cookies of a browser session and their attributes (CONTRACT §3). */
import { Context, Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { LIFETIME } from "../../domain/sessions/sessions.ts"
import { CSRF_COOKIE, SESSION_COOKIE } from "../contract/authentication.ts"

/** Lax where app, API and content share a site, None where they do not. */
export class CookieScope extends Context.Service<CookieScope, { readonly sameSite: "lax" | "none" }>()(
  "svc/http/server/CookieScope"
) {}

const LASTING = `${LIFETIME.days} days` as const

/** Sets these cookies, and removes those whose value is undefined. */
const set = Effect.fnUntraced(function*(values: Readonly<Record<string, string | undefined>>) {
  const { sameSite } = yield* CookieScope
  const cookies = Object.entries(values).map(([name, value]) =>
    [name, value ?? "", { path: "/", secure: true, sameSite, httpOnly: name === SESSION_COOKIE, maxAge: value === undefined ? 0 : LASTING }] as const)
  yield* HttpEffect.appendPreResponseHandler((_request, response) => Effect.succeed(HttpServerResponse.setCookiesUnsafe(response, cookies)))
})

export const setSession = ({ csrfToken, session }: { readonly session: string; readonly csrfToken: string }) =>
  set({ [SESSION_COOKIE]: session, [CSRF_COOKIE]: csrfToken })

/** Sets the session cookie to the same session wrapped anew, or removes it where `session` is undefined. The CSRF cookie stays. */
export const replaceSession = (session: string | undefined) => set({ [SESSION_COOKIE]: session })

export const setCsrf = (token: string) => set({ [CSRF_COOKIE]: token })

export const clearSession = set({ [SESSION_COOKIE]: undefined, [CSRF_COOKIE]: undefined })
