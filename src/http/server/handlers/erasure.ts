/** Deletion over HTTP. */
import { Effect } from "effect"
import { PlatformAdmins } from "../../../domain/administration/platform-admins.ts"
import { Erasure } from "../../../domain/erasure/erasure.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { handlersOf } from "../carried.ts"
import { clearSession, CookieScope } from "../cookies.ts"

export const ErasureHandlers = handlersOf(
  Api,
  "erasure",
  Effect.fnUntraced(function*(handlers) {
    const erasure = yield* Erasure
    const platformAdmins = yield* PlatformAdmins
    const withCookies = Effect.provideService(CookieScope, yield* CookieScope)

    return handlers.handleAll({
      deleteAccount: ({ payload: { password } }) =>
        Caller.use(({ user }) => erasure.deleteAccount(user, password)).pipe(Effect.tap(() => withCookies(clearSession))),
      impact: () => Caller.use(({ user }) => erasure.impact(user)),
      workspaceImpact: ({ query: { workspace } }) => Caller.use(({ user }) => erasure.workspaceImpact(user, workspace)),
      deleteWorkspace: ({ payload, query }) => Caller.use(({ user }) => erasure.deleteWorkspace(user, query.workspace, payload)),
      restore: ({ params }) =>
        Caller.use(({ user }) => platformAdmins.admit(user)).pipe(Effect.flatMap((by) => erasure.restore(by, params.target_type, params.target_id)))
    })
  })
)
