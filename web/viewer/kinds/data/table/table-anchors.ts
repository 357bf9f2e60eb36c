/** What a reader points at in a table, by row, column and words, and where that is in the rows shown now; links to rows. */
import type { Listeners } from "../../../listeners.ts"
import type { Anchor, Place, Stage } from "../../../stage.ts"
import { quotedIn } from "../../../text-anchor.ts"
import { besideOf } from "./beside.ts"
import type { Grid } from "./grid.ts"
import type { Counts, DataWorker } from "../protocol.ts"
import type { Spot } from "./selection.ts"

/** Characters of a column's name that the service keeps. */
const TITLE = 200

/** A column's name as comments store it. */
const titleOf = (name: string): string => name.slice(0, TITLE).replace(/[\uD800-\uDBFF]$/, "").toWellFormed().replaceAll("\0", "")

/** -1 for `record`: it is nowhere; for `index` alone: it is not among the rows that show. */
interface Found {
  readonly record: number
  readonly index: number
  readonly column: number
}

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
    const quote = grid.cells.cell(spot.row, spot.column)?.replace(/…$/, "")
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
  /** Where a record is among the rows, or was found to be; clears a filter that hides it. */
  const goTo = async (look: () => Promise<Found>): Promise<Spot | undefined> => {
    let place = await look()
    if (place.index === -1 && place.record !== -1 && await unfilter()) place = await look()
    const spot = spotOf(place.index, place.column)
    if (spot !== undefined) grid.reveal(spot)
    return spot
  }

  /** The columns with that name; where none has it, those with the same in other letters. */
  const columnsNamed = (title: string): ReadonlyArray<number> => {
    const alike = (wanted: string, by: (name: string) => string): ReadonlyArray<number> =>
      grid.columns.all.flatMap(({ name }, at) => by(titleOf(name)) === by(wanted) ? [at] : [])
    const exactly = alike(titleOf(title), (name) => name)
    return exactly.length > 0 ? exactly : alike(titleOf(title), (name) => name.trim().toLowerCase())
  }
  /** How the cell is looked for that an anchor with a row or a quote names; undefined where there is no such place. */
  const looking = ({ column, line, row, ...words }: Anchor): (() => Promise<Found>) | undefined => {
    const title = column || undefined
    const quoted = quotedIn(words)
    const isByHand = quoted !== undefined && quoted.prefix === undefined && quoted.suffix === undefined
    const record = row === undefined ? undefined : recordOf(row)
    const columns = (): ReadonlyArray<number> => title === undefined ? [] : columnsNamed(title)
    const nowhere = (column: number): Found => ({ record: -1, index: -1, column })
    /** Of several columns with one name, the one that says the quote in that row among the same cells; without a quote, the first. */
    const columnIn = async (record: number): Promise<number> => {
      const named = columns()
      return named.length > 1 && quoted !== undefined ? worker.likeliest(record, named, quoted) : named[0] ?? -1
    }
    const seek = async (column: number | undefined): Promise<Found | undefined> =>
      quoted && (await worker.seek(record ?? (line === undefined ? undefined : line - 1), column, quoted) ?? (column === undefined ? undefined : worker.seek(record, undefined, quoted)))
    if (record === undefined) return quoted && (async () => await seek(columns()[0]) ?? nowhere(-1))
    if (title === undefined && isByHand) return async () => await seek(undefined) ?? { ...await worker.locate(record, -1, undefined), column: -1 }
    if (title !== undefined && columns().length === 0 && !isByHand) return undefined
    if (record >= counts().total + first() && quoted === undefined) return undefined
    return async () => {
      const column = await columnIn(record)
      const found = title !== undefined && column === -1 ? nowhere(column) : { ...await worker.locate(record, column, quoted), column }
      return found.record === -1 && isByHand ? await seek(column === -1 ? undefined : column) ?? found : found
    }
  }

  const placed = (spot: () => Spot | undefined, rest: Pick<Place, "focus" | "forget">): Place => ({
    top: () => {
      const at = spot()
      return at?.row === -1 ? grid.cell(at)?.getBoundingClientRect().top : at && grid.rows.top(at.row)
    },
    range: () => {
      const at = spot()
      const cell = at && grid.cell(at)
      const words = at?.row === -1 ? cell?.querySelector(".name") : cell
      if (words == null || words.textContent === "") return undefined
      const range = document.createRange()
      range.selectNodeContents(words)
      return range
    },
    clear: () => grid.pointAt(undefined),
    ...rest
  })

  const find = async (anchor: Anchor): Promise<Place | undefined> => {
    const { column: title, row } = anchor
    const isQuoted = quotedIn(anchor) !== undefined
    if (row === undefined && !isQuoted && !title) return undefined
    const { whole } = await arrived
    /** Among rows that did not arrive, it may be where it was. */
    const gone = (): undefined => {
      if (!whole) throw new Error("not all rows are here")
      return undefined
    }
    if (row === undefined && !isQuoted) {
      const named = (): Spot | undefined => {
        const [column] = columnsNamed(title!)
        return column === undefined ? undefined : { row: -1, column }
      }
      if (named() === undefined) return undefined
      return placed(named, {
        focus: () => {
          const at = named()
          if (at !== undefined) grid.reveal(at)
        }
      })
    }
    const look = looking(anchor)
    if (look === undefined) return gone()
    let spot: Spot | undefined
    const locate = async (): Promise<boolean> => {
      const { column, index, record } = await look()
      if (row === undefined ? record === -1 : record !== recordOf(row)) gone()
      spot = spotOf(index, column)
      layout.tell()
      return record !== -1
    }
    if (!await locate()) return undefined
    return placed(() => spot, {
      focus: () => void goTo(look).then((at) => grid.pointAt(at)),
      forget: changed.add(() => void locate())
    })
  }
  const follow = (): void => {
    const [, row] = /^#row=(\d{1,10})$/.exec(location.hash) ?? []
    if (row === undefined || Number(row) === 0) return
    void goTo(async () => ({ ...await worker.locate(recordOf(Number(row)), -1, undefined), column: -1 })).then((spot) => {
      if (spot !== undefined) grid.pick(spot)
      grid.pointAt(spot)
    })
  }
  return { capture, rectOf, rowOf, find, follow }
}
