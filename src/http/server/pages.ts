/** The front page of the base host, and the fonts that its pages use. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Addresses } from "../../domain/ports/addresses.ts"
import { assetsPath, faces } from "../../look/faces.ts"
import { fileAnswer, noSuchPage, pageAnswer } from "./answers.ts"
import { homePage } from "./home-page.ts"

const Home = (devMailbox: boolean) =>
  HttpRouter.add("GET", "/", Effect.map(Addresses, ({ appUrl, baseUrl }) => pageAnswer(homePage({ appUrl, baseUrl, devMailbox }))))

const Fonts = HttpRouter.add(
  "GET",
  `${assetsPath as `/${string}`}:name`,
  Effect.gen(function*() {
    const { name = "" } = yield* HttpRouter.params
    const face = faces.get(name)
    if (face === undefined) return yield* noSuchPage
    const request = yield* HttpServerRequest.HttpServerRequest
    return fileAnswer(request, face, { "cache-control": "public, max-age=31536000, immutable" })
  })
)

export const Pages = (options: { readonly devMailbox: boolean }) =>
  Layer.mergeAll(Home(options.devMailbox), Fonts)
