/** Column widths, and which columns a window shows. */
import type { Column } from "../protocol.ts"
import { widthOf } from "./widths.ts"

/** In px at the common text size, like the widths of texts. */
const [NARROWEST, WIDEST, AT_FIRST] = [56, 1600, 340]
/** The same: around a text, behind a name for its signs, and the width to which a name is shown whole. */
const [PADDING, SIGNS, NAME] = [26, 40, 210]

export class Columns {
  /** By how much the reader's text is larger than the common one. */
  readonly #size: number
  all: ReadonlyArray<Column> = []
  /** Widths that the reader chose, by name and place. */
  readonly #chosen = new Map<string, number>()
  #lefts: Array<number> = [0]

  constructor(size: number) {
    this.#size = size
  }

  set(columns: ReadonlyArray<Column>): void {
    this.all = columns
    this.#measure()
  }

  #measure(): void {
    this.#lefts = [0]
    for (const [at, { name, width: text }] of this.all.entries()) {
      const wanted = Math.max(text, widthOf(name, NAME) + SIGNS) + PADDING
      const width = this.#chosen.get(`${at} ${name}`) ?? Math.round(this.#size * Math.min(AT_FIRST, Math.max(NARROWEST, wanted)))
      this.#lefts.push(this.#lefts[at]! + width)
    }
  }

  get total(): number {
    return this.#lefts.at(-1)!
  }
  left(at: number): number {
    return this.#lefts[at]!
  }
  width(at: number): number {
    return this.#lefts[at + 1]! - this.#lefts[at]!
  }
  resize(at: number, width: number): void {
    this.#chosen.set(`${at} ${this.all[at]!.name}`, Math.round(Math.min(this.#size * WIDEST, Math.max(this.#size * NARROWEST, width))))
    this.#measure()
  }
  /** Groups of the columns before `end` that fit beside each other. */
  groups(end: number, room: number): Array<readonly [from: number, to: number]> {
    const groups: Array<readonly [number, number]> = []
    for (let from = 0, to = 1; from < end; from = to++) {
      while (to < end && this.left(to + 1) - this.left(from) <= room) to++
      groups.push([from, to])
    }
    return groups
  }
  /** First column and end (exclusive). */
  between(left: number, right: number): readonly [number, number] {
    let [low, high] = [0, this.all.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#lefts[middle + 1]! <= left) low = middle + 1
      else high = middle
    }
    let end = low
    while (end < this.all.length && this.#lefts[end]! < right) end++
    return [low, end]
  }
}
