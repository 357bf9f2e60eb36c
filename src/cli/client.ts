/** The typed client: the contract's own values and failures on this side of the wire. */
import { randomUUID } from "node:crypto"
import { Effect, Result, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { HttpClientError, TransportError } from "effect/http/HttpClientError"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../http/contract/api.ts"
import { IDEMPOTENCY_HEADER } from "../http/contract/idempotency.ts"
import { again, isBusy } from "./again.ts"
import { Output } from "./output.ts"
import { isLasting, isUnsent, reasonOf, unknownAnswer } from "./refusal.ts"
import { exchange, requestLine } from "./transport.ts"

/** Undefined if it would be so again. */
const faultOf = ({ reason }: HttpClientError): string | undefined =>
  reason._tag === "TransportError" && !isLasting(reason.cause) ? reasonOf(reason.cause) : undefined

const bytesOf = ({ body }: HttpClientRequest.HttpClientRequest): Uint8Array | undefined => body._tag === "Uint8Array" ? body.body : undefined

const mayHaveArrived = ({ reason }: HttpClientError): boolean => reason._tag === "TransportError" && !isUnsent(reason.cause)

/** The service does what comes under one key once. */
const keyed = (request: HttpClientRequest.HttpClientRequest) =>
  request.method === "POST" ? HttpClientRequest.setHeader(request, IDEMPOTENCY_HEADER, randomUUID()) : request

/** Asks again while the connection is broken or the service is busy: only for requests that may arrive twice, as those do that take a key. */
export const patient = (client: HttpClient.HttpClient) =>
  Effect.map(Output, (output) =>
    HttpClient.transform(client, Effect.fnUntraced(function*(asked: Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError>) {
      // The first answer that was lost: whatever comes after it does not tell that nothing was done.
      let lost: HttpClientError | undefined
      for (let tries = 0;; tries++) {
        const found = yield* Effect.result(asked)
        if (Result.isFailure(found) && mayHaveArrived(found.failure)) lost ??= found.failure
        const isAtWork = lost !== undefined && Result.isSuccess(found) && found.success.status === 409
        const fault = Result.isFailure(found) ? faultOf(found.failure) : isBusy(found.success.status) ? "the service is busy" : isAtWork ? "the first try may be under way" : undefined
        const headers = Result.isSuccess(found) ? found.success.headers : {}
        if (fault === undefined) return yield* Effect.fromResult(found)
        if (!(yield* again(tries, fault, headers))) return yield* lost ?? Effect.fromResult(found)
      }
    }, Effect.provideService(Output, output))).pipe(HttpClient.mapRequest(keyed)))

export const overSockets = (userAgent: string, told: (line: string) => Effect.Effect<void>) =>
  HttpClient.make((request, url, signal) => {
    const began = Date.now()
    const body = bytesOf(request)
    const length: Record<string, string> = body === undefined ? {} : { "content-length": String(body.length) }
    const type: Record<string, string> = body === undefined || request.body._tag !== "Uint8Array" ? {} : { "content-type": request.body.contentType }
    return Effect.tryPromise({
      try: () => exchange(url, { method: request.method, headers: { ...request.headers, "user-agent": userAgent, ...type, ...length }, body, signal }),
      catch: (cause) => new HttpClientError({ reason: new TransportError({ request, cause }) })
    }).pipe(
      Effect.tap((got) => told(requestLine(request.method, url.pathname, got, began))),
      Effect.map(({ bytes, headers, status }) =>
        HttpClientResponse.fromWeb(request, new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, headers })))
    )
  })

export const connect = (base: string, token: string | undefined, client: HttpClient.HttpClient) =>
  HttpApiClient.make(Api, {
    baseUrl: base,
    // Refusals of the service and faults in the input fail alike; only the latter can be corrected by the person who typed it.
    transformResponse: Effect.mapError((error) => Schema.isSchemaError(error) ? unknownAnswer(error) : error),
    transformClient: HttpClient.mapRequest((request) => token === undefined ? request : HttpClientRequest.bearerToken(request, token))
  }).pipe(Effect.provideService(HttpClient.HttpClient, client))

export type Client = Effect.Success<ReturnType<typeof connect>>
