/** Accounts and sessions over HTTP. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { Accounts } from "../../../domain/accounts/accounts.ts"
import { Recovery } from "../../../domain/accounts/recovery.ts"
import type { User } from "../../../domain/accounts/model.ts"
import { PlatformAdmins } from "../../../domain/administration/platform-admins.ts"
import { CommentTokens } from "../../../domain/comments/comment-tokens.ts"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { Sessions } from "../../../domain/sessions/sessions.ts"
import { Workspaces } from "../../../domain/workspaces/workspaces.ts"
import { Api } from "../../contract/api.ts"
import { Caller, CSRF_COOKIE, Viewer } from "../../contract/authentication.ts"
import { ok } from "../../contract/wire.ts"
import { handlersOf } from "../carried.ts"
import { addressOf, TrustedHops } from "../client-address.ts"
import { clearSession, CookieScope, setCsrf, setSession } from "../cookies.ts"
import { evenly, refusedEvenly } from "../even-answers.ts"
import { carriedPath } from "../own-paths.ts"
import { makeSessionChange } from "../session-change.ts"
import { WaysIn } from "../ways-in.ts"

export const viewOf = (platformAdmins: typeof PlatformAdmins.Service) => (user: User) => ({
  ...user,
  isPlatformAdmin: platformAdmins.includes(user)
})

export const AuthHandlers = handlersOf(
  Api,
  "auth",
  Effect.fnUntraced(function*(handlers) {
    const accounts = yield* Accounts
    const recovery = yield* Recovery
    const sessions = yield* Sessions
    const { signIn, signOut } = yield* makeSessionChange
    const view = viewOf(yield* PlatformAdmins)
    const signedInView = ({ csrfToken, user }: { readonly csrfToken: string; readonly user: User }) => ({ ...view(user), csrfToken })
    const cookies = yield* CookieScope
    const hops = yield* TrustedHops
    const from = Effect.provideService(addressOf, TrustedHops, hops)
    const withCookies = Effect.provideService(CookieScope, cookies)
    const { baseUrl } = yield* Addresses
    const ways = yield* WaysIn
    const nextIn = ({ next }: { readonly next?: string | null }) => carriedPath(next ?? undefined, baseUrl)

    return handlers.handleAll({
      ways: () => Effect.succeed(ways),
      signup: ({ payload }) =>
        from.pipe(
          Effect.flatMap((address) => accounts.signup({ ...payload, name: payload.name ?? undefined, next: nextIn(payload) }, address)),
          Effect.as(ok)
        ),
      login: ({ payload }) =>
        from.pipe(
          Effect.flatMap((address) => refusedEvenly(accounts.login(payload, address), "invalid_credentials")),
          Effect.tap(signIn),
          Effect.map(signedInView)
        ),
      magicLink: ({ payload }) => Effect.as(evenly(recovery.requestMagicLink(payload.email, nextIn(payload))), ok),
      openMagicLink: ({ payload }) =>
        from.pipe(
          Effect.flatMap((address) => recovery.openMagicLink(payload.token, address)),
          Effect.tap(signIn),
          Effect.map(signedInView)
        ),
      resetPassword: ({ payload }) => Effect.as(evenly(recovery.requestReset(payload.email, nextIn(payload))), ok),
      confirmReset: ({ payload }) =>
        from.pipe(
          Effect.flatMap((address) => recovery.confirmReset(payload.token, payload.password, address)),
          Effect.as(ok)
        ),
      changePassword: ({ payload }) =>
        Caller.use(({ user }) => recovery.changePassword(user, payload.currentPassword, payload.newPassword)).pipe(
          Effect.tap((issued) => withCookies(setSession(issued))),
          Effect.map(({ csrfToken }) => ({ ...ok, csrfToken }))
        ),
      logoutAll: () =>
        Caller.use(({ user }) => sessions.endAll(user)).pipe(Effect.andThen(withCookies(clearSession)), Effect.as(ok)),
      logout: () => Effect.as(signOut, ok),
      csrf: () =>
        HttpServerRequest.HttpServerRequest.pipe(
          Effect.flatMap((request) => sessions.csrfToken(request.cookies[CSRF_COOKIE])),
          Effect.tap((token) => withCookies(setCsrf(token))),
          Effect.map((csrfToken) => ({ csrfToken }))
        ),
      resendVerification: ({ payload }) => Effect.as(evenly(accounts.resendVerification(payload.email, nextIn(payload))), ok),
      confirmEmail: ({ payload }) => Effect.map(accounts.verifyEmail(payload.token), ({ email }) => ({ ...ok, email }))
    })
  })
)

export const AccountHandlers = handlersOf(
  Api,
  "account",
  Effect.fnUntraced(function*(handlers) {
    const accounts = yield* Accounts
    const workspaces = yield* Workspaces
    const commentTokens = yield* CommentTokens
    const view = viewOf(yield* PlatformAdmins)

    return handlers.handleAll({
      me: () =>
        Effect.gen(function*() {
          const caller = yield* Caller
          const { user } = caller
          const { projectId } = yield* Viewer
          return projectId === undefined || caller.via === "token"
            ? { user: view(user), workspaces: yield* workspaces.of(user.id) }
            : { user: { name: user.name, email: user.email }, commentToken: yield* commentTokens.issue(caller, projectId) }
        }),
      rename: ({ payload }) => Caller.use(({ user }) => Effect.map(accounts.rename(user, payload.name), view))
    })
  })
)
