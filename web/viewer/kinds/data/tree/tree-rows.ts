/** A row of a tree: its key, its value and the value's type, indented by its depth. */
import { made, mark, say, saySigned } from "../dom.ts"
import { keyText } from "../json/json-short.ts"
import type { TreeRow } from "../json/json-tree.ts"

/** Deeper rows are not indented further; `aria-level` still tells their depth. */
const INDENTED = 24

const TYPES: Readonly<Record<TreeRow["type"], string>> = {
  object: "object", array: "list", part: "part", string: "text", number: "number", boolean: "true or false", null: "nothing"
}

/** A text has a size too, but nothing to unfold. */
export const canFold = ({ size, type }: TreeRow): boolean => size > 0 && (type === "object" || type === "array" || type === "part")

/** A folded value tells its size where not all of it shows. */
const foldedText = ([from, to]: string, text: string, amount: string): string =>
  text === "" ? `${from} ${to}` : `${from} ${text} ${to}${text.endsWith("…") ? ` ${amount}` : ""}`

const valueText = ({ open, size, text, type }: TreeRow): string => {
  if (type === "string") return `"${text}${size > text.length ? "…" : ""}"`
  if (type !== "object" && type !== "array") return type === "part" ? `[${text}]` : text
  const one = type === "object" ? "key" : "item"
  const amount = `${size.toLocaleString()} ${size === 1 ? one : `${one}s`}`
  return open && size > 0 ? amount : foldedText(type === "object" ? "{}" : "[]", text, amount)
}

/** As JSON writes what one line cannot show. */
const saysInLine = (element: Element, text: string): void => saySigned(element, text, /[\n\r\t]/g, (found) => JSON.stringify(found).slice(1, -1))

export const makeRow = (): HTMLElement =>
  made("div", "node", { role: "treeitem" }, made("span", "twist", { "aria-hidden": "true" }), made("span", "key"), made("span", "value"), made("span", "type"))

/** Until its facts are here, the row shows what it showed before. */
export const fillRow = (row: HTMLElement, index: number, facts: TreeRow | undefined, active: boolean, pointed: boolean): void => {
  row.id = `node-${index}`
  row.classList.toggle("active", active)
  row.classList.toggle("pointed", pointed)
  if (facts === undefined) return
  row.dataset["node"] = String(facts.id)
  const [twist, key, value, type] = row.children as unknown as [HTMLElement, HTMLElement, HTMLElement, HTMLElement]
  row.style.paddingLeft = `calc(1.75rem + ${Math.min(facts.depth, INDENTED)} * var(--step))`
  mark(row, "aria-level", String(facts.depth + 1))
  // Only the rows near the view are in the page.
  mark(row, "aria-posinset", String(facts.place[0]))
  mark(row, "aria-setsize", String(facts.place[1]))
  const folds = canFold(facts)
  mark(row, "aria-expanded", folds ? String(facts.open) : undefined)
  mark(row, "aria-selected", String(active))
  twist.classList.toggle("none", !folds)
  saysInLine(key, facts.key === undefined ? facts.depth === 0 ? "$" : "" : keyText(facts.key))
  key.hidden = facts.key === undefined && facts.depth > 0
  saysInLine(value, valueText(facts))
  value.className = `value ${facts.type}`
  say(type, facts.depth > INDENTED ? `${TYPES[facts.type]}, ${facts.depth} deep` : TYPES[facts.type])
}
