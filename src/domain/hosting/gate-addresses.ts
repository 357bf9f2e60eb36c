/** The service's own addresses on the way into a project (CONTRACT §9): for its members, and for readers who want to comment. */

export const MEMBER_GATE = "/v1/gate/member"
export const COMMENT_GATE = "/v1/gate/comment"

/**
 * Form-encoded: room for the longest path and a query. Encoded once more, as the sign-in carries it, that is at most 13,334
 * characters, which fit into Node's 16 KB of headers.
 */
const NEXT_MAX = 8_000

/** Whether a way back is short enough for the headers that carry it. */
export const isCarried = (next: string): boolean => next.length <= NEXT_MAX && new URLSearchParams({ next }).toString().length <= NEXT_MAX

/** `base` is the service's address; empty for a path there. With the way `open` it is a plain link to the document. */
export const memberGateAt = (base: string, { next, slug, way }: { readonly slug: string; readonly next: string; readonly way?: "open" }): string =>
  `${base}${MEMBER_GATE}?${new URLSearchParams({ slug, next, ...(way !== undefined && { way }) }).toString()}`

/** What somebody can do once they are signed in: a document that they want to comment on sends them through its gate. */
export const purposeOf = (next: string | undefined): "comment" | "go on" | "publish" =>
  next === undefined ? "publish" : next.startsWith(`${COMMENT_GATE}?`) ? "comment" : "go on"
