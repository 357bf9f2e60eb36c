/** Which records a reader sees, and in what order: filters and sorts a source in small steps. */
import type { Quoted } from "../../../text-anchor.ts"
import { FEW, likeness } from "./beside.ts"
import { testOf } from "./filters.ts"
import type { Test } from "./filters.ts"
import { numberRanks, sorted, textRanks } from "./order.ts"
import { sampleOf, SHOWN } from "./source.ts"
import type { Query, Source } from "./source.ts"
import { shapeOf, TEXT } from "./values.ts"
import type { Shape } from "./values.ts"

/** After this long, other messages are answered. */
const TURN_MS = 25
const STEP = 500

/** The page has only the beginning of a long cell, so a quote of that length may be one. */
const isSaid = (quote: string, cell = ""): boolean => cell === quote || (quote.length >= SHOWN && cell.startsWith(quote))

/** An anchor written by hand may quote only a few words of the cell. */
const mentions = (quote: string, cell = ""): boolean => /\p{L}/u.test(quote) && cell.includes(quote)

/** A part of a row, as a file or a person writes it, with its cells one by one. */
const asCells = (quote: string): ReadonlyArray<string> =>
  ["\t", ",", ";", "|"].map((sign) => quote.split(sign).map((cell) => cell.trim()).join("\t").replace(/^\t+|\t+$/g, "")).filter((cells) => cells.includes("\t"))

export interface Cell {
  readonly record: number
  readonly column: number
}

/** Lets other messages be answered. */
export const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

export class TableView {
  readonly source: Source
  query: Query = { header: false, text: "", filters: [] }
  shapes: ReadonlyArray<Shape> = []
  /** Undefined: all records in the order of the file. */
  #order: Uint32Array | undefined
  #latest = 0
  /** Lost places are asked for again and again, and the records do not change. */
  readonly #located = new Map<string, number>()
  readonly #sought = new Map<string, Cell | undefined>()

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

  /** False where a later query came before this one was done. */
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

  /** Where the cell of that record is now, by what it said: in the row most like its own, the nearest among equals. -1 where it is nowhere. */
  locate(record: number, column: number, quoted: Quoted | undefined): number {
    if (quoted === undefined || quoted.quote === "" || column < 0) return record
    const key = JSON.stringify([this.first, this.source.count(), record, column, quoted])
    const before = this.#located.get(key)
    const found = before ?? this.#locate(record, column, quoted)
    if (before === undefined) this.#located.set(key, found)
    return found
  }

  /**
   * The cell that is meant where an anchor written by hand lacks its row or its column, or has another one: in that row if it is there, or else the
   * nearest. First one that says the quote, then one that has it among other words, at last the first cell of several that are quoted as one.
   */
  seek(record: number | undefined, column: number | undefined, { quote }: Quoted): Cell | undefined {
    if (quote.trim() === "") return undefined
    const key = JSON.stringify([this.first, this.source.count(), record ?? null, column ?? null, quote])
    if (!this.#sought.has(key)) this.#sought.set(key, this.#seek(record, column, quote))
    return this.#sought.get(key)
  }

  #seek(record: number | undefined, column: number | undefined, quote: string): Cell | undefined {
    const wanted = quote.trim()
    const joined = asCells(wanted)
    const among = (cells: ReadonlyArray<string>, holds: (cell: string) => boolean): number =>
      column === undefined ? cells.findIndex(holds) : holds(cells[column] ?? "") ? column : -1
    const says = (cells: ReadonlyArray<string>): number => among(cells, (cell) => cell.trim() === wanted || isSaid(quote, cell))
    const has = (cells: ReadonlyArray<string>): number => among(cells, (cell) => mentions(wanted, cell))
    const spans = (one: string) => (cells: ReadonlyArray<string>): number => {
      const row = `\t${cells.map((cell) => cell.trim()).join("\t")}\t`
      const at = row.indexOf(`\t${one}\t`)
      return at === -1 ? -1 : row.slice(0, at).split("\t").length - 1
    }
    const own = record !== undefined && record >= this.first && record < this.source.count() ? this.source.row(record) : []
    for (const look of [says, has, ...joined.map(spans)]) {
      const at = look(own)
      if (at !== -1) return { record: record!, column: at }
    }
    const anywhere = (look: (cells: ReadonlyArray<string>) => number, words: string): Cell | undefined => {
      let found: Cell | undefined
      this.source.each(this.first, this.source.count(), (one, cells) => {
        if (found !== undefined && Math.abs(one - (record ?? 0)) >= Math.abs(found.record - (record ?? 0))) return
        const at = look(cells)
        if (at !== -1) found = { record: one, column: at }
      }, words.toLowerCase())
      return found
    }
    const longest = (one: string): string => one.split("\t").reduce((most, cell) => cell.length > most.length ? cell : most)
    return anywhere(says, wanted) ?? anywhere(has, wanted) ?? joined.reduce<Cell | undefined>((found, one) => found ?? anywhere(spans(one), longest(one)), undefined)
  }

  /** Of several columns with one name, the one that says the quoted text among the same cells. */
  likeliest(record: number, columns: ReadonlyArray<number>, quoted: Quoted): number {
    const own = record >= 0 && record < this.source.count() ? this.source.row(record) : []
    const fitting = columns.filter((column) => isSaid(quoted.quote, own[column]))
    return fitting.toSorted((one, other) => likeness(own, other, quoted).alike - likeness(own, one, quoted).alike)[0] ?? columns[0]!
  }

  #locate(record: number, column: number, quoted: Quoted): number {
    const { quote } = quoted
    const own = record >= this.first && record < this.source.count() ? this.source.row(record) : undefined
    const says = (cell?: string): boolean => isSaid(quote, cell)
    const alike = (cells: ReadonlyArray<string>): number => likeness(cells, column, quoted).alike
    const { whole } = likeness([], column, quoted)
    const isThere = own !== undefined && alike(own) === whole
    if (isThere && says(own[column])) return record
    const stays = isThere && mentions(quote, own[column]) ? record : -1
    let saying = 0
    let best: { readonly record: number; readonly alike: number; readonly isOne: boolean } | undefined
    this.source.each(this.first, this.source.count(), (one, cells) => {
      if (!says(cells[column])) return
      saying++
      const now = alike(cells)
      const closer = best !== undefined && now === best.alike && Math.abs(one - record) < Math.abs(best.record - record)
      if (best === undefined || now > best.alike) best = { record: one, alike: now, isOne: true }
      else if (now === best.alike) best = { record: closer ? one : best.record, alike: now, isOne: false }
    }, quote.toLowerCase())
    // A row like its own is where it was, but for this cell: it has changed, unless one other row says all of it, and few say the quote.
    if (isThere && whole > 0) return best?.alike === whole && best.isOne && saying <= FEW ? best.record : stays
    return best !== undefined && this.#isOwn(best, whole, alike) ? best.record : stays
  }

  /** At least half of the row's other cells are there still, and other rows do not have as many of them: a currency or a state is in most. */
  #isOwn(best: { readonly record: number; readonly alike: number }, whole: number, alike: (cells: ReadonlyArray<string>) => number): boolean {
    if (best.alike === whole) return true
    return best.alike * 2 >= whole && sampleOf(this.source, this.first).filter((cells) => alike(cells) >= best.alike).length <= 1
  }
}
