/** A table: the grid, its filters and sorting, and copying. */
import { isCommand } from "../../../browser-keys.ts"
import { clip, refuse } from "../../../clipboard.ts"
import { listeners } from "../../../listeners.ts"
import type { Anchor, Frame, Key, Stage } from "../../../stage.ts"
import { tool } from "../../../tools.ts"
import { made } from "../dom.ts"
import { makeGrid } from "./grid.ts"
import type { Sort } from "./header.ts"
import { keepLooked, lookedBefore } from "./looked.ts"
import { COLUMNS, printsRows, ROWS } from "../paper.ts"
import { printed } from "./printed.ts"
import type { Counts, DataWorker, TableFacts } from "../protocol.ts"
import { areaOf } from "./selection.ts"
import type { Spot } from "./selection.ts"
import { makeStrip } from "../strip.ts"
import { tableAnchors } from "./table-anchors.ts"
import { showWhole } from "../whole.ts"

const QUIET_MS = 150

export interface Table extends Stage {
  readonly element: HTMLElement
  readonly coming: HTMLElement
  readonly buttons: HTMLElement
  /** Sets the columns, at first and whenever they turn out to be others. */
  readonly facts: (facts: TableFacts) => void
  /** More rows have arrived. */
  readonly grown: (total: number) => void
  /** Resolves once there is something to show in place of what the server wrote. */
  readonly first: () => Promise<void>
  /** The whole file is here. */
  readonly complete: () => Promise<void>
  /** The rest will not arrive. */
  readonly ended: () => void
  readonly keys: ReadonlyArray<Key>
}

export const makeTable = (worker: DataWorker, { facts: { name }, say, tell: tellAll }: Frame): Table => {
  const captured = listeners<[Anchor | undefined, DOMRect | undefined]>()
  const layout = listeners<[]>()
  const changed = listeners<[]>()
  const strip = makeStrip("Filter rows")
  let header: boolean | undefined
  /** Whether a header was detected, whatever the reader makes of the first row. */
  let found = true
  let sort: Sort | undefined
  let counts: Counts = { count: 0, total: 0 }
  let waiting: ReturnType<typeof setTimeout> | undefined
  /** Resolves once the whole file is here, or as much of it as will be: only then can places be found. */
  const arrived = Promise.withResolvers<{ readonly whole: boolean }>()

  const first = (): number => header === true ? 1 : 0
  const isFiltered = (): boolean => strip.field.value.trim() !== "" || grid.header.filters().length > 0

  const grid = makeGrid({
    label: name,
    ask: worker.rows,
    sorted: (column) => sortBy(column),
    filtered: () => void show(),
    opened: (spot) => void open(spot),
    linked: (row) => {
      const record = grid.cells.record(row, grid.picked()?.active.column ?? 0)
      if (record === undefined) return
      history.replaceState(history.state, "", `#row=${rowOf(record)}`)
      say(`Row ${(record - first() + 1).toLocaleString()}`)
    },
    picked: () => captured.tell(capture(), rectOf()),
    drawn: layout.tell
  })

  /** In place of rows, where there are none. */
  const none = made("div", "none", { hidden: "" })
  const clear = made("button", "", { type: "button" }, "Clear the filter")
  clear.addEventListener("click", () => void unfilter().then(() => grid.element.focus()))
  const tellNone = (): void => {
    none.hidden = counts.count > 0
    const isOne = strip.field.value.trim() !== "" && grid.header.filters().length === 0
    if (isFiltered()) none.replaceChildren(made("p", "", {}, isOne ? `No row has “${strip.field.value.trim()}”.` : "No row fits the filters."), clear)
    else none.replaceChildren(made("p", "", {}, "There are no rows under these names."))
  }
  const tell = (): void => {
    tellNone()
    const [count, total] = [counts.count.toLocaleString(), counts.total.toLocaleString()]
    const rows = counts.total === 1 ? "row" : "rows"
    strip.told.textContent = isFiltered() ? `${count} of ${total} ${rows}` : `${total} ${rows}`
  }

  const show = async (anew = true): Promise<void> => {
    clearTimeout(waiting)
    const slow = setTimeout(() => (strip.told.textContent = sort === undefined ? "Looking…" : "Sorting…"), 150)
    const next = await worker.view({ header: header === true, text: strip.field.value, filters: grid.header.filters(), sort })
    clearTimeout(slow)
    if (next === undefined) return
    counts = next
    grid.setSort(sort, first())
    grid.setCount(counts.count, anew)
    tell()
    if (isFiltered()) say(strip.told.textContent ?? "")
    changed.tell()
  }
  const sortBy = (column: number): void => {
    sort = sort?.column !== column ? { column, down: false } : sort.down ? undefined : { column, down: true }
    const title = grid.columns.all[column]!.name
    void show().then(() => say(sort === undefined ? "Rows as in the file" : `Sorted by ${title}, ${sort.down ? "descending" : "ascending"}`))
  }

  const open = async ({ column, row }: Spot): Promise<void> => {
    const text = await worker.whole(row, column)
    showWhole(grid.columns.all[column]!.name, text, (all, told) => void clip((words) => (say(words), told(words)), all, "Copied the cell"))
  }
  const copy = (): void => {
    const picked = grid.picked()
    if (picked === undefined) return tellAll("Pick a cell first. With Shift, another one picks all between them.")
    if (picked.active.row === -1) return void clip(tellAll, grid.columns.all[picked.active.column]!.name, "Copied the name")
    const { bottom, left, right, top } = areaOf(picked)
    const words = bottom - top === 1 && right - left === 1 ? "Copied the cell" : `Copied ${(bottom - top).toLocaleString()} ${bottom - top === 1 ? "row" : "rows"}`
    void clip(tellAll, worker.tsv(top, bottom, left, right).catch(refuse("That is too much to copy at once. Pick fewer rows, or download the file.")), words)
  }
  grid.element.addEventListener("keydown", (event) => {
    if (!isCommand(event, "c") || event.target !== grid.element) return
    event.preventDefault()
    copy()
  })

  const fields = tool({ icon: "filter", label: "Filter columns", key: "f", pressed: false, run: () => toggleFields() })
  const setFields = (on: boolean): void => {
    grid.header.fields(on)
    fields.setAttribute("aria-pressed", String(on))
  }
  const toggleFields = (): void => {
    const on = !grid.header.hasFields()
    setFields(on)
    if (!on && grid.header.filters().length > 0) {
      grid.header.unfilter()
      void show()
    }
    grid.rows.draw()
    if (on) grid.header.element.querySelector("input")?.focus()
    else grid.element.focus()
  }
  const names = tool({ icon: "names", label: "First row is names", key: "h", pressed: true, run: () => toggleHeader() })
  const toggleHeader = (): void => {
    header = header !== true
    names.setAttribute("aria-pressed", String(header))
    grid.pick(undefined)
    void show()
  }
  strip.buttons.append(fields, names, tool({ icon: "copy", label: "Copy what is picked", key: "Ctrl+C", run: copy }))

  strip.field.addEventListener("input", () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => void show(), QUIET_MS)
  })
  strip.field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && strip.field.value !== "") {
      strip.field.value = ""
      void show()
    } else if (event.key !== "Enter" && event.key !== "ArrowDown" && event.key !== "Escape") return
    event.preventDefault()
    grid.element.focus()
    if (grid.picked() === undefined && counts.count > 0) grid.pick({ row: 0, column: 0 })
  })

  const unfilter = async (): Promise<boolean> => {
    if (!isFiltered()) return false
    strip.field.value = ""
    grid.header.unfilter()
    await show()
    return true
  }
  /** Unless the reader already looks at something else. */
  const lookAgain = (): void => {
    const before = isFiltered() || sort !== undefined ? undefined : lookedBefore(grid.columns.all)
    if (before === undefined) return
    strip.field.value = before.text
    sort = before.sort
    for (const [column, typed] of before.filters) grid.header.filter(column, typed)
    if (before.filters.length > 0) setFields(true)
  }

  const { capture, find, follow, rectOf, rowOf } = tableAnchors({
    grid, worker, layout, changed,
    unfilter: async () => {
      const isShown = await unfilter()
      if (isShown) say("The filter was cleared to show that row")
      return isShown
    },
    arrived: arrived.promise, first,
    counts: () => counts,
    hasHeader: () => found
  })
  addEventListener("hashchange", follow)

  const element = made("div", "pane", {}, strip.element, grid.element, none)
  printsRows(element, () => counts.count, async () =>
    printed(grid.columns, await worker.rows(0, Math.min(counts.count, ROWS), 0, Math.min(grid.columns.all.length, COLUMNS)), first()))

  return {
    element, coming: strip.coming, buttons: strip.buttons, find, capture,
    hint: "Pick a cell to comment on it, or write below.",
    onCapture: captured.add,
    onLayout: layout.add,
    scrolled: () => grid.element.scrollTop,
    facts: (facts) => {
      if (header === undefined) {
        found = header = facts.header
        names.setAttribute("aria-pressed", String(header))
        grid.setSort(undefined, first())
      }
      grid.setColumns(facts.columns)
    },
    grown: (total) => {
      // While filtered or sorted, rows that arrive join the view only at the end.
      const plain = !isFiltered() && sort === undefined
      counts = { count: plain ? total : counts.count, total }
      if (plain) grid.setCount(total, false)
      tell()
    },
    first: () => grid.cells.first(),
    complete: async () => {
      lookAgain()
      // Reloaded before that, it keeps what was kept already.
      keepLooked(() => ({ text: strip.field.value, sort, filters: grid.header.filters() }), () => grid.columns.all)
      // Rows in file order have not moved: nothing has to be read again.
      await show(isFiltered() || sort !== undefined)
      arrived.resolve({ whole: true })
      follow()
    },
    ended: () => arrived.resolve({ whole: false }),
    keys: [
      { keys: ["/"], label: "Filter rows", run: () => strip.field.focus() },
      { keys: ["f"], label: "Filter columns", run: toggleFields },
      { keys: ["h"], label: "The first row is names, or not", run: toggleHeader },
      { keys: ["Enter"], label: "Show the whole cell", run: () => grid.element.focus() },
      { keys: ["s"], label: "Sort by this column", run: () => grid.element.focus() },
      { keys: ["+", "-"], label: "Make this column wider, narrower", run: () => grid.element.focus() }
    ]
  }
}
