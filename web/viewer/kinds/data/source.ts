/** Rows of cells, wherever they come from: what a table is made of in the worker. */

export interface Source {
  /** Records that are there by now. */
  readonly count: () => number
  readonly width: () => number
  readonly row: (record: number) => ReadonlyArray<string>
  /** In order. Where a needle is given, records that cannot contain it may be left out. */
  readonly each: (from: number, to: number, visit: (record: number, cells: ReadonlyArray<string>) => void, needle?: string) => void
}

/** A reader's wish. Columns by their place. */
export interface Query {
  readonly header: boolean
  readonly text: string
  readonly filters: ReadonlyArray<readonly [column: number, typed: string]>
  readonly sort?: { readonly column: number; readonly down: boolean } | undefined
}

const SAMPLE = 1_000

/** Records from all over the file. */
export const sampleOf = (source: Source, from: number): ReadonlyArray<ReadonlyArray<string>> => {
  const count = source.count() - from
  const step = Math.max(1, count / SAMPLE)
  return Array.from({ length: Math.min(SAMPLE, Math.max(0, count)) }, (_, at) => source.row(from + Math.floor(at * step)))
}
