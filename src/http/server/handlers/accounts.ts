/** Accounts and sessions over HTTP. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Accounts } from "../../../domain/accounts/accounts.ts"
import type { User } from "../../../domain/accounts/model.ts"
import { isPlatformAdmin } from "../../../domain/accounts/rules.ts"
import { Policies } from "../../../domain/ports/policies.ts"
import { Sessions } from "../../../domain/sessions/sessions.ts"
import { Workspaces } from "../../../domain/workspaces/workspaces.ts"
import { Api } from "../../contract/api.ts"
import { Caller, CSRF_COOKIE } from "../../contract/authentication.ts"
import { ok } from "../../contract/wire.ts"
import { addressOf, TrustedHops } from "../client-address.ts"
import { clearSession, CookieScope, setCsrf, setSession } from "../cookies.ts"

const viewOf = (policies: typeof Policies.Service) => (user: User) => ({
  ...user,
  isPlatformAdmin: isPlatformAdmin(user, policies.platformAdmins)
})

export const AuthHandlers = HttpApiBuilder.group(
  Api,
  "auth",
  Effect.fnUntraced(function*(handlers) {
    const accounts = yield* Accounts
    const sessions = yield* Sessions
    const view = viewOf(yield* Policies)
    const cookies = yield* CookieScope
    const hops = yield* TrustedHops
    const from = Effect.provideService(addressOf, TrustedHops, hops)
    const withCookies = Effect.provideService(CookieScope, cookies)

    return handlers.handleAll({
      signup: ({ payload }) =>
        from.pipe(
          Effect.flatMap((address) => accounts.signup({ ...payload, name: payload.name ?? undefined }, address)),
          Effect.as(ok)
        ),
      login: ({ payload }) =>
        from.pipe(
          Effect.flatMap((address) => accounts.login(payload, address)),
          Effect.tap((signedIn) => withCookies(setSession(signedIn))),
          Effect.map(({ csrfToken, user }) => ({ ...view(user), csrfToken }))
        ),
      logout: () => Effect.as(withCookies(clearSession), ok),
      csrf: () =>
        HttpServerRequest.HttpServerRequest.pipe(
          Effect.flatMap((request) => sessions.csrfToken(request.cookies[CSRF_COOKIE])),
          Effect.tap((token) => withCookies(setCsrf(token))),
          Effect.map((csrfToken) => ({ csrfToken }))
        ),
      resendVerification: ({ payload }) => Effect.as(accounts.resendVerification(payload.email), ok),
      confirmEmail: ({ payload }) => Effect.map(accounts.verifyEmail(payload.token), ({ email }) => ({ ...ok, email }))
    })
  })
)

export const AccountHandlers = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fnUntraced(function*(handlers) {
    const accounts = yield* Accounts
    const workspaces = yield* Workspaces
    const view = viewOf(yield* Policies)

    return handlers.handleAll({
      me: () =>
        Caller.use(({ user }) => Effect.map(workspaces.of(user.id), (workspaces) => ({ user: view(user), workspaces }))),
      rename: ({ payload }) => Caller.use(({ user }) => Effect.map(accounts.rename(user, payload.name), view))
    })
  })
)
