/** The address that leads to a comment's place in the document: by line, page, second, row, section or words. */
import type { Comment } from "../api/comments.ts"

type Anchor = NonNullable<Comment["anchor"]>

const hashOf = ({ line, page, quote, row, selector, time }: Anchor): string => {
  if (line) return `#L${line}`
  if (page) return `#page=${page}`
  if (time) return `#t=${Math.round(time * 1000) / 1000}`
  if (row) return `#row=${row}`
  if (selector?.startsWith("$")) return `#${encodeURI(selector)}`
  const id = /#([\p{L}\p{N}_-]+)\s*$/u.exec(selector ?? "")?.[1]
  if (id !== undefined) return `#${encodeURIComponent(id)}`
  const words = quote?.trim().split(/\s+/).slice(0, 8).join(" ")
  return words ? `#:~:text=${encodeURIComponent(words).replaceAll("-", "%2D")}` : ""
}

/** Whether it names nothing narrower. */
export const isWholeDocument = (anchor: Anchor | null): boolean => {
  if (anchor === null) return true
  const { path, where: _, ...narrower } = anchor
  return path === "/" && Object.values(narrower).every((part) => part === null || part === undefined)
}

export const placeOf = (anchor: Anchor | null): string => anchor === null ? "/" : (anchor.path.startsWith("/") ? anchor.path : "/") + hashOf(anchor)
