/** JSON is UTF-8 (RFC 8259 §8.1). Other bytes are refused: decoded, they would be stored as U+FFFD, and what was meant would be silently lost. */
import { isUtf8 } from "node:buffer"
import { Effect } from "effect"
import { HttpServerError } from "effect/http"
import type { HttpServerRequest } from "effect/http"

class NotUtf8 extends Error {}

export const isNotUtf8 = (reason: unknown): boolean => HttpServerError.isHttpServerError(reason)
  ? isNotUtf8(reason.reason)
  : reason instanceof HttpServerError.RequestParseError && reason.cause instanceof NotUtf8

const decoder = new TextDecoder()

const isJson = (type: string | undefined) => type === undefined || /\bjson\b/i.test(type)

/** The request, with a `text` that fails where a JSON body is not UTF-8. */
export const inUtf8 = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  if (request.method === "GET" || request.method === "HEAD" || !isJson(request.headers["content-type"])) return request
  return Object.create(request, {
    text: {
      get(this: HttpServerRequest.HttpServerRequest) {
        return Effect.flatMap(this.arrayBuffer, (bytes) =>
          isUtf8(bytes)
            ? Effect.succeed(decoder.decode(bytes))
            : Effect.fail(new HttpServerError.HttpServerError({ reason: new HttpServerError.RequestParseError({ request, reason: "Parse", cause: new NotUtf8() }) })))
      }
    }
  })
}
