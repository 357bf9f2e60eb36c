/** A row of the grid: its number, and the cells of the columns that the window shows. */
import type { CellBlocks } from "./cells.ts"
import type { Columns } from "./columns.ts"
import { made, mark, say, saySigned } from "../dom.ts"
import { areaOf } from "./selection.ts"
import type { Picked, Spot } from "./selection.ts"

const BREAKS = /\r\n?|\n/g

export interface Shown {
  readonly columns: Columns
  readonly cells: CellBlocks
  /** First column and end (exclusive). */
  readonly window: readonly [number, number]
  /** The record that is number 1. */
  readonly first: number
  readonly picked: Picked | undefined
  readonly pointed: Spot | undefined
}

/** The id of a cell's element; row -1 is the header. */
export const idOf = ({ column, row }: Spot): string => row === -1 ? `title-${column}` : `cell-${row}-${column}`

/** The cell that an element is in. */
export const spotOf = (target: EventTarget | null): Spot | undefined => {
  const [, row, column] = /^cell-(\d+)-(\d+)$/.exec(target instanceof Element ? target.closest(".cell")?.id ?? "" : "") ?? []
  return row === undefined ? undefined : { row: Number(row), column: Number(column) }
}

export const makeRow = (): HTMLElement =>
  made("div", "row", { role: "row" }, made("div", "ordinal", { role: "rowheader", "aria-colindex": "1" }))

/** A row's element is used again for others. */
export const fillRow = (row: HTMLElement, index: number, { cells, columns, first, picked, pointed, window: [from, to] }: Shown): void => {
  mark(row, "aria-rowindex", String(index + 2))
  const record = cells.record(index, from)
  const number = row.firstElementChild as HTMLElement
  say(number, record === undefined ? "" : (record - first + 1).toLocaleString())
  while (row.childElementCount - 1 > to - from) row.lastElementChild!.remove()
  const area = picked === undefined || picked.active.row < 0 ? undefined : areaOf(picked)
  const inRows = area !== undefined && index >= area.top && index < area.bottom
  const many = area !== undefined && (area.bottom - area.top > 1 || area.right - area.left > 1)
  for (let column = from; column < to; column++) {
    const cell = (row.children[column - from + 1] ?? row.appendChild(made("div", "cell", { role: "gridcell" }))) as HTMLElement
    const text = cells.cell(index, column)
    saySigned(cell, text ?? "", BREAKS, () => "↵")
    const active = picked?.active.row === index && picked.active.column === column
    const within = many && inRows && column >= area.left && column < area.right
    const name = `cell ${columns.all[column]!.type}${active ? " active" : ""}${within ? " picked" : ""}${pointed?.row === index && pointed.column === column ? " pointed" : ""}`
    if (cell.className !== name) cell.className = name
    const place = `${columns.left(column)} ${columns.width(column)}`
    if (cell.dataset["place"] !== place) {
      cell.dataset["place"] = place
      cell.style.left = `calc(var(--numbers) + ${columns.left(column)}px)`
      cell.style.width = `${columns.width(column)}px`
    }
    mark(cell, "aria-colindex", String(column + 2))
    mark(cell, "aria-selected", active || within ? "true" : undefined)
    cell.id = idOf({ row: index, column })
  }
}
