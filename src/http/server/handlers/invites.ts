/** Invitations over HTTP. */
import { Effect, Option } from "effect"
import { PlatformAdmins } from "../../../domain/administration/platform-admins.ts"
import { ApiTokens } from "../../../domain/api-tokens/api-tokens.ts"
import { Invites } from "../../../domain/invites/invites.ts"
import { Inviting } from "../../../domain/invites/inviting.ts"
import type { Accepted } from "../../../domain/invites/invites.ts"
import { Sessions } from "../../../domain/sessions/sessions.ts"
import { Api } from "../../contract/api.ts"
import { AdminWorkspace } from "../../contract/authentication.ts"
import { ok } from "../../contract/wire.ts"
import { handlersOf } from "../carried.ts"
import { addressOf, TrustedHops } from "../client-address.ts"
import { makeSessionChange } from "../session-change.ts"
import { visitorOf } from "../visitor.ts"
import { viewOf } from "./accounts.ts"

export const InvitesHandlers = handlersOf(
  Api,
  "invites",
  Effect.fnUntraced(function*(handlers) {
    const invites = yield* Invites
    const inviting = yield* Inviting
    const sessions = yield* Sessions
    const view = viewOf(yield* PlatformAdmins)
    const asking = visitorOf(sessions, yield* ApiTokens)
    const from = Effect.provideService(addressOf, TrustedHops, yield* TrustedHops)
    const { signIn } = yield* makeSessionChange

    const answer = ({ issued, user }: Accepted) =>
      Option.match(issued, {
        onNone: () => Effect.succeed(view(user)),
        onSome: (session) => Effect.as(signIn(session), { ...view(user), csrfToken: session.csrfToken })
      })

    return handlers.handleAll({
      list: () => AdminWorkspace.use((admin) => inviting.list(admin)),
      create: ({ payload: { email, role } }) => AdminWorkspace.use((admin) => inviting.create(admin, { email, role })),
      cancel: ({ params }) => AdminWorkspace.use((admin) => Effect.as(inviting.cancel(admin, params.invite_id), ok)),
      resend: ({ params }) => AdminWorkspace.use((admin) => inviting.resend(admin, params.invite_id)),
      look: ({ payload: { token } }) =>
        Effect.flatMap(Effect.all([asking, from]), ([visitor, address]) => invites.look(token, visitor, address)),
      accept: ({ payload: { name, password, token } }) =>
        Effect.all([asking, from]).pipe(
          Effect.flatMap(([visitor, address]) =>
            invites.accept({ token, name: name ?? undefined, password: password ?? undefined }, visitor, address)),
          Effect.flatMap(answer)
        )
    })
  })
)
