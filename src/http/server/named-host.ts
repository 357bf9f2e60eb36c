/** The host that a request names, as it is written: in its target, or in its one `Host`. */
import type { IncomingMessage } from "node:http"

const ABSOLUTE = /^https?:\/\/([^/?#\\@]*)(?=[/?#\\]|$)/i

/** As it is written; of an absolute target its own host, whatever `Host` says (RFC 9112 §3.2.2); a target that is neither a path nor that names none. */
export const namedHost = ({ headers, url = "/" }: IncomingMessage): string => {
  const host = (url.charCodeAt(0) === 47 ? headers.host : ABSOLUTE.exec(url)?.[1]) ?? ""
  const colon = host.lastIndexOf(":")
  return (colon > host.lastIndexOf("]") ? host.slice(0, colon) : host).toLowerCase()
}

/**
 * A fully qualified name may end in a dot, and is another origin to browsers: whoever reads there is led to the address as it
 * is configured. Undefined where nobody is.
 */
export const withoutDot = ({ method, url = "/" }: IncomingMessage, origin: string | undefined): string | undefined => {
  const rest = url.replace(ABSOLUTE, "")
  const target = rest.startsWith("/") ? rest : `/${rest}`
  return origin !== undefined && (method === "GET" || method === "HEAD") && /^[!-~]+$/.test(target) ? origin + target : undefined
}

/** RFC 9112 §3.2: a version that has the header needs it, once; of two, whoever passed the request on may have read the other. */
export const namesNoHost = ({ headers, httpVersionMinor, rawHeaders }: IncomingMessage): boolean => {
  if (headers.host === undefined) return httpVersionMinor > 0
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === "host") hosts++
  return hosts > 1
}
