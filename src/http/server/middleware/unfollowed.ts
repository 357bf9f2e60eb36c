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

const isAny = (value: string) => value === "*"

/** `If-Match: *` holds wherever a request does anything at all; `If-None-Match: *` where something new is made. */
export const unfollowed = (request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method" | "url">): Invalid | undefined => {
  const { headers, method } = request
  const refused = (field: string, message: string, isTaken: (value: string) => boolean = () => false) => {
    const value = headers[field.toLowerCase()]
    return value === undefined || isTaken(value) ? undefined : invalid({ field, message })
  }
  const packed = refused("Content-Encoding", AS_IT_IS, (value) => /^(?:identity)?$/i.test(value))
  if (packed !== undefined || READ.has(method)) return packed
  const makes = method === "POST" || method === "PUT" && PUBLISHED.test(routed(request))
  return refused("If-Match", TAGGED, isAny)
    ?? refused("If-None-Match", TAGGED, isAny)
    ?? refused("If-None-Match", THERE, () => makes)
    ?? refused("Content-Range", WHOLE)
    ?? refused("If-Unmodified-Since", DATED)
}
