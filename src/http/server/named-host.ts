/** The host that a request names: in an absolute target, or in its single `Host` header. */
import type { IncomingMessage } from "node:http"

const ABSOLUTE = /^https?:\/\/([^/?#\\@]*)(?=[/?#\\]|$)/i

/**
 * The `Host` header, lower case and without its port; for an absolute target its own host, whatever `Host` says (RFC 9112
 * §3.2.2); empty for any other target. What follows the colon is a port, or all of it names another host to somebody in front of us.
 */
export const namedHost = ({ headers, url = "/" }: IncomingMessage): string => {
  const host = (url.charCodeAt(0) === 47 ? headers.host : ABSOLUTE.exec(url)?.[1]) ?? ""
  const colon = host.lastIndexOf(":")
  if (colon <= host.lastIndexOf("]")) return host.toLowerCase()
  return /^\d*$/.test(host.slice(colon + 1)) ? host.slice(0, colon).toLowerCase() : ""
}

/**
 * A fully qualified name may end in a dot, which makes it another origin to browsers: a GET or HEAD there is redirected to
 * the configured address. Undefined where there is no redirect.
 */
export const withoutDot = ({ method, url = "/" }: IncomingMessage, origin: string | undefined): string | undefined => {
  const rest = url.replace(ABSOLUTE, "")
  const target = rest.startsWith("/") ? rest : `/${rest}`
  return origin !== undefined && (method === "GET" || method === "HEAD") && /^[!-~]+$/.test(target) ? origin + target : undefined
}

/** RFC 9112 §3.2: HTTP/1.1 requires the header exactly once; of two, a proxy in front may have read the other one. */
export const namesNoHost = ({ headers, httpVersionMinor, rawHeaders }: IncomingMessage): boolean => {
  if (headers.host === undefined) return httpVersionMinor > 0
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === "host") hosts++
  return hosts > 1
}
