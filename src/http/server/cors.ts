/** Credentialed CORS for the web app when it lives on an origin of its own, and for nobody else (CONTRACT §3). */
import type { IncomingMessage, ServerResponse } from "node:http"

const METHODS = "GET, POST, PUT, PATCH, DELETE"
const HEADERS = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Account-Id, X-CSRF-Token, X-Filename, X-Request-Id"
const EXPOSED = "Content-Disposition, Idempotent-Replayed, Retry-After, X-Request-Id"
const MAX_AGE_SECONDS = "600"

/** True when the request was a preflight, which is then answered. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean

export const corsFor = (appUrl: string, baseUrl: string): Cors => {
  const app = new URL(appUrl).origin
  if (app === new URL(baseUrl).origin) return () => false
  return (request, response) => {
    // Sent to every origin, since the answer depends on it.
    response.setHeader("vary", "Origin")
    if (request.headers.origin !== app) return false
    response.setHeader("access-control-allow-origin", app)
    response.setHeader("access-control-allow-credentials", "true")
    if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) {
      response.setHeader("access-control-expose-headers", EXPOSED)
      return false
    }
    response.writeHead(204, {
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": HEADERS,
      "access-control-max-age": MAX_AGE_SECONDS
    })
    response.end()
    return true
  }
}
