/** Headers that would change what a request does and are not followed: it is refused, since without them it would store or overwrite what nobody meant. */
import type { HttpServerRequest } from "effect/http"
import { invalid } from "../../../domain/failures.ts"
import type { Invalid } from "../../../domain/failures.ts"

const WHOLE = "Send the whole file, without a Content-Range: a part of it would be published in its place."
const AS_IT_IS = "Send the body as it is, without a Content-Encoding."
const DATED = "Leave this out: nothing is compared by its date. To publish over one version alone, send base_version."
const ELSEWHERE = "Leave this out: only PUT /v1/projects/{slug} takes it."

const READ: ReadonlySet<string> = new Set(["GET", "HEAD"])

/** A publish takes some conditions, which its contract checks. The router treats repeated slashes as one. */
const PUBLISHED = /^\/+v1\/+projects\/+[^/?]+(?:$|\?)/

export const unfollowed = ({ headers, method, url }: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method" | "url">): Invalid | undefined => {
  const refused = (field: string, message: string) => headers[field.toLowerCase()] === undefined ? undefined : invalid({ field, message })
  const packed = /^(?:identity)?$/i.test(headers["content-encoding"] ?? "") ? undefined : refused("Content-Encoding", AS_IT_IS)
  if (packed !== undefined || READ.has(method)) return packed
  const condition = method === "PUT" && PUBLISHED.test(url) ? undefined : refused("If-Match", ELSEWHERE) ?? refused("If-None-Match", ELSEWHERE)
  return condition ?? refused("Content-Range", WHOLE) ?? refused("If-Unmodified-Since", DATED)
}
