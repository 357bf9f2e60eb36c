/** Deletion over HTTP. */
import { Effect, Schema } from "effect"
import { Administering } from "../../../domain/administration/administering.ts"
import { PlatformAdmins } from "../../../domain/administration/platform-admins.ts"
import { Erasure } from "../../../domain/erasure/erasure.ts"
import { Target } from "../../../domain/erasure/model.ts"
import { noSuchTarget } from "../../../domain/erasure/rules.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { handlersOf } from "../carried.ts"
import { clearSession, CookieScope } from "../cookies.ts"

const decodeTarget = Schema.decodeUnknownOption(Target)

/** What cannot be a target is one that does not exist. */
const targetOf = (given: unknown) => Effect.fromOption(decodeTarget(given), noSuchTarget)

export const ErasureHandlers = handlersOf(
  Api,
  "erasure",
  Effect.fnUntraced(function*(handlers) {
    const administering = yield* Administering
    const erasure = yield* Erasure
    const platformAdmins = yield* PlatformAdmins
    const withCookies = Effect.provideService(CookieScope, yield* CookieScope)

    return handlers.handleAll({
      deleteAccount: ({ payload: { password } }) =>
        Caller.use(({ user }) => erasure.deleteAccount(user, password)).pipe(Effect.tap(() => withCookies(clearSession))),
      impact: () => Caller.use(({ user }) => erasure.impact(user)),
      workspaceImpact: ({ query: { workspace } }) => Caller.use(({ user }) => erasure.workspaceImpact(user, workspace)),
      deleteWorkspace: ({ payload, query }) => Caller.use(({ user }) => erasure.deleteWorkspace(user, query.workspace, payload)),
      restore: ({ params: { target_id: id, target_type: type } }) =>
        Caller.use(({ user }) => platformAdmins.admit(user)).pipe(
          Effect.flatMap((by) => Effect.flatMap(targetOf({ type, id }), (target) => administering.restoreDeletion(by, target)))
        )
    })
  })
)
