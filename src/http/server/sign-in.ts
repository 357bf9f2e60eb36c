/** The way in for people, until the web app takes these addresses over: plain pages over the same programs. */
import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Accounts } from "../../domain/accounts/accounts.ts"
import { Email } from "../../domain/accounts/email.ts"
import { Recovery } from "../../domain/accounts/recovery.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { pageAnswer } from "./answers.ts"
import { addressOf } from "./client-address.ts"
import { setSession } from "./cookies.ts"
import { evenly } from "./even-answers.ts"
import { carriedPath, onwards, ownForm, ownPath } from "./page-forms.ts"
import {
  askForLinkPage,
  linkRefusedPage,
  linkSentPage,
  loginPage,
  openMagicLinkPage,
  passwordChosenPage,
  resetPasswordPage,
  signedInPage
} from "./sign-in-pages.ts"
import type { Way } from "./sign-in-pages.ts"

const emailIn = (fields: Readonly<Record<string, string>>) => Option.getOrUndefined(Schema.decodeUnknownOption(Email)(fields["email"]))

const parameter = (name: string) =>
  Effect.map(HttpServerRequest.ParsedSearchParams, (parameters) => {
    const value = parameters[name]
    return typeof value === "string" && value !== "" ? value : undefined
  })

const ShowLogin = (provider: boolean) =>
  HttpRouter.add(
    "GET",
    "/login",
    Effect.gen(function*() {
      const { baseUrl } = yield* Addresses
      return pageAnswer(loginPage({ next: ownPath(yield* parameter("next"), baseUrl), provider }))
    })
  )

const Login = (provider: boolean) => HttpRouter.add(
  "POST",
  "/login",
  ownForm((fields) =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const next = ownPath(fields["next"], (yield* Addresses).baseUrl)
      const email = emailIn(fields)
      const again = (status: number, refusal: string) => Effect.succeed(pageAnswer(loginPage({ next, provider, email: email ?? "", refusal }), status))
      if (email === undefined) return yield* again(422, "That is not an email address.")
      return yield* accounts.login({ email, password: fields["password"] ?? "" }, yield* addressOf).pipe(
        Effect.tap(setSession),
        Effect.map(({ user }) => next === "/" ? pageAnswer(signedInPage(user)) : onwards(next)),
        Effect.catchTags({
          invalid_credentials: ({ message }) => again(401, message),
          rate_limited: ({ message }) => again(429, message)
        })
      )
    })
  )
)

/** The page that asks for a link, and the answer that is the same for every address. */
const asking = (
  way: Way,
  request: (recovery: typeof Recovery.Service, email: string, next: string | undefined) => ReturnType<typeof Recovery.Service["requestReset"]>
) =>
(fields: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const next = carriedPath(fields["next"], (yield* Addresses).baseUrl)
    const email = emailIn(fields)
    if (email === undefined) return pageAnswer(askForLinkPage(way, { next, refusal: "That is not an email address." }), 422)
    return yield* evenly(request(yield* Recovery, email, next)).pipe(
      Effect.as(pageAnswer(linkSentPage(), 202)),
      Effect.catchTag("rate_limited", ({ message }) => Effect.succeed(pageAnswer(askForLinkPage(way, { next, refusal: message }), 429)))
    )
  })

const ShowMagicLink = HttpRouter.add(
  "GET",
  "/magic-link",
  Effect.gen(function*() {
    const next = carriedPath(yield* parameter("next"), (yield* Addresses).baseUrl)
    const token = yield* parameter("token")
    return pageAnswer(token === undefined ? askForLinkPage("/magic-link", { next }) : openMagicLinkPage({ token, next }))
  })
)

const askForMagicLink = asking("/magic-link", (recovery, email, next) => recovery.requestMagicLink(email, next))

const MagicLink = HttpRouter.add(
  "POST",
  "/magic-link",
  ownForm((fields) =>
    fields["token"] === undefined ? askForMagicLink(fields) : Effect.gen(function*() {
      const recovery = yield* Recovery
      const next = carriedPath(fields["next"], (yield* Addresses).baseUrl)
      return yield* recovery.openMagicLink(fields["token"] ?? "", yield* addressOf).pipe(
        Effect.tap(setSession),
        Effect.map(({ user }) => next === undefined ? pageAnswer(signedInPage(user)) : onwards(next)),
        Effect.catchTags({
          invalid_token: () => Effect.succeed(pageAnswer(linkRefusedPage("/magic-link", next), 401)),
          rate_limited: ({ message }) => Effect.succeed(pageAnswer(askForLinkPage("/magic-link", { next, refusal: message }), 429))
        })
      )
    })
  )
)

const ShowForgot = HttpRouter.add("GET", "/forgot-password", pageAnswer(askForLinkPage("/forgot-password")))

const Forgot = HttpRouter.add("POST", "/forgot-password", ownForm(asking("/forgot-password", (recovery, email) => recovery.requestReset(email))))

const ShowReset = HttpRouter.add(
  "GET",
  "/reset-password",
  Effect.map(parameter("token"), (token) =>
    token === undefined ? pageAnswer(linkRefusedPage("/forgot-password"), 401) : pageAnswer(resetPasswordPage({ token })))
)

const Reset = HttpRouter.add(
  "POST",
  "/reset-password",
  ownForm((fields) =>
    Effect.gen(function*() {
      const recovery = yield* Recovery
      const token = fields["token"] ?? ""
      const again = (status: number, refusal: string) => Effect.succeed(pageAnswer(resetPasswordPage({ token, refusal }), status))
      return yield* recovery.confirmReset(token, fields["password"] ?? "", yield* addressOf).pipe(
        Effect.as(pageAnswer(passwordChosenPage())),
        Effect.catchTags({
          invalid_token: () => Effect.succeed(pageAnswer(linkRefusedPage("/forgot-password"), 401)),
          validation_error: ({ message }) => again(422, message),
          rate_limited: ({ message }) => again(429, message)
        })
      )
    })
  )
)

export const SignIn = ({ provider }: { readonly provider: boolean }) =>
  Layer.mergeAll(ShowLogin(provider), Login(provider), ShowMagicLink, MagicLink, ShowForgot, Forgot, ShowReset, Reset)
