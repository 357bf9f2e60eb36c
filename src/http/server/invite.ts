/** Where the link of an invitation lands, until the web app takes this address over. */
import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Invites } from "../../domain/invites/invites.ts"
import { Sessions } from "../../domain/sessions/sessions.ts"
import { line } from "../contract/wire.ts"
import { pageAnswer } from "./answers.ts"
import { addressOf } from "./client-address.ts"
import { setSession } from "./cookies.ts"
import { invitedPage, invitePage, inviteRefusedPage, signInFirstPage } from "./invite-pages.ts"
import { ownForm } from "./page-forms.ts"
import { visitorOf } from "./visitor.ts"

const visitor = Effect.flatMap(Sessions, visitorOf)

const nameIn = Schema.decodeUnknownOption(line(1, 100))

const Show = HttpRouter.add(
  "GET",
  "/invite",
  Effect.gen(function*() {
    const { token } = yield* HttpServerRequest.ParsedSearchParams
    if (typeof token !== "string" || token === "") return pageAnswer(inviteRefusedPage(), 401)
    return pageAnswer(invitePage({ token, signedInAs: (yield* visitor)?.user.email }))
  })
)

const Accept = HttpRouter.add(
  "POST",
  "/invite",
  ownForm((fields) =>
    Effect.gen(function*() {
      const invites = yield* Invites
      const found = yield* visitor
      const { name = "", password = "", token = "" } = fields
      const again = (status: number, refusal: string) =>
        Effect.succeed(pageAnswer(invitePage({ token, name, refusal, signedInAs: found?.user.email }), status))
      const given = { token, name: Option.getOrUndefined(nameIn(name)), password: password === "" ? undefined : password }
      // The form came from our own page: that is what a token in a header would show.
      const guest = found === undefined ? undefined : { ...found, confirm: Effect.void }
      return yield* invites.accept(given, guest, yield* addressOf).pipe(
        Effect.tap(({ issued }) => Option.isSome(issued) ? setSession(issued.value) : Effect.void),
        Effect.map(({ user }) => pageAnswer(invitedPage(user))),
        Effect.catchTags({
          invalid_token: () => Effect.succeed(pageAnswer(inviteRefusedPage(), 401)),
          account_exists: () => Effect.succeed(pageAnswer(signInFirstPage({ token }), 409)),
          forbidden: ({ message }) => again(403, message),
          validation_error: ({ message }) => again(422, message),
          rate_limited: ({ message }) => again(429, message)
        })
      )
    })
  )
)

export const InvitePage = Layer.mergeAll(Show, Accept)
