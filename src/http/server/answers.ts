/** Answers of several routes: our own pages, which load nothing but their own styles and fonts, the files of such pages, and refusals for programs. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { MethodNotAllowed } from "../../domain/failures.ts"
import { pageCsp } from "../../look/page.ts"
import { envelope, refusalHeaders } from "../contract/envelope.ts"
import type { Wire } from "../contract/envelope.ts"
import { unseen } from "../contract/fetch-metadata.ts"
import { encodingsFor, prefersJson } from "../contract/negotiation.ts"
import type { Encoding } from "../contract/negotiation.ts"
import { precondition } from "../contract/preconditions.ts"
import { notFoundPage } from "./home-page.ts"
import { RequestId } from "./request-id.ts"

export const pageAnswer = (html: string, status = 200, policy = pageCsp) =>
  HttpServerResponse.text(html, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      ...unseen
    }
  })

/** For people at an address of ours where there is nothing. */
export const noSuchPage = Effect.map(RequestId, (requestId) => pageAnswer(notFoundPage({ requestId }), 404))

/** `methods`: those that the address takes. */
export const wrongMethod = (methods: ReadonlyArray<string>) =>
  new MethodNotAllowed({ message: `This address takes ${methods.join(", ")}.`, details: { allow: [...methods] } })

/** A refusal in the envelope. `headers`: what tells more of it. */
export const refusalAnswer = (status: number, failure: Wire, headers: Readonly<Record<string, string>> = refusalHeaders(failure)) =>
  HttpServerResponse.jsonUnsafe(envelope(failure), { status, headers: { "cache-control": "no-store", ...headers } })

/** The same where people follow a link: as a page, unless a program asks for JSON. */
export const shownRefusal = (status: number, failure: Wire, html: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => prefersJson(headers["accept"]) ? refusalAnswer(status, failure) : pageAnswer(html, status))

/** Redirects by GET. The address may carry a secret, so nothing caches the answer and no Referer repeats it. */
export const seeOther = (url: string) =>
  HttpServerResponse.redirect(url, { status: 303, headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" } })

export interface OwnFile {
  readonly type: string
  /** The strong tag of the plain bytes, quotes included. */
  readonly etag: string
  readonly bytes: Readonly<Partial<Record<Encoding, Uint8Array>>> & { readonly identity: Uint8Array }
}

/** A file in the encoding that its reader prefers, each encoding under a tag of its own (RFC 9110 §8.8.3.3), or a 304. */
export const fileAnswer = ({ headers: asked }: HttpServerRequest.HttpServerRequest, { bytes, etag, type }: OwnFile, headers: Readonly<Record<string, string>>) => {
  const tagOf = (encoding: Encoding) => encoding === "identity" ? etag : `${etag.slice(0, -1)}-${encoding}"`
  const encodings = encodingsFor(bytes, asked["accept-encoding"])
  const conditions = { "if-match": asked["if-match"], "if-none-match": asked["if-none-match"], "if-modified-since": asked["if-modified-since"] }
  const verdict = precondition(conditions, encodings.map(tagOf))
  if (verdict === "failed") return HttpServerResponse.empty({ status: 412, headers })
  if (verdict !== "go") return HttpServerResponse.empty({ status: 304, headers: { ...headers, etag: verdict.unchanged } })
  const encoding = encodings[0]!
  return HttpServerResponse.uint8Array(bytes[encoding] ?? bytes.identity, {
    contentType: type,
    headers: { ...headers, etag: tagOf(encoding), ...(encoding !== "identity" && { "content-encoding": encoding }) }
  })
}
