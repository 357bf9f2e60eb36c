/** The way in for somebody new, until the web app takes the address over: a plain form over the same program. */
import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Accounts } from "../../domain/accounts/accounts.ts"
import { Email } from "../../domain/accounts/email.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { pageAnswer } from "./answers.ts"
import { addressOf } from "./client-address.ts"
import { evenly } from "./even-answers.ts"
import { ownForm, ownPath } from "./page-forms.ts"
import { single } from "./session-forms.ts"
import { signUpPage, signUpSentPage } from "./sign-up-pages.ts"

const NAME_MAX = 100

const Show = HttpRouter.add(
  "GET",
  "/signup",
  Effect.gen(function*() {
    const { baseUrl } = yield* Addresses
    return pageAnswer(signUpPage({ next: ownPath(single(yield* HttpServerRequest.ParsedSearchParams)["next"], baseUrl) }))
  })
)

const Send = HttpRouter.add(
  "POST",
  "/signup",
  ownForm((fields) =>
    Effect.gen(function*() {
      const next = ownPath(fields["next"], (yield* Addresses).baseUrl)
      const name = (fields["name"] ?? "").replace(/\p{Cc}/gu, " ").trim().slice(0, NAME_MAX)
      const email = Option.getOrUndefined(Schema.decodeUnknownOption(Email)(fields["email"]))
      const again = (status: number, refusal: string) =>
        Effect.succeed(pageAnswer(signUpPage({ next, name, email: email ?? "", refusal }), status))
      if (email === undefined) return yield* again(422, "That is not an email address.")
      const accounts = yield* Accounts
      return yield* evenly(accounts.signup({ email, password: fields["password"] ?? "", name: name === "" ? undefined : name }, yield* addressOf)).pipe(
        Effect.as(pageAnswer(signUpSentPage({ next }), 202)),
        Effect.catchTags({
          validation_error: ({ message }) => again(422, message),
          rate_limited: ({ message }) => again(429, message)
        })
      )
    })
  )
)

export const SignUp = Layer.mergeAll(Show, Send)
