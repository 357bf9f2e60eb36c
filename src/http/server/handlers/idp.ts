/** Signing in through an identity provider over HTTP: redirects, the session cookie, and a page for a browser that is refused. */
import { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Forbidden } from "../../../domain/failures.ts"
import type { OauthNotConfigured, Unavailable } from "../../../domain/failures.ts"
import type { Arrival, Departure } from "../../../domain/idp/idp.ts"
import { Idp } from "../../../domain/idp/idp.ts"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { Api } from "../../contract/api.ts"
import { Caller, sessionCookieOf } from "../../contract/authentication.ts"
import { fromElsewhere, loadedByPage } from "../../contract/fetch-metadata.ts"
import { prefersHtml } from "../../contract/negotiation.ts"
import { ok } from "../../contract/wire.ts"
import { pageAnswer, seeOther } from "../answers.ts"
import { handlersOf } from "../carried.ts"
import { CookieScope, replaceSession } from "../cookies.ts"
import { nowherePage } from "../idp-pages.ts"
import { loginAt } from "../leading.ts"
import { carriedPath } from "../own-paths.ts"
import { makeSessionChange } from "../session-change.ts"

type Request = HttpServerRequest.HttpServerRequest

const queryOf = ({ url }: Request) => new URL(url, "http://localhost").searchParams

/** Another origin, a project of somebody's too, must not start linking in somebody's name. */
const fromHere = ({ headers }: Request) =>
  fromElsewhere(headers)
    ? new Forbidden({ message: "Start from the settings page." })
    : Effect.void

/** What a page loads in passing must not send its reader away, nor set the cookie again that a sign-out removes meanwhile. */
const inWindow = ({ headers }: Request) =>
  loadedByPage(headers)
    ? new Forbidden({ message: "Open this address in a window of its own." })
    : Effect.void

export const IdpHandlers = handlersOf(
  Api,
  "idp",
  Effect.fnUntraced(function*(handlers) {
    const idp = yield* Idp
    const addresses = yield* Addresses
    const { appUrl, baseUrl } = addresses
    const { signIn } = yield* makeSessionChange
    const withCookies = Effect.provideService(CookieScope, yield* CookieScope)

    const depart = (departure: Departure) =>
      departure.session === undefined ? Effect.void : withCookies(replaceSession(departure.session))
    /** Takes the sign-in's state out of the cookie before anything is checked, so that it is gone whatever the outcome. */
    const unload = (request: Request) =>
      Effect.tap(idp.unload(sessionCookieOf(request)), (left) => left === undefined ? Effect.void : withCookies(replaceSession(left.session)))
    const nextIn = (request: Request) => carriedPath(queryOf(request).get("next") ?? undefined, baseUrl)
    /** Checks `next` again: only a path of this service, the API's at its own origin and pages at the app's. */
    const landing = ({ next: asked, url }: Arrival) => {
      const next = carriedPath(asked, baseUrl)
      return next === undefined ? url : (next.startsWith("/v1/") ? baseUrl : appUrl) + next
    }
    const arrive = ({ issued }: Arrival) => issued === undefined ? Effect.void : signIn(issued)

    /** Answers a failure with a page for browsers and the envelope for programs, under the same status. */
    const shown = <E extends Forbidden | OauthNotConfigured | Unavailable, R>(
      request: Request,
      next: string | undefined,
      answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) =>
      Effect.catch(answer, (failure: E) => {
        // Nobody who navigates would read an envelope.
        if (!prefersHtml(request.headers["accept"])) return Effect.fail(failure)
        const login = next === undefined ? `${appUrl}/login` : loginAt(addresses, next)
        return Effect.succeed(pageAnswer(nowherePage(failure._tag, login), failure._tag === "forbidden" ? 403 : 503))
      })

    return handlers.handleAll({
      begin: ({ request }) =>
        shown(request, nextIn(request), inWindow(request).pipe(Effect.andThen(idp.begin(sessionCookieOf(request), nextIn(request))), Effect.tap(depart), Effect.map(({ url }) => seeOther(url)))),
      beginLink: ({ request }) =>
        shown(request, "/account/sign-in", fromHere(request).pipe(Effect.andThen(idp.beginLink(sessionCookieOf(request))), Effect.tap(depart), Effect.map(({ url }) => seeOther(url)))),
      callback: ({ request }) =>
        Effect.flatMap(unload(request), (left) =>
          shown(request, carriedPath(left?.next, baseUrl), idp.finish(sessionCookieOf(request), queryOf(request)).pipe(
            Effect.tap(arrive),
            Effect.map((arrival) => seeOther(landing(arrival)))
          ))),
      startLink: ({ request }) =>
        idp.beginLink(sessionCookieOf(request)).pipe(Effect.tap(depart), Effect.map(({ url }) => ({ redirectTo: url }))),
      unlink: () => Caller.use(({ user }) => Effect.as(idp.unlink(user), ok))
    })
  })
)
