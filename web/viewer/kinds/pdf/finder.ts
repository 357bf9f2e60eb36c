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

export const finder = (tools: HTMLElement, { events, pdf }: Engine, back: HTMLElement, say: (text: string) => void): Finder => {
  let state = PENDING
  let isScan = false
  /** Asked once nothing is found: in pictures of pages, that says nothing about what they show. */
  let asked: Promise<void> | undefined
  const askWhetherScan = async (): Promise<void> => {
    for (let page = 1; page <= pdf.numPages; page++) {
      const { items } = await (await pdf.getPage(page)).getTextContent()
      if (items.some((item) => "str" in item && item.str.trim() !== "")) return
    }
    isScan = true
  }

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
    const isNone = state === NOT_FOUND && total === 0 && field.value !== ""
    if (isNone && asked === undefined) asked = askWhetherScan().then(() => isScan ? found({ matchesCount: { current: 0, total: 0 } }) : undefined, () => {})
    let [shown, spoken] = [field.value === "" ? "" : "…", ""]
    if (isNone) [shown, spoken] = isScan ? ["No text", "Its pages have no text to find: they may be pictures"] : ["None", "Not found"]
    if (total > 0) shown = spoken = `${Math.max(1, current).toLocaleString()} of ${total.toLocaleString()}`
    tell(shown, total > 0)
    if (state !== PENDING) say(spoken)
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
