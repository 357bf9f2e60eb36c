/** Every answer that is not content: a short human page, or the error envelope for clients that ask for JSON. */
import type { Site } from "../../domain/hosting/model.ts"
import type { Moved } from "../../domain/hosting/rules.ts"
import { openingPage } from "../../look/opening-page.ts"
import { pageCsp } from "../../look/page.ts"
import { envelope, refusalHeaders } from "../contract/envelope.ts"
import type { Wire } from "../contract/envelope.ts"
import { opensPage } from "../contract/fetch-metadata.ts"
import { prefersJson } from "../contract/negotiation.ts"
import { keeping } from "./caching.ts"
import type { Exchange, Route } from "./exchange.ts"
import { everyAnswer, robots, UNSEEN } from "./headers.ts"
import { nextOf } from "./next.ts"
import { closedCsp, closedFailure, closedPage, closedStatus } from "./pages.ts"
import type { Shut } from "./pages.ts"
import { noteIn, noteRead } from "./try-note.ts"

const ROUTES: Partial<Record<Shut, Route>> = { "no-such-page": "refused", unavailable: "failed", internal: "failed" }

const { cacheControl } = keeping({ content: "closed" })

export const GATES = "/_svc/gate/"

/**
 * The header lines of an answer without content; the addresses of gates carry secrets, which must not reach a Referer. To a page that
 * opens or loads it from another origin it is the same as what a pass opens.
 */
export const shutLines = (x: Exchange, length: number): Array<string> => [
  ...everyAnswer(x.address?.path.startsWith(GATES) ? "no-referrer" : undefined),
  "Content-Length", String(length),
  "Cache-Control", cacheControl,
  "X-Robots-Tag", "noindex",
  ...UNSEEN
]

export const wantsJson = (x: Exchange): boolean => prefersJson(x.req.headers.accept)

export const sendJson = (x: Exchange, status: number, value: unknown, route: Route, more: ReadonlyArray<string>): void => {
  const body = Buffer.from(JSON.stringify(value))
  x.send(status, [
    ...shutLines(x, body.length), "Content-Type", "application/json", "Content-Security-Policy", "frame-ancestors 'none'", ...more
  ], body, route)
}

export const sendPage = (x: Exchange, status: number, page: string, route: Route, more: ReadonlyArray<string> = [], policy = pageCsp): void => {
  const body = Buffer.from(page)
  x.send(status, [
    ...shutLines(x, body.length), "Content-Type", "text/html; charset=utf-8", "Content-Security-Policy", policy, ...more
  ], body, route)
}

/** The header lines that a refusal requires. */
const besides = (failure: Wire): ReadonlyArray<string> => Object.entries(refusalHeaders(failure)).flat()

export const sendEnvelope = (x: Exchange, status: number, failure: Wire, route: Route, more: ReadonlyArray<string> = []): void =>
  sendJson(x, status, envelope(failure), route, [...besides(failure), ...more])

/** Where the reader wanted to go: this address, unless it is a gate's, which passes its own `next`. */
const wanted = (x: Exchange): string => nextOf(x.address === undefined ? undefined : x.address.raw + x.address.query)

export const refuse = (x: Exchange, reason: Shut, baseUrl: string, next = wanted(x), failure: Wire = closedFailure(reason)): void => {
  const status = closedStatus(reason)
  const route = ROUTES[reason] ?? "closed"
  if (wantsJson(x)) return sendEnvelope(x, status, failure, route)
  const refusal = reason === "doorcode" && opensPage(x.req.headers) ? noteIn(x.req.headers.cookie)?.message : undefined
  const read = refusal === undefined ? [] : ["Set-Cookie", noteRead]
  sendPage(x, status, closedPage(reason, { requestId: x.id, baseUrl, slug: x.slug, next, refusal }), route, [...besides(failure), ...read], closedCsp)
}

/** The doorcode page again, with what was wrong. What was typed is not repeated. */
export const refuseTry = (
  x: Exchange,
  status: number,
  failure: Wire,
  { baseUrl, more = [], next }: { readonly baseUrl: string; readonly next: string; readonly more?: ReadonlyArray<string> }
): void => {
  if (wantsJson(x)) return sendEnvelope(x, status, failure, "gate", more)
  sendPage(x, status, closedPage("doorcode", { requestId: x.id, baseUrl, slug: x.slug, next, refusal: failure.message }), "gate", [...besides(failure), ...more], closedCsp)
}

/** Except for gates and comments, the content plane is read-only. */
export const refuseMethod = (x: Exchange, allow = "GET, HEAD", isForPrograms = wantsJson(x)): void => {
  const message = `Only ${allow.replace(", ", " and ")} ${allow.includes(",") ? "are" : "is"} answered here.`
  const failure: Wire<"method_not_allowed"> = { _tag: "method_not_allowed", message, field: null, details: { allow: allow.split(", ") } }
  if (isForPrograms) return sendEnvelope(x, 405, failure, "refused")
  const body = Buffer.from(`${message}\n`)
  x.send(405, [...shutLines(x, body.length), "Content-Type", "text/plain; charset=utf-8", ...besides(failure)], body, "refused")
}

/** To what was asked for by a page of ours, which a window shows like a closed one; what a frame or a load asks for ends at the document. */
export const leadOn = (x: Exchange, route: Route): void => {
  if (!opensPage(x.req.headers)) return x.send(303, [...shutLines(x, 0), "Location", "/"], undefined, route)
  const to = wanted(x)
  sendPage(x, 200, openingPage(to), route, ["Refresh", `0;url=${to}`])
}

/**
 * Keeps the reader's query and spelling; the path is the one that was checked, so the redirect stays on this host. It is kept and
 * found by whoever may keep and find the page that it leads to.
 */
export const sendOn = (x: Exchange, { location }: Moved, { indexable, visibility }: Pick<Site, "indexable" | "visibility">): void => {
  const gated = visibility !== "public"
  const { query, raw } = x.address!
  const to = `${location.endsWith("/") ? `${raw}/` : raw.slice(0, -1)}${query}`
  x.send(308, [
    ...everyAnswer(), "Content-Length", "0", "Cache-Control", keeping({ content: "page", gated }).cacheControl, ...(gated ? ["Vary", "Cookie", ...UNSEEN] : []), ...robots(indexable), "Location", to
  ], undefined, "moved")
}
