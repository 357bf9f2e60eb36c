/** A cache of cells asked for lately, in blocks; others are requested from the worker as they come near the window. */
import type { Cells } from "../protocol.ts"

const [ROWS, COLUMNS] = [64, 32]
const KEPT = 120
/** At most this many requests at once: dragging the scroll thumb passes more blocks than are worth asking for. */
const ASKED = 6

export type Ask = (from: number, to: number, first: number, last: number) => Promise<Cells>

export class CellBlocks {
  readonly #ask: Ask
  readonly #arrived: () => void
  #blocks = new Map<string, Cells>()
  #asked = new Set<string>()
  /** Blocks cut short while the file was arriving: still true, and shown until the whole block is here. */
  #short = new Map<string, Cells>()
  #age = 0

  constructor(ask: Ask, arrived: () => void) {
    this.#ask = ask
    this.#arrived = arrived
  }

  /** Forgets all cells, which have changed. */
  clear(): void {
    this.#age++
    this.#blocks = new Map()
    this.#short = new Map()
    this.#asked = new Set()
  }

  /** Resolves once the first block is here. */
  async first(): Promise<void> {
    await this.#load(0, 0)
  }

  want(from: number, to: number, first: number, last: number): void {
    for (let row = Math.floor(from / ROWS); row * ROWS < to; row++) {
      for (let column = Math.floor(first / COLUMNS); column * COLUMNS < last; column++) this.#load(row, column)
    }
  }

  #load(row: number, column: number): Promise<void> | undefined {
    const key = `${row} ${column}`
    if (this.#blocks.has(key) || this.#asked.has(key) || this.#asked.size >= ASKED) return undefined
    const age = this.#age
    this.#asked.add(key)
    return this.#ask(row * ROWS, (row + 1) * ROWS, column * COLUMNS, (column + 1) * COLUMNS).then((cells) => {
      if (age !== this.#age) return
      this.#asked.delete(key)
      this.#blocks.set(key, cells)
      this.#short.delete(key)
      if (this.#blocks.size > KEPT) this.#blocks.delete(this.#blocks.keys().next().value!)
      this.#arrived()
    }, () => void (age === this.#age && this.#asked.delete(key)))
  }

  #block(row: number, column: number): Cells | undefined {
    const key = `${Math.floor(row / ROWS)} ${Math.floor(column / COLUMNS)}`
    return this.#blocks.get(key) ?? this.#short.get(key)
  }
  cell(row: number, column: number): string | undefined {
    return this.#block(row, column)?.cells[row % ROWS]?.[column % COLUMNS]
  }
  /** The row's place in the file. */
  record(row: number, column: number): number | undefined {
    return this.#block(row, column)?.records[row % ROWS]
  }

  /** Blocks cut short while the file was still arriving are asked for again. */
  grown(before: number): void {
    const row = Math.floor(before / ROWS)
    for (const [key, block] of this.#blocks) {
      if (Number(key.split(" ")[0]) !== row) continue
      this.#blocks.delete(key)
      this.#short.set(key, block)
    }
  }
}
