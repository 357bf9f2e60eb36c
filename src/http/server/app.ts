/**
 * The web app where people meet it: its page for every address of its own, told where the API is, and its files.
 * Where the app lives on another host that is not this program's, its addresses here lead there.
 */
import { randomBytes } from "node:crypto"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { escaped } from "../../look/html.ts"
import { pageAnswer } from "./answers.ts"
import { appFiles, encodingFor } from "./app-files.ts"
import { appRouteOf } from "./app-routes.ts"
import type { AppRoute } from "./app-routes.ts"
import { notFoundPage } from "./home-page.ts"
import { RequestId } from "./request-id.ts"
import { caller } from "./session-forms.ts"

export interface AppPlace {
  readonly appUrl: string
  readonly baseUrl: string
  /** `*.` of it is where projects are: previews come from there. */
  readonly contentDomain: string
}

/** No script but the app's own files. Styles: the page is held still behind a dialog by a rule written at run time, which shows the nonce. */
const policyOf = ({ baseUrl, contentDomain }: AppPlace) => {
  const { origin, protocol } = new URL(baseUrl)
  const projects = `${protocol}//*.${contentDomain}`
  return (nonce: string): string => [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    `img-src 'self' data: blob: ${projects}`,
    `connect-src 'self' ${origin}`,
    `frame-src ${projects}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

export const AppAssets = HttpRouter.add(
  "GET",
  "/assets/:name",
  Effect.gen(function*() {
    const { name = "" } = yield* HttpRouter.params
    const request = yield* HttpServerRequest.HttpServerRequest
    const file = appFiles().files.get(name)
    if (file === undefined) return pageAnswer(notFoundPage({ requestId: yield* RequestId }), 404)
    const encoding = encodingFor(file, request.headers["accept-encoding"])
    const etag = `"${file.tag}${encoding === "identity" ? "" : `-${encoding}`}"`
    const headers = {
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      // Module scripts of the app ask across origins where a proxy serves these files from elsewhere.
      "cross-origin-resource-policy": "same-site",
      etag
    }
    if (request.headers["if-none-match"] === etag) return HttpServerResponse.empty({ status: 304, headers })
    return HttpServerResponse.uint8Array(file.bytes[encoding] ?? file.bytes.identity, {
      contentType: file.type,
      headers: encoding === "identity" ? headers : { ...headers, "content-encoding": encoding }
    })
  })
)

const hostIn = (url: string): string => new URL(url).host

/** Before the router: an address of the app's is answered here, unless its page is the server's for whoever is signed out. */
export const withApp = (place: AppPlace) => {
  const apart = new URL(place.appUrl).origin !== new URL(place.baseUrl).origin
  const policy = policyOf(place)
  const page = (base: string) => appFiles().index.replace(`name="svc-base-url" content=""`, `name="svc-base-url" content="${escaped(base)}"`)
  const [here, away] = [page(""), page(new URL(place.baseUrl).origin)]

  const answer = (host: string | undefined, url: string, { kept, known }: AppRoute) => {
    const onApp = host === hostIn(place.appUrl)
    if (apart && host === hostIn(place.baseUrl)) {
      return HttpServerResponse.redirect(new URL(place.appUrl).origin + url, { status: 303, headers: { "cache-control": "no-store" } })
    }
    const nonce = randomBytes(16).toString("base64")
    // On the first script, which hands it to the others; a style that somebody slips in cannot read it there.
    return HttpServerResponse.text((apart && onApp ? away : here).replace("<script ", `<script nonce="${nonce}" `), {
      status: known ? 200 : 404,
      contentType: "text/html; charset=utf-8",
      headers: {
        "cache-control": kept ? "no-cache" : "no-store",
        "content-security-policy": policy(nonce),
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex",
        vary: "Cookie"
      }
    })
  }

  return <E, R>(router: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const route = request.method === "GET" || request.method === "HEAD" ? appRouteOf(request.url.split("?", 1)[0] ?? "/") : undefined
      if (route === undefined) return yield* router
      const host = request.headers["host"]
      // Cookies of the API's host do not come to the app's own: there the app itself finds out who is signed in.
      const asks = route.visitor === "page" && !(apart && host === hostIn(place.appUrl))
      if (asks && Option.isNone(yield* caller)) return yield* router
      return answer(host, request.url, route)
    })
}

