/** Rows of cells, from any format: what the worker makes a table of. */

export interface Source {
  /** Records that have arrived so far. */
  readonly count: () => number
  readonly width: () => number
  readonly row: (record: number) => ReadonlyArray<string>
  /** In order. With a needle, records that cannot contain it may be skipped. */
  readonly each: (from: number, to: number, visit: (record: number, cells: ReadonlyArray<string>) => void, needle?: string) => void
}

/** What the reader wants to see. Columns are given by their index. */
export interface Query {
  readonly header: boolean
  readonly text: string
  readonly filters: ReadonlyArray<readonly [column: number, typed: string]>
  readonly sort?: { readonly column: number; readonly down: boolean } | undefined
}

/** Records of a sample: so many, fewer of very wide tables, whose cells are as many as somebody waits for. */
const [SAMPLE, LEAST, CELLS] = [1_000, 20, 250_000]

/** A sample of records from all over the file. */
export const sampleOf = (source: Source, from: number): ReadonlyArray<ReadonlyArray<string>> => {
  const count = source.count() - from
  const most = Math.min(SAMPLE, Math.max(LEAST, Math.floor(CELLS / source.width())))
  const step = Math.max(1, count / most)
  return Array.from({ length: Math.min(most, Math.max(0, count)) }, (_, at) => source.row(from + Math.floor(at * step)))
}

/** Characters of a cell or value, where many are shown. */
export const SHOWN = 300

export const shown = (cell = ""): string => cell.length > SHOWN ? `${cell.slice(0, SHOWN).toWellFormed()}…` : cell
