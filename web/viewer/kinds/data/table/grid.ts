/** The grid: a window of cells over a table of any length and width, in which keys and the pointer pick some. */
import { isCommand } from "../../../browser-keys.ts"
import { textSize } from "../../../text-size.ts"
import { Columns } from "./columns.ts"
import { CellBlocks } from "./cells.ts"
import type { Ask } from "./cells.ts"
import { made, mark } from "../dom.ts"
import { makeHeader } from "./header.ts"
import type { Header, Sort } from "./header.ts"
import { takesPageKeys } from "../page-keys.ts"
import { takesPointer } from "./pointer.ts"
import type { Column } from "../protocol.ts"
import { fillRow, idOf, makeRow } from "./row.ts"
import { makeRows } from "../rows.ts"
import type { Rows } from "../rows.ts"
import { moved } from "./selection.ts"
import type { Picked, Spot } from "./selection.ts"

/** In px at the common text size. */
const ROW = 32
const BESIDE = 300

export interface GridOptions {
  readonly label: string
  readonly ask: Ask
  readonly sorted: (column: number) => void
  readonly filtered: () => void
  readonly opened: (spot: Spot) => void
  readonly linked: (row: number) => void
  readonly picked: () => void
  readonly drawn: () => void
}

export interface Grid {
  readonly element: HTMLElement
  readonly header: Header
  readonly columns: Columns
  readonly rows: Rows
  readonly cells: CellBlocks
  readonly setColumns: (columns: ReadonlyArray<Column>) => void
  readonly setCount: (count: number, anew: boolean) => void
  readonly setSort: (sort: Sort | undefined, first: number) => void
  readonly picked: () => Picked | undefined
  readonly pick: (spot: Spot | undefined) => void
  /** Scrolls a cell into the middle without changing the selection, which the reader may be making right now. */
  readonly reveal: (spot: Spot) => void
  /** The element of a cell, where it is shown. */
  readonly cell: (spot: Spot) => HTMLElement | undefined
  readonly pointAt: (spot: Spot | undefined) => void
}

export const makeGrid = ({ ask, drawn, filtered, label, linked, opened, picked: told, sorted }: GridOptions): Grid => {
  const size = textSize()
  const columns = new Columns(size)
  let [count, first, window] = [0, 0, [0, 0] as readonly [number, number]]
  let sort: Sort | undefined
  let picked: Picked | undefined
  let pointed: Spot | undefined

  const element = made("div", "grid", { role: "grid", tabindex: "0", "aria-label": label, "aria-multiselectable": "true" })
  const canvas = made("div", "canvas", { role: "rowgroup" })
  const draw = (): void => rows.draw()
  const cells = new CellBlocks(ask, draw)
  const header = makeHeader({
    columns, filtered, sorted,
    picked: (column) => pick({ row: -1, column }),
    resized: (column, width) => {
      columns.resize(column, width)
      measure()
    }
  })
  element.append(header.element, canvas)

  const measure = (): void => {
    element.style.setProperty("--total", `calc(var(--numbers) + ${columns.total}px)`)
    draw()
  }

  const rows = makeRows({
    scroller: element, canvas, height: ROW * size, head: () => header.element.offsetHeight, foot: 16,
    make: makeRow,
    fill: (row, index) => fillRow(row, index, { columns, cells, window, first, picked, pointed }),
    before: (from, to) => {
      const left = element.scrollLeft
      window = columns.between(left - BESIDE, left + element.clientWidth + BESIDE)
      header.draw(...window, sort, picked?.active.row === -1 ? picked.active.column : undefined)
      if (to > from) cells.want(from, to, ...window)
      queueMicrotask(after)
    }
  })
  const after = (): void => {
    const id = picked && idOf(picked.active)
    mark(element, "aria-activedescendant", id !== undefined && document.getElementById(id) !== null ? id : undefined)
    drawn()
  }

  const across = (column: number): void => {
    const [left, right] = [columns.left(column), columns.left(column + 1)]
    const room = element.clientWidth - header.element.querySelector<HTMLElement>(".ordinal")!.offsetWidth
    if (left < element.scrollLeft) element.scrollLeft = left
    else if (right > element.scrollLeft + room) element.scrollLeft = Math.min(left, right - room)
  }
  const set = (next: Picked | undefined): void => {
    picked = next
    if (next !== undefined) {
      if (next.active.row >= 0) rows.reveal(next.active.row)
      across(next.active.column)
    }
    draw()
    told()
  }
  const pick = (spot: Spot | undefined): void => set(spot && { active: spot, from: spot })

  element.addEventListener("keydown", (event) => {
    if (event.target !== element || event.altKey || columns.all.length === 0) return
    const { ctrlKey, metaKey, shiftKey } = event
    const control = ctrlKey || metaKey
    // Space turns the page, as everywhere else, and takes the active cell along.
    const isSpace = event.key === " "
    const key = isSpace ? shiftKey ? "PageUp" : "PageDown" : event.key
    const shift = shiftKey && !isSpace
    if (isCommand(event, "a")) set(count === 0 ? undefined : { active: { row: 0, column: 0 }, from: { row: count - 1, column: columns.all.length - 1 } })
    else if (picked !== undefined && !control && (key === "s" || (key === "Enter" && picked.active.row === -1))) sorted(picked.active.column)
    else if (picked !== undefined && !control && key === "Enter") opened(picked.active)
    else if (picked !== undefined && !control && (key === "+" || key === "-")) {
      columns.resize(picked.active.column, columns.width(picked.active.column) + (key === "+" ? 24 : -24))
      measure()
    } else {
      const corner = { row: rows.first(), column: columns.between(element.scrollLeft, element.scrollLeft + 1)[0] }
      const at = picked ?? { active: corner, from: corner }
      const next = picked === undefined && key.startsWith("Arrow") ? at : moved(at, { key, shift, control }, count, columns.all.length, rows.page())
      if (next === undefined) return
      if (key === "PageDown" || key === "PageUp") rows.turn(key === "PageDown" ? 1 : -1)
      set(next)
    }
    event.preventDefault()
  })
  takesPageKeys(element)
  takesPointer(element, { columns, linked, opened, set, picked: () => picked })

  return {
    element, header, columns, rows, cells,
    setColumns: (next) => {
      columns.set(next)
      header.clear()
      mark(element, "aria-colcount", String(next.length + 1))
      measure()
    },
    setCount: (next, anew) => {
      if (anew) cells.clear()
      else if (next !== count) cells.grown(count)
      count = next
      mark(element, "aria-rowcount", String(next + 1))
      if (picked !== undefined && picked.active.row >= next) picked = undefined
      element.style.setProperty("--digits", String(Math.max(2, next.toLocaleString().length)))
      rows.set(next)
    },
    setSort: (next, start) => {
      sort = next
      first = start
      draw()
    },
    picked: () => picked,
    pick,
    reveal: ({ column, row }) => {
      if (row >= 0) rows.reveal(row, true)
      across(column)
      draw()
    },
    cell: (spot) => {
      const cell = document.getElementById(idOf(spot))
      return cell?.parentElement?.hidden === false ? cell : undefined
    },
    pointAt: (spot) => {
      pointed = spot
      draw()
    }
  }
}
