/** Pages for somebody signed in, with forms that need no script: the CSRF token travels in a hidden field. */
import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { User } from "../../domain/accounts/model.ts"
import { Sessions } from "../../domain/sessions/sessions.ts"
import { CSRF_COOKIE, SESSION_COOKIE } from "../contract/authentication.ts"
import { pageAnswer } from "./answers.ts"
import { refusedPage } from "./consent-pages.ts"
import { setCsrf } from "./cookies.ts"
import { matches } from "./middleware/authentication.ts"

export type Fields = Readonly<Record<string, string | undefined>>

/** A parameter given more than once is none: it could be read two ways. */
export const single = (given: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""))

const Given = Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Array(Schema.String)]))

/** Whoever the session cookie belongs to; an `Authorization` header says nothing here. */
export const signedIn = Effect.gen(function*() {
  const { cookies } = yield* HttpServerRequest.HttpServerRequest
  return yield* (yield* Sessions).current(cookies[SESSION_COOKIE] ?? "")
})

export const caller = Effect.map(signedIn, Option.map(({ user }) => user))

const toLogin = (next: string) => HttpServerResponse.redirect(`/login?next=${encodeURIComponent(next)}`, { status: 303, headers: { "cache-control": "no-store" } })

type Answer<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** The page for whoever is signed in; others sign in first and come back. */
export const sessionPage = <E, R>(answer: (user: User, fields: Fields, csrf: string) => Answer<E, R>) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const user = yield* caller
    if (Option.isNone(user)) return toLogin(request.url)
    const csrf = yield* (yield* Sessions).csrfToken(request.cookies[CSRF_COOKIE])
    yield* setCsrf(csrf)
    return yield* answer(user.value, single(yield* HttpServerRequest.ParsedSearchParams), csrf)
  })

/** What a click on such a page does; `back` is the page's own address, for those who have to sign in again. */
export const sessionForm = <E, R>(back: (fields: Fields) => string, answer: (user: User, fields: Fields, csrf: string) => Answer<E, R>) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const fields = single(yield* Effect.orElseSucceed(HttpServerRequest.schemaBodyUrlParams(Given), () => ({})))
    const user = yield* caller
    if (Option.isNone(user)) return toLogin(back(fields))
    const csrf = request.cookies[CSRF_COOKIE]
    if (csrf === undefined || !matches(fields["csrf"], csrf)) {
      return pageAnswer(refusedPage("This page is out of date. Open it again, and decide there."), 403)
    }
    return yield* answer(user.value, fields, csrf)
  })
