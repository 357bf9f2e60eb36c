/** The typed client: the contract's own values and failures on this side of the wire. */
import { randomUUID } from "node:crypto"
import { Effect, Result, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { HttpClientError, TransportError } from "effect/http/HttpClientError"
import { HttpApiClient } from "effect/http-api"
import { Api } from "../http/contract/api.ts"
import { IDEMPOTENCY_HEADER } from "../http/contract/idempotency.ts"
import { again } from "./again.ts"
import { answeredBy, brokenBy } from "./outcome.ts"
import type { Outcome } from "./outcome.ts"
import { Output } from "./output.ts"
import { fromResponse, unknownAnswer } from "./refusal.ts"
import { exchange, requestLine } from "./transport.ts"
import type { Got } from "./transport.ts"

type Found = Result.Result<HttpClientResponse.HttpClientResponse, HttpClientError>

/** Undefined if that is how it ends: done, or never sent. */
const outcomeOf = (found: Found): Effect.Effect<Outcome | undefined> => {
  if (Result.isSuccess(found)) {
    const { status } = found.success
    return status < 300 ? Effect.undefined : Effect.map(fromResponse(found.success), (refusal) => answeredBy(status, refusal))
  }
  const { reason } = found.failure
  return Effect.succeed(reason._tag === "TransportError" ? brokenBy(reason.cause) : undefined)
}

/** A gateway's answer is none. */
const lostBy = (request: HttpClientRequest.HttpClientRequest, found: Found): HttpClientError =>
  Result.isFailure(found)
    ? found.failure
    : new HttpClientError({ reason: new TransportError({ request, cause: new Error(`the service is away (${found.success.status})`) }) })

/** The service does what comes under one key once. */
const keyed = (request: HttpClientRequest.HttpClientRequest) =>
  request.method === "POST" ? HttpClientRequest.setHeader(request, IDEMPOTENCY_HEADER, randomUUID()) : request

/** Asks again while the connection is broken or the service is busy: only for requests that may arrive twice, as those do that take a key. */
export const patient = (client: HttpClient.HttpClient) =>
  Effect.map(Output, (output) => {
    // Of several that are asked at once, one tells of each wait.
    let waiting = 0
    let told = 0
    const silent = Output.of({ ...output, aside: () => Effect.void })
    const waited = (tries: number, why: string, headers: Got["headers"]) =>
      Effect.suspend(() => {
        const isTold = waiting++ > 0 && tries < told
        told = isTold ? told : tries + 1
        return Effect.provideService(again(tries, why, headers), Output, isTold ? silent : output)
      }).pipe(Effect.ensuring(Effect.sync(() => waiting--)))
    return HttpClient.transform(client, Effect.fnUntraced(function*(asked: Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError>, request: HttpClientRequest.HttpClientRequest) {
      // The first answer that was lost: whatever comes after it does not tell that nothing was done.
      let lost: HttpClientError | undefined
      for (let tries = 0;; tries++) {
        const found = yield* Effect.result(asked)
        const outcome = yield* outcomeOf(found)
        if (outcome === undefined || (outcome.lasting && !outcome.atWork)) return yield* Effect.fromResult(found)
        if (outcome.unsure && request.method !== "GET") lost ??= lostBy(request, found)
        const headers = Result.isSuccess(found) ? found.success.headers : {}
        const why = outcome.atWork ? "the first try may be under way" : outcome.why
        if (!(yield* waited(tries, why, headers))) return yield* lost ?? Effect.fromResult(found)
      }
    })).pipe(HttpClient.mapRequest(keyed))
  })

/** As much of a web response as is read of it: the class itself would load more code than a command runs. */
const webResponse = ({ bytes, headers, status }: Got) =>
  ({
    status,
    headers: new Map(Object.entries(headers)),
    arrayBuffer: async () => new Uint8Array(bytes).buffer,
    get body() {
      return bytes.length === 0 ? null : new Blob([new Uint8Array(bytes)]).stream()
    }
  }) as unknown as Response

export const overSockets = (userAgent: string, told: (line: string) => Effect.Effect<void>) =>
  HttpClient.make((request, url, signal) => {
    const began = Date.now()
    const sent = request.body._tag === "Uint8Array" ? request.body : undefined
    const type = sent && { "content-type": sent.contentType, "content-length": String(sent.body.length) }
    return Effect.tryPromise({
      try: () => exchange(url, { method: request.method, headers: { ...request.headers, "user-agent": userAgent, ...type }, body: sent?.body, signal }),
      catch: (cause) => new HttpClientError({ reason: new TransportError({ request, cause }) })
    }).pipe(
      Effect.tap((got) => told(requestLine(request.method, url.pathname, got, began))),
      Effect.map((got) => HttpClientResponse.fromWeb(request, webResponse(got)))
    )
  })

export type Client = HttpApiClient.ForApi<typeof Api>

/** Each group of endpoints is built when it is first asked: all of them together take as long as the rest of most commands. */
export const connect = (base: string, token: string | undefined, client: HttpClient.HttpClient): Client => {
  const options = {
    baseUrl: base,
    // Refusals of the service and faults in the input fail alike; only the latter can be corrected by the person who typed it.
    transformResponse: Effect.mapError((error) => Schema.isSchemaError(error) ? unknownAnswer(error) : error),
    httpClient: HttpClient.mapRequest(client, (request) => token === undefined ? request : HttpClientRequest.bearerToken(request, token))
  }
  const built: Record<string, unknown> = {}
  const groups = Object.keys(Api.groups).map((group) => [group, {
    get: () => built[group] ??= Effect.runSync(HttpApiClient.group(Api, { ...options, group: group as keyof Client }))
  }])
  return Object.defineProperties({}, Object.fromEntries(groups)) as Client
}
