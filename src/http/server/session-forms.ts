/** Whose session comes along with a page's request, and what its address says. */
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { Sessions } from "../../domain/sessions/sessions.ts"
import { SESSION_COOKIE } from "../contract/authentication.ts"

export type Fields = Readonly<Record<string, string | undefined>>

/** A parameter given more than once is none: it could be read two ways. */
export const single = (given: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""))

/** Whoever the session cookie belongs to; an `Authorization` header says nothing here. */
export const signedIn = Effect.gen(function*() {
  const { cookies } = yield* HttpServerRequest.HttpServerRequest
  return yield* (yield* Sessions).current(cookies[SESSION_COOKIE] ?? "")
})

export const caller = Effect.map(signedIn, Option.map(({ user }) => user))
