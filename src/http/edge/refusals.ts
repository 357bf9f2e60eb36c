/** Every answer that is not content: a short human page, or the error envelope for clients that ask for JSON. */
import { pageCsp } from "../../look/page.ts"
import { AWAY_SECONDS } from "../contract/envelope.ts"
import { prefersJson } from "../contract/negotiation.ts"
import { keeping } from "./caching.ts"
import type { Exchange, Route } from "./exchange.ts"
import { everyAnswer } from "./headers.ts"
import { nextOf } from "./next.ts"
import { closedMessage, closedPage, closedStatus } from "./pages.ts"
import type { Shut } from "./pages.ts"

const ROUTES: Partial<Record<Shut, Route>> = { "no-such-page": "refused", unavailable: "failed", internal: "failed" }

const { cacheControl } = keeping({ content: "closed" })

export const GATES = "/_svc/gate/"

/** The header lines of an answer without content; the addresses of gates carry secrets, which must not reach a Referer. */
export const shutLines = (x: Exchange, length: number): Array<string> => [
  ...everyAnswer(x.address?.path.startsWith(GATES) ? "no-referrer" : undefined),
  "Content-Length", String(length),
  "Cache-Control", cacheControl,
  "X-Robots-Tag", "noindex"
]

/** What went wrong, for programs. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly field?: string | null
  readonly details?: object
}

export const wantsJson = (x: Exchange): boolean => prefersJson(x.req.headers.accept)

export const sendJson = (x: Exchange, status: number, value: unknown, route: Route, more: ReadonlyArray<string> = []): void => {
  const body = Buffer.from(JSON.stringify(value))
  x.send(status, [...shutLines(x, body.length), "Content-Type", "application/json", ...more], body, route)
}

export const sendPage = (x: Exchange, status: number, page: string, route: Route, more: ReadonlyArray<string> = []): void => {
  const body = Buffer.from(page)
  x.send(status, [
    ...shutLines(x, body.length), "Content-Type", "text/html; charset=utf-8", "Content-Security-Policy", pageCsp, ...more
  ], body, route)
}

const sendEnvelope = (x: Exchange, status: number, { code, details = {}, field = null, message }: Refusal, route: Route, more?: ReadonlyArray<string>): void =>
  sendJson(x, status, { error: { code, message, field, details } }, route, more)

/** The headers that a status requires. */
const besides = (status: number): ReadonlyArray<string> =>
  status === 401 ? ["WWW-Authenticate", "Bearer"] : status === 503 ? ["Retry-After", String(AWAY_SECONDS)] : []

/** Where the reader wanted to go: this address, unless it is a gate's, which passes its own `next`. */
const wanted = (x: Exchange): string => nextOf(x.address === undefined ? undefined : x.address.raw + x.address.query)

export const refuse = (x: Exchange, reason: Shut, baseUrl: string, next = wanted(x)): void => {
  const status = closedStatus(reason)
  const route = ROUTES[reason] ?? "closed"
  if (wantsJson(x)) return sendEnvelope(x, status, closedMessage(reason), route, besides(status))
  sendPage(x, status, closedPage(reason, { requestId: x.id, baseUrl, slug: x.slug, next }), route, besides(status))
}

/** The doorcode page again, with what was wrong. What was typed is not repeated. */
export const refuseTry = (
  x: Exchange,
  status: number,
  refusal: Refusal,
  { baseUrl, more = [], next }: { readonly baseUrl: string; readonly next: string; readonly more?: ReadonlyArray<string> }
): void => {
  const lines = [...besides(status), ...more]
  if (wantsJson(x)) return sendEnvelope(x, status, refusal, "gate", lines)
  sendPage(x, status, closedPage("doorcode", { requestId: x.id, baseUrl, slug: x.slug, next, refusal: refusal.message }), "gate", lines)
}

/** Except for gates and comments, the content plane is read-only. */
export const refuseMethod = (x: Exchange, allow = "GET, HEAD", isForPrograms = wantsJson(x)): void => {
  const message = `Only ${allow.replace(", ", " and ")} ${allow.includes(",") ? "are" : "is"} answered here.`
  if (isForPrograms) return sendEnvelope(x, 405, { code: "method_not_allowed", message, details: { allow: allow.split(", ") } }, "refused", ["Allow", allow])
  const body = Buffer.from(`${message}\n`)
  x.send(405, [...shutLines(x, body.length), "Content-Type", "text/plain; charset=utf-8", "Allow", allow], body, "refused")
}

/** Keeps the reader's query; the path is the one that was checked, so the redirect stays on this host. */
export const sendOn = (x: Exchange, location: string): void =>
  x.send(308, [...everyAnswer(), "Content-Length", "0", "Cache-Control", "no-cache", "Location", location], undefined, "moved")
