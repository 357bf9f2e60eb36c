/** What a reader points at in a table, by row, column and words, and where that is in the rows shown now; links to rows. */
import type { Listeners } from "../../listeners.ts"
import type { Anchor, Place, Stage } from "../../stage.ts"
import { quotedIn } from "../../text-anchor.ts"
import type { Quoted } from "../../text-anchor.ts"
import { besideOf } from "./beside.ts"
import type { Grid } from "./grid.ts"
import type { Counts, DataWorker } from "./protocol.ts"
import type { Spot } from "./selection.ts"

const QUOTE = 1_000
/** Characters of a column's name that the service keeps. */
const TITLE = 200

/** A column's name as comments store it. */
const titleOf = (name: string): string => name.slice(0, TITLE).replace(/[\uD800-\uDBFF]$/, "").toWellFormed().replaceAll("\0", "")

export interface TableAnchorsOptions {
  readonly grid: Grid
  readonly worker: DataWorker
  readonly layout: Listeners<[]>
  /** Tells when other rows are shown, or in another order. */
  readonly changed: Listeners<[]>
  /** Resolves once the whole file is here, or as much of it as will be: only then can places be found. */
  readonly arrived: Promise<{ readonly whole: boolean }>
  readonly counts: () => Counts
  /** The first record that is shown as a row. */
  readonly first: () => number
  /** Whether a header was detected: links and comments count rows by it, whatever the reader makes of the first row. */
  readonly hasHeader: () => boolean
  /** Shows all rows again; false where no filter hides any. */
  readonly unfilter: () => Promise<boolean>
}

export interface TableAnchors extends Pick<Stage, "capture" | "find"> {
  readonly rectOf: () => DOMRect | undefined
  /** The number by which a record is linked, from 1. */
  readonly rowOf: (record: number) => number
  /** Goes to the row that the address names. */
  readonly follow: () => void
}

export const tableAnchors = ({ arrived, changed, counts, first, grid, hasHeader, layout, unfilter, worker }: TableAnchorsOptions): TableAnchors => {
  const rowOf = (record: number): number => record + (hasHeader() ? 0 : 1)
  const recordOf = (row: number): number => row - (hasHeader() ? 0 : 1)

  const capture = (): Anchor | undefined => {
    const spot = grid.picked()?.active
    if (spot === undefined || spot.row < 0) return undefined
    const record = grid.cells.record(spot.row, spot.column)
    if (record === undefined) return undefined
    const quote = grid.cells.cell(spot.row, spot.column)?.replace(/…$/, "").slice(0, QUOTE)
    const about = { path: "/", row: rowOf(record), column: titleOf(grid.columns.all[spot.column]!.name) }
    if (quote === undefined || quote === "") return about
    return { ...about, quote, ...besideOf(spot.column, grid.columns.all.length, (column) => grid.cells.cell(spot.row, column) ?? "") }
  }
  const rectOf = (): DOMRect | undefined => {
    const spot = grid.picked()?.active
    return spot && grid.cell(spot)?.getBoundingClientRect()
  }

  const spotOf = (index: number, column: number): Spot | undefined =>
    index === -1 || index >= counts().count ? undefined : { row: index, column: Math.max(0, column) }
  /** Clears a filter that hides the row. */
  const goTo = async (record: number, column: number, quoted?: Quoted): Promise<Spot | undefined> => {
    let place = await worker.locate(record, column, quoted)
    if (place.index === -1 && await unfilter()) place = await worker.locate(record, column, quoted)
    const spot = spotOf(place.index, column)
    if (spot !== undefined) grid.reveal(spot)
    return spot
  }

  const find = async (anchor: Anchor): Promise<Place | undefined> => {
    const { column: title, row } = anchor
    if (row === undefined) return undefined
    const quoted = quotedIn(anchor)
    const { whole } = await arrived
    /** Among rows that did not arrive, it may be where it was. */
    const gone = (): undefined => {
      if (!whole) throw new Error("not all rows are here")
      return undefined
    }
    const wanted = title === undefined ? undefined : titleOf(title)
    /** Of several columns with one name, the one that says the quote in that row among the same cells; without a quote, the first. */
    const columnOf = async (): Promise<number> => {
      const named = grid.columns.all.flatMap(({ name }, at) => wanted !== undefined && titleOf(name) === wanted ? [at] : [])
      return named.length > 1 && quoted !== undefined ? worker.likeliest(recordOf(row), named, quoted) : named[0] ?? -1
    }
    const isGone = title !== undefined && await columnOf() === -1
    if (isGone || (recordOf(row) >= counts().total + first() && quoted === undefined)) return gone()
    let spot: Spot | undefined
    const locate = async (): Promise<boolean> => {
      const column = await columnOf()
      const { index, record } = await worker.locate(recordOf(row), column, quoted)
      if (record !== recordOf(row)) gone()
      spot = spotOf(index, column)
      layout.tell()
      return record !== -1
    }
    if (!await locate()) return undefined
    return {
      top: () => spot && grid.rows.top(spot.row),
      range: () => {
        const cell = spot && grid.cell(spot)
        if (cell === undefined || cell.textContent === "") return undefined
        const range = document.createRange()
        range.selectNodeContents(cell)
        return range
      },
      focus: () => void columnOf().then((column) => goTo(recordOf(row), column, quoted)).then((at) => grid.pointAt(at)),
      clear: () => grid.pointAt(undefined),
      forget: changed.add(() => void locate())
    }
  }
  const follow = (): void => {
    const [, row] = /^#row=(\d{1,10})$/.exec(location.hash) ?? []
    if (row === undefined || Number(row) === 0) return
    void goTo(recordOf(Number(row)), -1).then((spot) => {
      if (spot !== undefined) grid.pick(spot)
      grid.pointAt(spot)
    })
  }
  return { capture, rectOf, rowOf, find, follow }
}
