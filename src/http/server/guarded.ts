/** Guards what runs before the API or the edge handles a request: a bug there must not crash the process. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { internalError } from "../../domain/failures.ts"
import { envelope } from "../contract/envelope.ts"
import { requestIdOf } from "./request-id.ts"

const internal = (response: ServerResponse, requestId: string) => {
  if (response.headersSent) return response.destroy()
  response.writeHead(500, { "content-type": "application/json", "x-request-id": requestId, "x-content-type-options": "nosniff" })
  return response.end(JSON.stringify(envelope(internalError(requestId))))
}

/** Answers 500 where the listener throws, and reports the cause to `defect`. */
export const guarded = (listener: RequestListener, defect: (cause: unknown, requestId: string) => void): RequestListener =>
(request: IncomingMessage, response: ServerResponse) => {
  try {
    listener(request, response)
  } catch (cause) {
    const requestId = requestIdOf(request.headers["x-request-id"])
    defect(cause, requestId)
    internal(response, requestId)
  }
}
