/** Every answer that is not content: a short human page, or the error envelope for clients that ask for JSON. */
import { pageCsp } from "../../look/page.ts"
import { handling } from "./caching.ts"
import type { Exchange, Route } from "./exchange.ts"
import { everyAnswer } from "./headers.ts"
import { prefersJson } from "./negotiation.ts"
import { closedMessage, closedPage, closedStatus } from "./pages.ts"
import type { Shut } from "./pages.ts"

const ROUTES: Partial<Record<Shut, Route>> = { "no-such-page": "refused", unavailable: "failed", internal: "failed" }

const cacheControl = handling({
  content: "closed", gated: false, personal: false, method: "GET", status: 404, purpose: undefined, machine: false
}).cacheControl

const lines = (type: string, length: number): Array<string> => [
  ...everyAnswer(),
  "Content-Type", type,
  "Content-Length", String(length),
  "Cache-Control", cacheControl,
  "X-Robots-Tag", "noindex"
]

const envelope = (code: string, message: string): Buffer =>
  Buffer.from(JSON.stringify({ error: { code, message, field: null, details: {} } }))

const wantsJson = (x: Exchange): boolean => prefersJson(x.req.headers.accept)

export const refuse = (x: Exchange, reason: Shut, baseUrl: string): void => {
  const status = closedStatus(reason)
  const json = wantsJson(x)
  const { code, message } = closedMessage(reason)
  const body = json ? envelope(code, message) : Buffer.from(closedPage(reason, { requestId: x.id, baseUrl }))
  const head = lines(json ? "application/json" : "text/html; charset=utf-8", body.length)
  if (!json) head.push("Content-Security-Policy", pageCsp)
  if (status === 401) head.push("WWW-Authenticate", "Bearer")
  if (status === 503) head.push("Retry-After", "2")
  x.send(status, head, body, ROUTES[reason] ?? "closed")
}

/** The content plane is read only; its own forms come with the gates. */
export const refuseMethod = (x: Exchange): void => {
  const message = "Only GET and HEAD are answered here."
  const json = wantsJson(x)
  const body = json ? envelope("method_not_allowed", message) : Buffer.from(`${message}\n`)
  x.send(405, [...lines(json ? "application/json" : "text/plain; charset=utf-8", body.length), "Allow", "GET, HEAD"], body, "refused")
}

/** With the query the reader came with; the path is the one that was checked, so it stays on this host. */
export const sendOn = (x: Exchange, location: string): void =>
  x.send(308, [...everyAnswer(), "Content-Length", "0", "Cache-Control", "no-cache", "Location", location], undefined, "moved")
