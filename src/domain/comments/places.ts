/** Where a comment is, in words: for agents, mails and screen readers, who see no marker on a page. */
import { labelIn, shortened } from "../labels/model.ts"
import type { Anchor } from "./model.ts"

const QUOTED = 80

/** Somebody’s words or address, which cannot end the quote: what stands after it is ours. */
const quoted = (text: string): string => `“${shortened(labelIn(text.replaceAll(/[“”]/g, "\""), text.length), QUOTED)}”`

/** 65 → 1:05, 3725 → 1:02:05. */
const clock = (time: number): string => {
  const seconds = Math.floor(time)
  const two = (value: number) => String(value).padStart(2, "0")
  const hours = Math.floor(seconds / 3600)
  const rest = `${Math.floor(seconds / 60) % 60}:${two(seconds % 60)}`
  return hours === 0 ? rest : `${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** A path into data, or an element named by its id; other selectors tell a person nothing. */
const section = (selector: string): string | undefined => {
  if (selector.startsWith("$")) return `at ${quoted(selector)}`
  // Ids of rendered Markdown have a prefix, which its author did not write.
  const id = /#([\p{L}\p{N}_-]+)\s*$/u.exec(selector.replace(/^#md-(?=[\p{L}\p{N}_-]+$)/u, "#"))?.[1]
  return id === undefined ? undefined : `in section ${quoted(id.replaceAll(/[-_]+/g, " "))}`
}

const percent = (part: number): string => `${Math.round(part * 100)} %`

const spot = ({ height, width, x, y }: Anchor): string | undefined => {
  if (typeof x !== "number" || typeof y !== "number") return undefined
  const corner = `${percent(x)} from the left and ${percent(y)} from the top`
  return typeof width === "number" && typeof height === "number" ? `in the box at ${corner}, ${percent(width)} wide and ${percent(height)} high` : corner
}

/** Undefined if the anchor names nothing narrower than the whole document. */
export const placeOf = (anchor: Anchor): string | undefined => {
  const { column, line, page, path, quote, row, selector, time } = anchor
  const cell = [typeof row === "number" ? `row ${row}` : undefined, column ? `column ${quoted(column)}` : undefined].filter((part) => part !== undefined)
  const parts = [
    path === "/" ? undefined : `on ${quoted(path)}`,
    typeof page === "number" ? `on page ${page}` : undefined,
    selector ? section(selector) : undefined,
    cell.length > 0 ? `in ${cell.join(", ")}` : undefined,
    typeof line === "number" ? `in line ${line}` : undefined,
    typeof time === "number" ? `at ${clock(time)}` : undefined,
    quote?.trim() ? `on ${quoted(quote)}` : undefined,
    quote ? undefined : spot(anchor)
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(", ")
}

export const WHOLE = "on the whole document"

type Located<C> = C extends { readonly anchor: Anchor | null } ? Omit<C, "anchor"> & { readonly anchor: (Anchor & { readonly where: string }) | null } : C

/** The comment with its place in words added to its anchor; a reply has no anchor. */
export const located = <C extends object>(comment: C): Located<C> => {
  const { anchor } = comment as { anchor?: Anchor | null }
  return (anchor == null ? comment : { ...comment, anchor: { ...anchor, where: placeOf(anchor) ?? WHOLE } }) as Located<C>
}
