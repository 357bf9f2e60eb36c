/** Long lists of the API, compressed off the event loop where the client accepts that: the app's first screen waits for one, on any network. */
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { encodingsFor } from "../contract/negotiation.ts"

/** How short an answer becomes tells something of all that is in it (BREACH): no other secret than a doorcode is in these. */
const LISTS: ReadonlySet<string> = new Set(["/v1/projects", "/v1/projects/:slug/comments", "/v1/projects/:slug/files", "/v1/workspace/audit"])

/** As JSON spells the doorcode of a project, for those who may see it. Within a text its quotes would be escaped. */
const DOORCODE = `"password":"`

/** In bytes: below, it is a packet or two either way. */
const SMALLEST = 4096

const brotli = promisify(brotliCompress)

/** Fast rather than small: 4 takes a third of the time of 6 and leaves a tenth more. */
const PACK = {
  br: (bytes: Uint8Array) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: promisify<Uint8Array, Uint8Array>(gzip),
  identity: (bytes: Uint8Array) => Promise.resolve(bytes)
}

/** `route`: as the contract spells it. */
export const compressed = (
  { headers: { "accept-encoding": accepted }, method }: HttpServerRequest.HttpServerRequest,
  route: string,
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { body } = response
  if (accepted === undefined || method !== "GET" || !LISTS.has(route) || body._tag !== "Uint8Array" || body.contentLength < SMALLEST) return Effect.succeed(response)
  const encoding = encodingsFor(PACK, accepted)[0]!
  if (encoding === "identity" || Buffer.from(body.body.buffer, body.body.byteOffset, body.body.byteLength).includes(DOORCODE)) return Effect.succeed(response)
  return Effect.map(
    Effect.promise(() => PACK[encoding](body.body)),
    (packed) => HttpServerResponse.setHeader(HttpServerResponse.setBody(response, HttpBody.uint8Array(packed, body.contentType)), "content-encoding", encoding)
  )
}
