/** Answers to conditional requests (RFC 9110 §13), where nothing but the header lines is sent. */
import { precondition } from "../contract/preconditions.ts"
import type { Exchange, Route } from "./exchange.ts"

/** True where a condition was answered: 412, or 304 for a copy that the client holds in one of the encodings with these tags. */
export const answeredByTag = (x: Exchange, lines: ReadonlyArray<string>, tags: ReadonlyArray<string>, route: Route): boolean => {
  const verdict = precondition(x.req.headers, tags)
  if (verdict === "go") return false
  if (verdict === "failed") x.send(412, [...lines, "Content-Length", "0"], undefined, route)
  else x.send(304, [...lines, "ETag", verdict.unchanged], undefined, route)
  return true
}
