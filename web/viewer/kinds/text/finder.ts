/** Search for words and lines: the field in the toolbar, the number of matches, and stepping between them. */
import { reading, tool } from "../../tools.ts"
import { matchesOf, MOST } from "./matches.ts"
import type { Sheet } from "./sheet.ts"

const QUIET_MS = 120
/** Matches marked around the current one; browsers mark a few thousand at once without a stutter. */
const MARKED = 1_000

const count = (amount: number): string => amount === MOST ? `${MOST.toLocaleString()}+` : amount.toLocaleString()

export interface Finder {
  readonly open: (what: "words" | "line") => void
  readonly close: () => boolean
  /** Call once the text has changed. */
  readonly again: () => void
}

export const finder = (tools: HTMLElement, sheet: Sheet, goTo: (line: number) => void, say: (text: string) => void): Finder => {
  const bar = Object.assign(document.createElement("form"), { className: "finder", hidden: true })
  const field = Object.assign(document.createElement("input"), { type: "text", autocomplete: "off", spellcheck: false, enterKeyHint: "search" })
  const told = reading()
  let what: "words" | "line" = "words"
  let found: ReadonlyArray<readonly [number, number]> = []
  let current = -1
  let waiting: ReturnType<typeof setTimeout> | undefined

  const marks = (): void => {
    if (CSS.highlights === undefined) return
    CSS.highlights.delete("found")
    CSS.highlights.delete("current")
    const here = found[current]
    if (here === undefined) return
    const first = Math.max(0, current - MARKED / 2)
    // Marking creates rows, so only what is near is marked.
    const about = found.slice(first, first + MARKED).filter(([start]) => Math.abs(start - here[0]) < 100_000)
    CSS.highlights.set("found", new Highlight(...about.map(([start, end]) => sheet.range(start, end))))
    const now = new Highlight(sheet.range(...here))
    now.priority = 1
    CSS.highlights.set("current", now)
  }

  const tell = (): void => {
    told.textContent = field.value === "" || what === "line" ? "" : found.length === 0 ? "None" : `${(current + 1).toLocaleString()} of ${count(found.length)}`
    for (const button of steps) button.disabled = found.length === 0
  }

  const go = (to: number): void => {
    if (found.length === 0) return
    current = (to + found.length) % found.length
    sheet.reveal(found[current]![0])
    marks()
    tell()
  }

  const look = (): void => {
    clearTimeout(waiting)
    const before = found[current]?.[0] ?? sheet.top()
    found = matchesOf(sheet.text(), field.value)
    current = -1
    if (found.length === 0) marks()
    else go(Math.max(0, found.findIndex(([start]) => start >= before)))
    tell()
    say(field.value === "" ? "" : found.length === 0 ? "Not found" : `${count(found.length)} found`)
  }

  const close = (): boolean => {
    if (bar.hidden) return false
    bar.hidden = true
    others().forEach((one) => (one.hidden = false))
    found = []
    current = -1
    marks()
    sheet.element.focus({ preventScroll: true })
    return true
  }

  const previous = tool({ icon: "up", label: "Previous", key: "Shift+Enter", run: () => go(current - 1) })
  const next = tool({ icon: "down", label: "Next", key: "Enter", run: () => go(current + 1) })
  const steps = [previous, next]
  const others = () => [...tools.children].filter((one): one is HTMLElement => one !== bar && one instanceof HTMLElement)

  field.addEventListener("input", () => {
    if (what === "line") return
    clearTimeout(waiting)
    waiting = setTimeout(look, QUIET_MS)
  })
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return void close()
    if (event.key !== "Enter" || event.isComposing) return
    event.preventDefault()
    if (what === "line") {
      const line = Number.parseInt(field.value, 10)
      if (line > 0) goTo(line)
      return void close()
    }
    if (found.length === 0) look()
    else go(current + (event.shiftKey ? -1 : 1))
  })
  bar.addEventListener("submit", (event) => event.preventDefault())
  bar.append(field, told, previous, next, tool({ icon: "close", label: "Close", key: "Esc", run: close }))
  tools.append(bar)

  return {
    close,
    again: () => bar.hidden || what === "line" || look(),
    open: (wanted) => {
      const before = what === wanted ? field.value : ""
      what = wanted
      bar.hidden = false
      others().forEach((one) => (one.hidden = true))
      for (const one of [told, ...steps]) one.hidden = what === "line"
      const label = what === "line" ? "Go to line" : "Find in the text"
      field.value = what === "line" ? "" : String(getSelection() ?? "").trim().slice(0, 100) || before
      field.inputMode = what === "line" ? "numeric" : "search"
      field.placeholder = label
      field.setAttribute("aria-label", label)
      field.focus()
      field.select()
      if (what === "words" && field.value !== "") look()
      else tell()
    }
  }
}
