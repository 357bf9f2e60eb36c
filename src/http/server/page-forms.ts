/** Forms of our own pages, read only where one of those pages sent them; and which paths are our own. */
import { Effect, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import { Addresses } from "../../domain/ports/addresses.ts"
import { pageAnswer } from "./answers.ts"
import { foreignFormPage } from "./foreign-form-page.ts"

/** Browsers say where a form comes from; these forms use no session, so they need no other guard. */
const isForeign = (request: HttpServerRequest.HttpServerRequest, baseUrl: string): boolean => {
  const site = request.headers["sec-fetch-site"]
  if (site !== undefined) return site !== "same-origin"
  const origin = request.headers["origin"]
  return origin !== undefined && origin !== new URL(baseUrl).origin
}

const Fields = Schema.Record(Schema.String, Schema.String)

/** The form's fields, each once; none where the body cannot be read as a form, which is not an error. */
const fieldsOf = Effect.orElseSucceed(HttpServerRequest.schemaBodyUrlParams(Fields), () => ({}) as Readonly<Record<string, string>>)

export const ownForm = <E, R>(
  answer: (fields: Readonly<Record<string, string>>) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { baseUrl } = yield* Addresses
    if (isForeign(request, baseUrl)) return pageAnswer(foreignFormPage(), 403)
    return yield* answer(yield* fieldsOf)
  })

/** A path on this origin, or the front page: never another site. The service's own address may precede it. */
export const ownPath = (next: string | undefined, baseUrl: string): string => {
  const path = next?.startsWith(`${baseUrl}/`) ? next.slice(baseUrl.length) : next
  return path !== undefined && /^\/(?![/\\])[^\s\\]*$/.test(path) ? path : "/"
}

/** Percent-encodes what a header cannot carry. Not normalised: `/.//host` would become another host's address. */
const encoded = (path: string) => encodeURI(path.toWellFormed()).replaceAll("%25", "%")

/** It travels in a mailed link, or sealed in a cookie, which browsers keep up to 4 KB. */
const CARRIED_MAX = 1500

/** The path here to return to once somebody has proved who they are; undefined means the front page. */
export const carriedPath = (next: string | undefined, baseUrl: string): string | undefined => {
  const path = encoded(ownPath(next, baseUrl))
  return path === "/" || path.length > CARRIED_MAX ? undefined : path
}
