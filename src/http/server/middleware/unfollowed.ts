/** Headers that would change what a request does and are not followed: it is refused, since without them it would store or overwrite what nobody meant. */
import type { HttpServerRequest } from "effect/http"
import { invalid } from "../../../domain/failures.ts"
import type { Invalid } from "../../../domain/failures.ts"
import { routed } from "../request-path.ts"

const WHOLE = "Send the whole file, without a Content-Range: a part of it would be published in its place."
const AS_IT_IS = "Send the body as it is, without a Content-Encoding."
const VERSION = "To publish over one version alone, send base_version."
const DATED = `Leave this out: nothing is compared by its date. ${VERSION}`
const TAGGED = `Only * is taken: nothing is compared by a tag. ${VERSION}`
const THERE = "Leave this out: the request changes what is there."

const READ: ReadonlySet<string> = new Set(["GET", "HEAD"])

/** A publish, which may make a project. The router treats repeated slashes as one, and leaves one at the end out. */
const PUBLISHED = /^\/+v1\/+projects\/+[^/]+\/*$/

/** `If-Match: *` holds wherever a request does anything at all; `If-None-Match: *` where something new is made. */
export const unfollowed = (request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method" | "url">): Invalid | undefined => {
  const { headers, method } = request
  const unless = (allowed: boolean, field: string, message: string) =>
    allowed || headers[field.toLowerCase()] === undefined ? undefined : invalid({ field, message })
  const packed = unless(/^(?:identity)?$/i.test(headers["content-encoding"] ?? ""), "Content-Encoding", AS_IT_IS)
  if (packed !== undefined || READ.has(method)) return packed
  const makes = method === "POST" || method === "PUT" && PUBLISHED.test(routed(request))
  return unless(headers["if-match"] === "*", "If-Match", TAGGED)
    ?? unless(headers["if-none-match"] === "*", "If-None-Match", TAGGED)
    ?? unless(makes, "If-None-Match", THERE)
    ?? unless(false, "Content-Range", WHOLE)
    ?? unless(false, "If-Unmodified-Since", DATED)
}
