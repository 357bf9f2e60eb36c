/** The pages of the base host: the front, the landing of a verification link, and the fonts they use. */
import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Accounts } from "../../domain/accounts/accounts.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { assetsPath, lookAssets } from "../../look/assets.ts"
import { tokenRefusedPage, verifiedPage, verifyEmailPage } from "./account-pages.ts"
import { pageAnswer } from "./answers.ts"
import { homePage, notFoundPage } from "./home-page.ts"
import { RequestId } from "./request-id.ts"

const Home = (devMailbox: boolean) =>
  HttpRouter.add("GET", "/", Effect.map(Addresses, ({ baseUrl }) => pageAnswer(homePage({ baseUrl, devMailbox }))))

const tokenIn = (value: unknown) => Schema.decodeUnknownOption(Schema.Struct({ token: Schema.NonEmptyString }))(value)

/** Opening the link changes nothing: mail scanners open links too. The click does. */
const VerifyEmail = HttpRouter.add(
  "GET",
  "/verify-email",
  Effect.gen(function*() {
    const { baseUrl } = yield* Addresses
    const token = Option.getOrUndefined(tokenIn(yield* HttpServerRequest.ParsedSearchParams))
    return token === undefined ? pageAnswer(tokenRefusedPage({ baseUrl }), 400) : pageAnswer(verifyEmailPage(token))
  })
)

const ConfirmEmail = HttpRouter.add(
  "POST",
  "/verify-email",
  Effect.gen(function*() {
    const { baseUrl } = yield* Addresses
    const accounts = yield* Accounts
    const request = yield* HttpServerRequest.HttpServerRequest
    const form = yield* Effect.orElseSucceed(HttpServerRequest.schemaBodyUrlParams(Schema.Struct({ token: Schema.NonEmptyString })), () => ({ token: "" }))
      .pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, request))
    return yield* accounts.verifyEmail(form.token).pipe(
      Effect.map((verified) => pageAnswer(verifiedPage(verified))),
      Effect.catchTag("invalid_token", () => Effect.succeed(pageAnswer(tokenRefusedPage({ baseUrl }), 400)))
    )
  })
)

const Fonts = HttpRouter.add(
  "GET",
  `${assetsPath as `/${string}`}:name`,
  Effect.gen(function*() {
    const { name = "" } = yield* HttpRouter.params
    const asset = lookAssets.get(name)
    if (asset === undefined) return pageAnswer(notFoundPage({ requestId: yield* RequestId }), 404)
    return HttpServerResponse.uint8Array(asset.bytes, {
      contentType: asset.type,
      headers: { "cache-control": "public, max-age=31536000, immutable", etag: asset.etag }
    })
  })
)

export const Pages = (options: { readonly devMailbox: boolean }) =>
  Layer.mergeAll(Home(options.devMailbox), VerifyEmail, ConfirmEmail, Fonts)
