/**
 * GitHub's alerts: a quote that begins with a line such as `[!NOTE]` is a note with a name and an icon.
 *
 * 1. `markAlerts` takes that line away, so that only the author's words tell the side on which the quote stands.
 * 2. `nameAlerts` puts the name in its place.
 */
import type { Element } from "hast"
import { ALERT } from "../../domain/projects/documents/markdown-words.ts"
import { iconPath } from "../../look/icons.ts"
import { element, everyElement, isElement, text } from "./tree.ts"
import type { Parent } from "./tree.ts"

const names = { note: "Note", tip: "Tip", important: "Important", warning: "Warning", caution: "Caution" } as const

type Alert = keyof typeof names

/** Takes the line away and returns which alert it makes; undefined for other quotes, and where nothing would be left. */
const taken = (quote: Element): Alert | undefined => {
  const [paragraph, ...others] = quote.children.filter(isElement)
  const [first, next, ...rest] = paragraph?.tagName === "p" ? paragraph.children : []
  if (paragraph === undefined || first?.type !== "text") return undefined
  const [line, ...lines] = first.value.split(/\r?\n/)
  const alert = ALERT.exec(line!)?.[1]?.toLowerCase() as Alert | undefined
  if (alert === undefined) return undefined
  if (lines.length > 0) first.value = lines.join("\n")
  else if (isElement(next) && next.tagName === "br") paragraph.children = rest
  else if (next === undefined && others.length > 0) quote.children = quote.children.filter((child) => child !== paragraph)
  else return undefined
  return alert
}

export const markAlerts = (root: Parent): ReadonlyMap<Element, Alert> => {
  const alerts = new Map<Element, Alert>()
  everyElement(root, (quote) => {
    const alert = quote.tagName === "blockquote" ? taken(quote) : undefined
    if (alert !== undefined) alerts.set(quote, alert)
  })
  return alerts
}

export const nameAlerts = (alerts: ReadonlyMap<Element, Alert>): void => {
  for (const [quote, alert] of alerts) {
    Object.assign(quote.properties, { className: ["alert", `alert-${alert}`], role: "note" })
    const icon = element("svg", { width: 20, height: 20, viewBox: "0 0 20 20", ariaHidden: "true" }, [element("path", { d: iconPath(alert) }, [])])
    quote.children.unshift(element("p", { className: ["alert-name"], lang: "en" }, [icon, text(names[alert])]))
  }
}
