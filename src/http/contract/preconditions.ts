/** Entity tags and conditional requests (RFC 9110 §8.8.3, §13). */

const TAG = /[ \t,]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?:,|$)/y

/** The first tag in the header's list that is one of `tags`; `*` stands for `tags[0]`. Parsing stops at a malformed entry. */
const named = (
  list: string,
  tags: ReadonlyArray<string>,
  comparison: "weak" | "strong"
): string | undefined => {
  if (tags.includes(list)) return list
  if (list.trim() === "*") return tags[0]
  TAG.lastIndex = 0
  for (let match = TAG.exec(list); match !== null; match = TAG.exec(list)) {
    const tag = match[2]!
    if ((comparison === "weak" || match[1] === undefined) && tags.includes(tag)) return tag
  }
  return undefined
}

export interface Conditions {
  readonly "if-match"?: string | undefined
  readonly "if-none-match"?: string | undefined
  readonly "if-modified-since"?: string | undefined
}

/**
 * Evaluates conditions in the order of RFC 9110 §13.2.2. `tags` belong to every encoding this client could be sent, so a
 * copy that it holds in any of them is confirmed. There are no modification dates: conditions on dates do not apply. A tag beside
 * one confirms nothing: Squid sends the date of its own copy with a reader's newer tag, and would serve that copy as the newer one.
 */
export const precondition = (
  headers: Conditions,
  tags: ReadonlyArray<string>
): "go" | "failed" | { readonly unchanged: string } => {
  const match = headers["if-match"]
  if (match !== undefined && named(match, tags, "strong") === undefined) return "failed"
  const none = headers["if-none-match"]
  if (none === undefined || headers["if-modified-since"] !== undefined) return "go"
  const unchanged = named(none, tags, "weak")
  return unchanged === undefined ? "go" : { unchanged }
}

/** Whether a range may be sent: without If-Range, or when it names exactly these bytes. A date never does. */
export const rangeHolds = (ifRange: string | undefined, tag: string): boolean =>
  ifRange === undefined || ifRange.trim() === tag
