/** Search in all pages, ignoring case and accents: the field in the bar, the number of matches, and stepping between them. */
import { reading, tool } from "../../tools.ts"
import type { Engine } from "./engine.ts"

/** pdf.js's own values. */
const [NOT_FOUND, PENDING] = [1, 3]

interface Told {
  readonly matchesCount: { readonly current: number; readonly total: number }
  readonly state?: number
}

export interface Finder {
  readonly open: () => void
  readonly close: () => void
  readonly has: (element: Element | null) => boolean
}

export const finder = (tools: HTMLElement, { events }: Engine, back: HTMLElement, say: (text: string) => void): Finder => {
  const bar = Object.assign(document.createElement("form"), { className: "finder", hidden: true })
  const field = Object.assign(document.createElement("input"), {
    type: "text", autocomplete: "off", spellcheck: false, enterKeyHint: "search", inputMode: "search", placeholder: "Find in the PDF"
  })
  field.setAttribute("aria-label", "Find in the PDF")
  const told = reading()
  let state = PENDING

  const look = (type: "" | "again", findPrevious = false): void =>
    events.dispatch("find", {
      source: bar, type, query: field.value, caseSensitive: false, entireWord: false, highlightAll: true, findPrevious, matchDiacritics: false
    })

  const others = () => [...tools.children].filter((one): one is HTMLElement => one !== bar && one instanceof HTMLElement)
  const previous = tool({ icon: "up", label: "Previous", key: "Shift+Enter", run: () => look("again", true) })
  const next = tool({ icon: "down", label: "Next", key: "Enter", run: () => look("again") })

  const tell = ({ matchesCount: { current, total }, state: now = state }: Told): void => {
    if (bar.hidden) return
    state = now
    const none = field.value === "" ? "" : state === NOT_FOUND ? "None" : "…"
    told.textContent = total === 0 ? none : `${Math.max(1, current).toLocaleString()} of ${total.toLocaleString()}`
    for (const button of [previous, next]) button.disabled = total === 0
    if (state !== PENDING) say(total === 0 ? state === NOT_FOUND && field.value !== "" ? "Not found" : "" : told.textContent)
  }
  events.on("updatefindmatchescount", tell)
  events.on("updatefindcontrolstate", tell)

  const close = (): void => {
    if (bar.hidden) return
    bar.hidden = true
    others().forEach((one) => (one.hidden = false))
    events.dispatch("findbarclose", { source: bar })
    back.focus({ preventScroll: true })
  }

  field.addEventListener("input", () => look(""))
  bar.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return close()
    if (event.target !== field || event.key !== "Enter" || event.isComposing) return
    event.preventDefault()
    look("again", event.shiftKey)
  })
  bar.addEventListener("submit", (event) => event.preventDefault())
  bar.append(field, told, previous, next, tool({ icon: "close", label: "Close", key: "Esc", run: close }))
  tools.append(bar)

  return {
    close,
    has: (element) => element === field,
    open: () => {
      bar.hidden = false
      others().forEach((one) => (one.hidden = true))
      field.value = String(getSelection() ?? "").replace(/\s+/g, " ").trim().slice(0, 100) || field.value
      told.textContent = ""
      for (const button of [previous, next]) button.disabled = true
      field.focus()
      field.select()
      if (field.value !== "") look("")
    }
  }
}
