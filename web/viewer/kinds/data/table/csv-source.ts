/** Delimited text as records: its bytes as they came, and where rows begin. Cells become strings only while somebody looks. */
import { dialectOf, rowAt } from "../../../../../src/domain/projects/documents/delimited.ts"
import type { Dialect } from "../../../../../src/domain/projects/documents/delimited.ts"
import { Bytes } from "../ranges.ts"
import type { Source } from "./source.ts"
import { Splitter } from "./splitter.ts"

/** As much as the server looks at: of a table of thousands of columns, less is not even their names. */
const SNIFFED = 256 * 1024
/** Bytes decoded as one string and then split. */
const BLOCK = 128 * 1024

export class CsvSource implements Source {
  readonly #bytes: Bytes
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  #splitter: Splitter | undefined
  #dialect: Dialect = { delimiter: ",", start: 0, header: false }

  constructor(expected: number) {
    this.#bytes = new Bytes(expected)
  }

  get dialect(): Dialect {
    return this.#dialect
  }

  append(part: Uint8Array): void {
    const from = this.#bytes.length
    this.#bytes.append(part)
    if (this.#splitter === undefined) {
      this.#dialect = dialectOf(this.#text(0, Math.min(SNIFFED, this.#bytes.length)))
      this.#splitter = new Splitter(this.#dialect.delimiter, this.#dialect.start)
    }
    this.#splitter.push(this.#bytes.data, Math.max(from, this.#dialect.start), this.#bytes.length)
  }

  /** True where a quote was never closed. */
  end(): boolean {
    return this.#splitter?.end(this.#bytes.length) ?? false
  }

  #text(start: number, end: number): string {
    return this.#decoder.decode(this.#bytes.data.subarray(start, end))
  }

  #start(record: number): number {
    return record < this.count() || !this.#splitter!.ended ? this.#splitter!.starts[record]! : this.#bytes.length
  }

  count = (): number => this.#splitter?.rows ?? 0
  width = (): number => this.#splitter?.width ?? 0

  row = (record: number): ReadonlyArray<string> => rowAt(this.#text(this.#start(record), this.#start(record + 1)), 0, this.#dialect.delimiter)[0]

  each: Source["each"] = (from, to, visit, needle) => {
    // A quote in a cell is written differently in the file, so the raw text cannot be searched for it.
    const wanted = needle === undefined || needle.includes("\"") ? undefined : needle
    for (let record = from; record < to;) {
      const start = this.#start(record)
      let end = record + 1
      while (end < to && this.#start(end + 1) - start <= BLOCK) end++
      const text = this.#text(start, this.#start(end))
      if (wanted !== undefined && !text.toLowerCase().includes(wanted)) record = end
      for (let at = 0; record < end; record++) {
        const [cells, next] = rowAt(text, at, this.#dialect.delimiter)
        visit(record, cells)
        at = next
      }
    }
  }
}
