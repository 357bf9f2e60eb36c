/** The header lines of an answer, flat as Node takes them, made once per file, encoding and state. */
import type { Site } from "../../domain/hosting/model.ts"
import type { ProjectId } from "../../domain/projects/model.ts"
import type { Encoding } from "../contract/negotiation.ts"
import { openedFromElsewhere, unseen } from "../contract/fetch-metadata.ts"
import { keeping } from "./caching.ts"
import { cookieValue } from "./cookie-value.ts"
import type { Presented } from "./memory/editions.ts"
import type { Exchange } from "./exchange.ts"

/** Every answer of the edge carries these; the id's place is first (Exchange.head). */
export const everyAnswer = (referrer = "strict-origin-when-cross-origin"): Array<string> => [
  "X-Request-Id", "",
  "X-Content-Type-Options", "nosniff",
  "Referrer-Policy", referrer
]

/** Always sent: a cache keeps the old value of a header that a 304 leaves out (RFC 9111 §3.2). */
export const robots = (indexable: boolean): ReadonlyArray<string> => ["X-Robots-Tag", indexable ? "all" : "noindex"]

export const UNSEEN: ReadonlyArray<string> = Object.entries(unseen).flat()

export interface Showing {
  readonly status: 200 | 206 | 304 | 404 | 412 | 416
  readonly encoding: Encoding
  readonly length: number
  readonly projectId: ProjectId
  readonly indexable: boolean
  /** Whether the project is closed to those without a pass. */
  readonly gated: boolean
  readonly personal: boolean
}

const fresh = (file: Presented, showing: Showing): Array<string> => {
  const { encoding, gated, indexable, length, personal, projectId, status } = showing
  const { cacheControl, keyed } = keeping({ content: file.page ? "page" : "file", gated, personal })
  const lines = everyAnswer(file.framed ? "same-origin" : undefined)
  if (status !== 304) lines.push("Content-Length", String(length))
  lines.push("Cache-Control", cacheControl)
  const vary = [
    ...(file.encodings.length > 1 ? ["Accept-Encoding"] : []),
    ...(gated ? ["Cookie"] : []),
    // Opened as a top-level page, the same address redirects to the shell.
    ...(file.framed && file.page ? ["Sec-Fetch-Dest"] : [])
  ]
  if (vary.length > 0) lines.push("Vary", vary.join(", "))
  // Projects are same-site to each other: a page of another one would send this reader's pass with what it embeds. Always sent, as in `robots`.
  lines.push("Cross-Origin-Resource-Policy", gated ? "same-origin" : "cross-origin")
  // Who opened it in a window would see from that whether this reader's pass holds: as from a closed page, it is cut off. Its own popups are not.
  if (gated && !file.framed) lines.push("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
  if (keyed) lines.push("Surrogate-Key", projectId)
  lines.push(...robots(indexable && !file.framed))
  if (file.policy !== undefined) lines.push("Content-Security-Policy", file.policy)
  if (status === 412 || status === 416) return lines
  lines.push("ETag", file.tags[encoding])
  if (status === 304) return lines
  lines.push("Content-Type", file.asset.type, "Accept-Ranges", "bytes")
  if (encoding !== "identity") lines.push("Content-Encoding", encoding)
  return lines
}

const ENCODINGS: Readonly<Record<Encoding, number>> = { identity: 0, gzip: 1, br: 2 }
const STATUSES: Readonly<Record<number, number>> = { 200: 0, 304: 1, 404: 2 }

/** Callers must not modify the result: the usual combinations are kept and shared. */
export const linesOf = (file: Presented, showing: Showing): Array<string> => {
  const state = STATUSES[showing.status]
  if (state === undefined || showing.personal) return fresh(file, showing)
  const place = (state * 3 + ENCODINGS[showing.encoding]) * 4 + (showing.indexable ? 1 : 0) + (showing.gated ? 2 : 0)
  return file.heads[place] ??= fresh(file, showing)
}

const SEEN = "__Host-svc_seen"
const seenIn = cookieValue(SEEN, "[^; \\t]*")

const hasSeen = (cookie: string | undefined, project: ProjectId): boolean => seenIn(cookie) === project

/** Whether `clearing` is due; a HEAD clears nothing. */
export const mustClear = ({ isHead, req }: Exchange, { projectId, succeeds }: Site): boolean =>
  succeeds && !isHead && !hasSeen(req.headers.cookie, projectId)

/** An earlier holder of the address may have left pages and data in this browser: they are cleared, once. */
export const clearing = (project: ProjectId): Array<string> => [
  "Clear-Site-Data", "\"cache\", \"storage\"",
  "Set-Cookie", `${SEEN}=${project}; Path=/; Max-Age=31536000; Secure; HttpOnly; SameSite=Lax`
]

/** What every browser shows; one or another saves the rest, PDFs and videos too. */
const SHOWN = /^(?:text\/(?:html|plain|css|javascript)|image\/(?:avif|bmp|gif|jpeg|png|webp|svg\+xml)|application\/json)\b|[/+]xml\b/i

/** A page of another origin that opens a download stays where it is, and so sees that there is one: a page of ours comes first. */
export const isSavedFromElsewhere = ({ req: { headers } }: Exchange, { asset: { type } }: Presented, saved: string | undefined): boolean =>
  openedFromElsewhere(headers) && (saved !== undefined || !SHOWN.test(type))

/** A publisher chose the name: sent in quoted ASCII for old clients, and complete for the others (RFC 6266). */
export const saving = (path: string): Array<string> => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  const whole = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return ["Content-Disposition", `attachment; filename="${name.replace(/[^ !#-[\]-~]/g, "_").replaceAll("%", "_")}"; filename*=UTF-8''${whole}`]
}
