/**
 * Answers what no handler answered: unknown paths, wrong methods, wrong types, oversized bodies, a database that is away,
 * defects. Programs get the envelope or OAuth's own form, people a page. Nothing internal leaks.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, Effect, Option } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { busy, internalError, invalid, NotFound, unavailable } from "../../../domain/failures.ts"
import type { InternalError, MethodNotAllowed, Unavailable } from "../../../domain/failures.ts"
import { logOutage, Outages } from "../../../domain/ports/outages.ts"
import { refusalHeaders } from "../../contract/envelope.ts"
import type { envelope } from "../../contract/envelope.ts"
import { tooIntricate } from "../../contract/json-shape.ts"
import { prefersHtml, prefersJson } from "../../contract/negotiation.ts"
import { bodyTooLarge } from "../../contract/request-shape.ts"
import { pageAnswer, refusalAnswer, wrongMethod } from "../answers.ts"
import { awayPage, notFoundPage } from "../home-page.ts"
import { RequestId } from "../request-id.ts"
import { pathOf } from "../request-path.ts"
import { methodsOf } from "../routes.ts"
import { packed } from "./unfollowed.ts"
import { inUtf8, isNotUtf8, isTooIntricate } from "./utf8.ts"

/** The router treats repeated slashes as one. */
const isApi = (path: string) => /^\/+v1(?:[/?]|$)/.test(path)

/** Where standard clients understand only RFC 6749's errors (CONTRACT §1). */
const isOauth = (path: string) => /^\/+oauth\//.test(path)

/** OAuth clients that do not know an error code ask for consent anew. */
const OAUTH_ERRORS = { method_not_allowed: "invalid_request", not_found: "invalid_request", unavailable: "temporarily_unavailable", internal_error: "server_error" } as const

/** Refuses in the form that clients of this path read. */
const unanswered = (path: string, status: number, failure: MethodNotAllowed | NotFound | Unavailable | InternalError) =>
  isOauth(path)
    ? HttpServerResponse.jsonUnsafe({ error: OAUTH_ERRORS[failure._tag], error_description: failure.message }, { status, headers: { "cache-control": "no-store", ...refusalHeaders(failure) } })
    : refusalAnswer(status, failure)

/** Browsers open pages with these; a request by another method comes from a program. */
const READ: ReadonlySet<string> = new Set(["GET", "HEAD"])

/** Where a script's variable was empty: the router would take /v1/projects//files for the project called files. */
const hasEmptyPart = (path: string) => path.includes("//")

const unknown = (request: HttpServerRequest.HttpServerRequest, requestId: string) => {
  const path = pathOf(request)
  const methods = methodsOf(path)
  if (methods.length > 0 && !methods.includes(request.method)) {
    return unanswered(path, 405, wrongMethod(methods))
  }
  return isApi(path) || isOauth(path) || !READ.has(request.method) || prefersJson(request.headers["accept"])
    ? unanswered(path, 404, new NotFound({ message: hasEmptyPart(path) ? "There is nothing at this address: two of its slashes have nothing between them." : "There is nothing at this address." }))
    : pageAnswer(notFoundPage({ requestId }), 404)
}

const tooLarge = refusalAnswer(413, bodyTooLarge())

const notUtf8 = invalid({ field: "body", message: "Send the body in UTF-8." })

const wrongType = refusalAnswer(422, invalid({ field: "Content-Type", message: "Send the body as application/json." }))

const requestError = (cause: Cause.Cause<unknown>): HttpServerError.HttpServerErrorReason | undefined => {
  for (const reason of cause.reasons) {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    if (HttpServerError.isHttpServerError(error)) return error.reason
  }
  return undefined
}

/** Whether a connection that ended is what it comes from. */
const isBrokenOff = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => {
    let error: unknown = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    while (error instanceof Error && (error as NodeJS.ErrnoException).code !== "ECONNRESET") error = error.cause
    return error instanceof Error
  })

/** Logs an unforeseen cause, and returns the failure that the client may see. */
export const failureOf = Effect.fnUntraced(function*(cause: Cause.Cause<unknown>) {
  const outage = (yield* Outages).outageIn(cause)
  if (outage !== undefined) {
    yield* logOutage(outage)
    return outage.what === "busy" ? busy() : unavailable()
  }
  yield* Effect.logError("unexpected failure", cause)
  return internalError(yield* RequestId)
})

/** Addresses of the API that people follow as links: into a project, to the identity provider and back, to an archive. */
const isFollowed = (path: string) => /^\/v1\/(?:(?:gate|auth\/idp)(?:\/|$)|exports\/[^/]+\/download$)/.test(path)

const away = (request: HttpServerRequest.HttpServerRequest, failure: Unavailable, requestId: string) => {
  const path = pathOf(request)
  return READ.has(request.method) && (isFollowed(path) || !isApi(path)) && prefersHtml(request.headers["accept"])
    ? HttpServerResponse.setHeaders(pageAnswer(awayPage({ requestId }), 503), refusalHeaders(failure))
    : unanswered(path, 503, failure)
}

const answer = Effect.fnUntraced(function*(cause: Cause.Cause<unknown>) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const incoming = NodeHttpServerRequest.toIncomingMessage(request)
  // The client went away in the middle of its request, or before its body was read: nobody is left to answer. What ended may also be the
  // database's connection, while the client waits.
  if (Cause.hasInterruptsOnly(cause) || (incoming.socket.destroyed && (!incoming.complete || isBrokenOff(cause)))) return HttpServerResponse.empty({ status: 499 })
  const reason = requestError(cause)
  if (reason?._tag === "RouteNotFound") return unknown(request, yield* RequestId)
  if (isNotUtf8(reason)) return refusalAnswer(422, packed(request) ?? notUtf8)
  if (isTooIntricate(reason)) return refusalAnswer(422, tooIntricate())
  // A body over the limit, or one that stopped half-way, whose sender is gone and reads no answer.
  if (reason?._tag === "RequestParseError") return tooLarge
  const failure = yield* failureOf(cause)
  return failure._tag === "unavailable" ? away(request, failure, yield* RequestId) : unanswered(pathOf(request), 500, failure)
})

/** The library refuses some bodies without a word. */
const said = (given: HttpServerResponse.HttpServerResponse) =>
  given.status === 415 ? wrongType : given.status === 413 && given.body._tag === "Empty" ? tooLarge : given

/** An answer that says nothing of it is kept by nobody: it may hold a token or a doorcode, and some caches keep what says nothing for minutes. */
const finish = (request: HttpServerRequest.HttpServerRequest, given: HttpServerResponse.HttpServerResponse) => {
  const told = isApi(pathOf(request)) ? said(given) : given
  return told.headers["cache-control"] === undefined ? HttpServerResponse.setHeader(told, "cache-control", "no-store") : told
}

/** Refusals that tell more in a header. */
const TELLING = new Set([401, 429, 503])

/** An endpoint's refusal is encoded when it gets here: what it was is read back from its envelope. */
const headersIn = Option.liftThrowable((body: Uint8Array) => {
  const { error: { code, details } } = JSON.parse(new TextDecoder().decode(body)) as ReturnType<typeof envelope>
  return refusalHeaders({ _tag: code, details })
})

/** What the answer says by itself, as a protocol's own challenge, stays. */
const telling = (response: HttpServerResponse.HttpServerResponse) =>
  !TELLING.has(response.status) || response.body._tag !== "Uint8Array"
    ? response
    : HttpServerResponse.setHeaders(response, { ...Option.getOrElse(headersIn(response.body.body), () => ({})), ...response.headers })

/** Closes the connection where a chunked body was not read to its end: requests behind it would be lost with its rest. */
const closing = (request: HttpServerRequest.HttpServerRequest, response: HttpServerResponse.HttpServerResponse) => {
  const { complete, headers } = NodeHttpServerRequest.toIncomingMessage(request)
  return complete || headers["transfer-encoding"] === undefined ? response : HttpServerResponse.setHeader(response, "connection", "close")
}

/** Wraps the whole app, which then always gives an answer. */
export const enveloped = (outages: typeof Outages.Service) => <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
  const answered = (cause: Cause.Cause<E>) => Effect.provideService(answer(cause), Outages, outages)
  return Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const asked = inUtf8(request)
    if (hasEmptyPart(pathOf(request))) return closing(request, finish(request, unknown(request, yield* RequestId)))
    const running = asked === request ? app : Effect.provideService(app, HttpServerRequest.HttpServerRequest, asked)
    const response = yield* Effect.catchCause(running, answered)
    return closing(request, telling(finish(request, response)))
  })
}
