/** Which path a request line names; a path that two parsers could read differently is refused. */

export interface Address {
  /** Decoded, with its leading slash; every segment but the last is non-empty, none is `.` or `..`. */
  readonly path: string
  /** As it was sent, without the query. */
  readonly raw: string
  /** With its `?`, or empty. */
  readonly query: string
}

/** Paths with nothing to decode and nothing to check: by far the most requests. */
const PLAIN = /^(?:\/[\w~!$&'()*+,;=:@-][\w~!$&'()*+,;=:@.-]*)*\/?$/
const REFUSED_RAW = /[\x00-\x20#\\\x7f-\uffff]|%(?:2f|5c|00)/i
const REFUSED_DECODED = /[\x00-\x1f\x7f\\]|\/\/|\/\.{1,2}(?:\/|$)/

const decoded = (raw: string): string | undefined => {
  if (REFUSED_RAW.test(raw)) return undefined
  try {
    const path = decodeURIComponent(raw).normalize("NFC") // as published paths are
    return REFUSED_DECODED.test(path) ? undefined : path
  } catch {
    return undefined
  }
}

/** `target` is the request line's second word; `host` (lower case, no port) is what an absolute one must name (RFC 9112 §3.2.2). */
export const addressOf = (target: string, host: string): Address | undefined => {
  let rest = target
  if (rest.charCodeAt(0) !== 47) {
    const absolute = /^https?:\/\/([^/?#@:]+)(?::\d*)?(?=[/?]|$)/i.exec(rest)
    if (absolute === null || absolute[1]!.toLowerCase() !== host) return undefined
    rest = rest.slice(absolute[0].length)
    if (rest.charCodeAt(0) !== 47) rest = `/${rest}`
  }
  const mark = rest.indexOf("?")
  const raw = mark === -1 ? rest : rest.slice(0, mark)
  const query = mark === -1 ? "" : rest.slice(mark)
  const path = PLAIN.test(raw) ? raw : decoded(raw)
  return path === undefined ? undefined : { path, raw, query }
}
