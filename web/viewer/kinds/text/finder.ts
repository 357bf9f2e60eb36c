/** Search for words and lines: where the words are, which of them are marked, and stepping between them. */
import { findBar } from "../../find-bar.ts"
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
  /** Call once its rows are others, of the same words. */
  readonly mark: () => void
}

export const finder = (tools: HTMLElement, sheet: Sheet, goTo: (line: number) => void, say: (text: string) => void): Finder => {
  let what: "words" | "line" = "words"
  let found: ReadonlyArray<readonly [number, number]> = []
  let current = -1
  let waiting: ReturnType<typeof setTimeout> | undefined

  const bar = findBar(tools, {
    back: sheet.element,
    typed: () => {
      if (what === "line") return
      clearTimeout(waiting)
      waiting = setTimeout(look, QUIET_MS)
    },
    step: (by) => {
      if (what === "line") {
        const line = Number.parseInt(field.value, 10)
        if (line > 0) goTo(line)
        bar.close()
      } else if (found.length === 0) look()
      else go(current + by)
    },
    closed: () => {
      clearTimeout(waiting)
      found = []
      current = -1
      marks()
    }
  })
  const { field } = bar

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

  const tell = (): void =>
    bar.tell(field.value === "" ? "" : found.length === 0 ? "None" : `${(current + 1).toLocaleString()} of ${count(found.length)}`, found.length > 0)

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

  return {
    close: bar.close,
    again: () => bar.isOpen() && what === "words" && look(),
    mark: () => found.length > 0 && marks(),
    open: (wanted) => {
      const before = what === wanted ? field.value : ""
      what = wanted
      if (what === "line") return bar.open("Go to line", "", true)
      bar.open("Find in the text", String(getSelection() ?? "").trim().slice(0, 100) || before)
      if (field.value !== "") look()
    }
  }
}
