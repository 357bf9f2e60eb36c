/** Headers that would change what a request does and are not followed: it is refused, since without them it would store or overwrite what nobody meant. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { invalid } from "../../../domain/failures.ts"
import type { Invalid } from "../../../domain/failures.ts"
import { refusalAnswer } from "../answers.ts"

const WHOLE = "Send the whole file, without a Content-Range: a part of it would be published in its place."
const AS_IT_IS = "Send the body as it is, without a Content-Encoding."
const VERSION = "To publish over one version alone, send base_version."
const DATED = `Leave this out: nothing is compared by its date. ${VERSION}`
const TAGGED = `Only * is taken: nothing is compared by a tag. ${VERSION}`
const THERE = "Leave this out: the request changes what is there."

const isAny = (value: string) => value === "*"

const isIdentity = (value: string) => value.split(",").every((coding) => /^(?:identity)?$/i.test(coding.trim()))

/** The refusal of a body that is packed, where that is why it cannot be read. */
export const packed = ({ headers }: HttpServerRequest.HttpServerRequest): Invalid | undefined =>
  isIdentity(headers["content-encoding"] ?? "") ? undefined : invalid({ field: "Content-Encoding", message: AS_IT_IS })

/** `If-Match: *` holds wherever a request does anything at all; `If-None-Match: *` where something new is made. */
const unfollowed = (request: HttpServerRequest.HttpServerRequest, makes: boolean): Invalid | undefined => {
  const refused = (field: string, message: string, isTaken: (value: string) => boolean = () => false) => {
    const value = request.headers[field.toLowerCase()]
    return value === undefined || isTaken(value) ? undefined : invalid({ field, message })
  }
  return packed(request)
    ?? refused("If-Match", TAGGED, isAny)
    ?? refused("If-None-Match", TAGGED, isAny)
    ?? refused("If-None-Match", THERE, () => makes)
    ?? refused("Content-Range", WHOLE)
    ?? refused("If-Unmodified-Since", DATED)
}

/**
 * For requests that change something, once it is known that their caller may. Answers by itself: where one way to sign in fails,
 * HttpApiBuilder tries the next, and the refusal would become its 401.
 */
export const followed = <E, R>(next: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>, endpoint: HttpApiEndpoint.Top) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { identifier, method } = endpoint
    const asksMore = method === "GET" ? undefined : unfollowed(request, method === "POST" || identifier === "publish")
    return asksMore === undefined ? next : Effect.succeed(refusalAnswer(422, asksMore))
  })
