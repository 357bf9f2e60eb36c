/**
 * The web app: its page, with the API's address in it, at each of the app's addresses, and its files. Where the app has an
 * origin of its own, its addresses on the API's host redirect there.
 */
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Sessions } from "../../domain/sessions/sessions.ts"
import { escaped } from "../../look/html.ts"
import { SESSION_COOKIE } from "../contract/authentication.ts"
import { fileAnswer, noSuchPage } from "./answers.ts"
import { appFiles } from "./app-files.ts"
import { appRouteOf } from "./app-routes.ts"
import type { AppRoute } from "./app-routes.ts"
import { caller } from "./page-session.ts"

export interface AppPlace {
  readonly appUrl: string
  readonly baseUrl: string
}

/**
 * Its own files and the API, nothing else: no inline script or style, and no string ever becomes script. Styles that
 * packages write at run time go through the CSSOM (web/app/ui/run-time-styles.ts), so any static host can send the same
 * policy: docs/deploy.md lists these headers verbatim.
 */
const policyOf = (api: string): string => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  api === "'self'" ? "img-src 'self' data:" : `img-src 'self' data: ${api}`,
  `connect-src ${api}`,
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

const PERMISSIONS = ["browsing-topics", "camera", "clipboard-read", "display-capture", "geolocation", "hid", "microphone", "midi", "payment", "serial", "usb"]
  .map((feature) => `${feature}=()`).join(", ")

export const AppAssets = HttpRouter.add(
  "GET",
  "/assets/:name",
  Effect.gen(function*() {
    const { name = "" } = yield* HttpRouter.params
    const request = yield* HttpServerRequest.HttpServerRequest
    const file = appFiles().files.get(name)
    if (file === undefined) return yield* noSuchPage
    return fileAnswer(request, file, {
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding, Origin",
      // The app's module scripts load across origins where a proxy serves these files from another one.
      "cross-origin-resource-policy": "same-site"
    })
  })
)

const hostIn = (url: string): string => new URL(url).host

/** Runs before the router and answers the app's addresses, except where somebody signed out gets a page of the server's. */
export const withApp = (place: AppPlace, sessions: typeof Sessions.Service) => {
  const apart = new URL(place.appUrl).origin !== new URL(place.baseUrl).origin
  const page = (base: string) => appFiles().index.replace(`name="svc-base-url" content=""`, `name="svc-base-url" content="${escaped(base)}"`)
  const base = new URL(place.baseUrl).origin
  const [here, away] = [{ text: page(""), policy: policyOf("'self'") }, { text: page(base), policy: policyOf(base) }]

  /** Preloads what the app would otherwise request only once it has started: scripts, and API answers where somebody may be signed in. */
  const early = ({ reads, screens }: AppRoute, mayBeSomebody: boolean): string => [
    ...appFiles().scripts(screens).map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ...(mayBeSomebody ? reads.map((read) => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${escaped(read)}">`) : [])
  ].join("")

  const answer = (host: string | undefined, url: string, route: AppRoute, mayBeSomebody: boolean) => {
    const { kept, known } = route
    const onApp = host === hostIn(place.appUrl)
    if (apart && host === hostIn(place.baseUrl)) {
      return HttpServerResponse.redirect(new URL(place.appUrl).origin + url, { status: 303, headers: { "cache-control": "no-store" } })
    }
    const { policy, text } = apart && onApp ? away : here
    const begun = kept && (apart || mayBeSomebody) ? text.replace(`id="waiting" aria-hidden="true" hidden`, `id="waiting" aria-hidden="true"`) : text
    return HttpServerResponse.text(begun.replace("</head>", `${early(route, mayBeSomebody)}</head>`), {
      status: known ? 200 : 404,
      contentType: "text/html; charset=utf-8",
      headers: {
        "cache-control": kept ? "no-cache" : "no-store",
        "content-security-policy": policy,
        "permissions-policy": PERMISSIONS,
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
      const route = (request.method === "GET" || request.method === "HEAD") && !request.url.startsWith("/v1/") ? appRouteOf(request.url) : undefined
      if (route === undefined) return yield* router
      const host = request.headers["host"]
      // The API host's cookies are not sent to an app host of its own: there the app itself finds out who is signed in.
      const asks = route.visitor === "page" && !(apart && host === hostIn(place.appUrl))
      if (asks && Option.isNone(yield* Effect.provideService(caller, Sessions, sessions))) return yield* router
      // An app on an origin of its own gets no API preloads: it sends those requests itself a moment later.
      return answer(host, request.url, route, !apart && request.cookies[SESSION_COOKIE] !== undefined)
    })
}
