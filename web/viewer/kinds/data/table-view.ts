/** Which records a reader sees, and in what order: filters and sorting over a source, a little at a time. */
import { testOf } from "./filters.ts"
import type { Test } from "./filters.ts"
import { numberRanks, sorted, textRanks } from "./order.ts"
import { sampleOf } from "./source.ts"
import type { Query, Source } from "./source.ts"
import { shapeOf, TEXT } from "./values.ts"
import type { Shape } from "./values.ts"

/** Between two turns others are answered. */
const TURN_MS = 25
const STEP = 500

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

export class TableView {
  readonly source: Source
  query: Query = { header: false, text: "", filters: [] }
  shapes: ReadonlyArray<Shape> = []
  /** Undefined: all of them as they come. */
  #order: Uint32Array | undefined
  #latest = 0

  constructor(source: Source) {
    this.source = source
  }

  get first(): number {
    return this.query.header ? 1 : 0
  }
  get total(): number {
    return Math.max(0, this.source.count() - this.first)
  }
  get count(): number {
    return this.#order?.length ?? this.total
  }
  record(index: number): number {
    return this.#order?.[index] ?? index + this.first
  }
  /** -1 where a filter hides it. */
  indexOf(record: number): number {
    return this.#order?.indexOf(record) ?? (record < this.source.count() ? record - this.first : -1)
  }

  learn(): void {
    const rows = sampleOf(this.source, this.first)
    this.shapes = Array.from({ length: this.source.width() }, (_, column) => shapeOf(rows.map((cells) => cells[column] ?? "")))
  }

  /** False where a later one came before this one was done. */
  async set(query: Query): Promise<boolean> {
    const mine = ++this.#latest
    const { filters, header, sort, text } = query
    const needle = text.trim().toLowerCase()
    const tests = filters.flatMap(([column, typed]): Array<readonly [number, Test]> => {
      const test = testOf(typed, this.shapes[column] ?? TEXT)
      return test === undefined ? [] : [[column, test]]
    })
    if (needle === "" && tests.length === 0 && sort === undefined) {
      this.query = query
      this.#order = undefined
      return true
    }
    const first = header ? 1 : 0
    const count = this.source.count()
    const shape = this.shapes[sort?.column ?? 0] ?? TEXT
    const isText = shape.type === "text"
    const records = new Uint32Array(Math.max(0, count - first))
    const keys = new Float64Array(sort === undefined || isText ? 0 : records.length)
    const ids = new Uint32Array(sort !== undefined && isText ? records.length : 0)
    const empty = new Uint8Array(keys.length)
    const texts = new Map<string, number>()
    let kept = 0
    const visit = (record: number, cells: ReadonlyArray<string>): void => {
      if (needle !== "" && !cells.some((cell) => cell.toLowerCase().includes(needle))) return
      for (const [column, test] of tests) if (!test(cells[column] ?? "")) return
      if (sort !== undefined) {
        const cell = cells[sort.column] ?? ""
        if (isText) {
          const id = texts.get(cell) ?? texts.size
          if (id === texts.size) texts.set(cell, id)
          ids[kept] = id
        } else {
          keys[kept] = shape.keyOf(cell)
          empty[kept] = cell.trim() === "" ? 1 : 0
        }
      }
      records[kept++] = record
    }
    let since = performance.now()
    for (let at = first; at < count; at += STEP) {
      this.source.each(at, Math.min(count, at + STEP), visit, needle === "" ? undefined : needle)
      if (performance.now() - since < TURN_MS) continue
      await turn()
      if (mine !== this.#latest) return false
      since = performance.now()
    }
    const found = records.slice(0, kept)
    this.#order = sort === undefined ? found : sorted(
      found,
      isText ? textRanks(ids.subarray(0, kept), [...texts.keys()]) : numberRanks(keys.slice(0, kept), (at) => empty[at] === 1),
      sort.down
    )
    this.query = query
    return true
  }

  /** Where a cell is now that said this when it was that record's: there, else nearest to there, else the record itself. */
  locate(record: number, column: number, quote: string | undefined): number {
    const says = (one: number): boolean => one >= this.first && one < this.source.count() && (this.source.row(one)[column] ?? "").startsWith(quote!)
    if (quote === undefined || quote === "" || column < 0 || says(record)) return record
    let best = -1
    this.source.each(this.first, this.source.count(), (one, cells) => {
      if ((cells[column] ?? "").startsWith(quote) && (best === -1 || Math.abs(one - record) < Math.abs(best - record))) best = one
    }, quote.toLowerCase())
    return best === -1 ? record : best
  }
}
