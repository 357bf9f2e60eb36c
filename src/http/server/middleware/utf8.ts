/**
 * JSON is UTF-8 (RFC 8259 §8.1). Other bytes are refused: decoded, they would be stored as U+FFFD, and what was meant would be silently lost.
 * So is JSON that holds too much.
 */
import { isUtf8 } from "node:buffer"
import { Effect } from "effect"
import { HttpServerError } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { isIntricate } from "../../contract/json-shape.ts"

class NotUtf8 extends Error {}

class TooIntricate extends Error {}

const comesFrom = (of: typeof NotUtf8 | typeof TooIntricate) => (reason: unknown): boolean => HttpServerError.isHttpServerError(reason)
  ? comesFrom(of)(reason.reason)
  : reason instanceof HttpServerError.RequestParseError && reason.cause instanceof of

export const isNotUtf8 = comesFrom(NotUtf8)

export const isTooIntricate = comesFrom(TooIntricate)

const decoder = new TextDecoder()

const isJson = (type: string | undefined) => type === undefined || /\bjson\b/i.test(type)

/** The request, with a `text` that fails where a JSON body is not UTF-8 or holds too much. */
export const inUtf8 = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  if (request.method === "GET" || request.method === "HEAD" || !isJson(request.headers["content-type"])) return request
  return Object.create(request, {
    text: {
      get(this: HttpServerRequest.HttpServerRequest) {
        const refused = (cause: Error) => Effect.fail(new HttpServerError.HttpServerError({ reason: new HttpServerError.RequestParseError({ request, reason: "Parse", cause }) }))
        return Effect.flatMap(this.arrayBuffer, (bytes) =>
          !isUtf8(bytes) ? refused(new NotUtf8()) : isIntricate(new Uint8Array(bytes)) ? refused(new TooIntricate()) : Effect.succeed(decoder.decode(bytes)))
      }
    }
  })
}
