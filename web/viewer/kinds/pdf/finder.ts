/** Search in all pages, ignoring case and accents: pdf.js counts the matches and steps from one to the next. */
import { findBar } from "../../find-bar.ts"
import type { Engine } from "./engine.ts"

/** pdf.js's own values. */
const [NOT_FOUND, PENDING] = [1, 3]

interface Told {
  readonly matchesCount: { readonly current: number; readonly total: number }
  readonly state?: number
}

export interface Finder {
  readonly open: () => void
  readonly has: (element: Element | null) => boolean
}

export const finder = (tools: HTMLElement, { events }: Engine, back: HTMLElement, say: (text: string) => void): Finder => {
  let state = PENDING

  const look = (type: "" | "again", findPrevious = false): void =>
    events.dispatch("find", {
      source: field, type, query: field.value, caseSensitive: false, entireWord: false, highlightAll: true, findPrevious, matchDiacritics: false
    })

  const { field, isOpen, open, tell } = findBar(tools, {
    back,
    typed: () => look(""),
    step: (by) => look("again", by < 0),
    closed: () => events.dispatch("findbarclose", { source: field })
  })

  const found = ({ matchesCount: { current, total }, state: now = state }: Told): void => {
    if (!isOpen()) return
    state = now
    const none = field.value === "" ? "" : state === NOT_FOUND ? "None" : "…"
    const words = total === 0 ? none : `${Math.max(1, current).toLocaleString()} of ${total.toLocaleString()}`
    tell(words, total > 0)
    if (state !== PENDING) say(total > 0 ? words : state === NOT_FOUND && field.value !== "" ? "Not found" : "")
  }
  events.on("updatefindmatchescount", found)
  events.on("updatefindcontrolstate", found)

  return {
    has: (element) => element === field,
    open: () => {
      open("Find in the PDF", String(getSelection() ?? "").replace(/\s+/g, " ").trim().slice(0, 100) || field.value)
      if (field.value !== "") look("")
    }
  }
}
