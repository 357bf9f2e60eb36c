/** Finds where rows begin in the bytes of delimited text as they arrive. No cell becomes a string here. */

const [QUOTE, FEED, RETURN] = [34, 10, 13]

const [START, PLAIN, QUOTED, CLOSING, RETURNED] = [0, 1, 2, 3, 4]

export class Splitter {
  /** Where each row begins; the last entry is of the row that is still arriving. */
  starts = new Uint32Array(1024)
  #count = 1
  #state = START
  ended = false
  #sign: number
  #fields = 1
  /** Number of cells of the longest row. */
  width = 1

  constructor(delimiter: string, start: number) {
    this.#sign = delimiter.charCodeAt(0)
    this.starts[0] = start
  }

  /** Number of complete rows. */
  get rows(): number {
    return this.ended ? this.#count : this.#count - 1
  }

  #row(next: number): void {
    if (this.#fields > this.width) this.width = this.#fields
    this.#fields = 1
    if (this.#count === this.starts.length) {
      const more = new Uint32Array(this.#count * 2)
      more.set(this.starts)
      this.starts = more
    }
    this.starts[this.#count++] = next
  }

  /** The bytes between `from` and `to` are new. */
  push(bytes: Uint8Array, from: number, to: number): void {
    const sign = this.#sign
    let state = this.#state
    for (let at = from; at < to; at++) {
      if (state === QUOTED) {
        const close = bytes.indexOf(QUOTE, at)
        if (close === -1 || close >= to) break
        at = close
        state = CLOSING
        continue
      }
      const byte = bytes[at]!
      if (state === RETURNED) {
        state = START
        if (byte === FEED) {
          this.starts[this.#count - 1] = at + 1
          continue
        }
      }
      if (byte === sign) {
        this.#fields++
        state = START
      } else if (byte === FEED) {
        this.#row(at + 1)
        state = START
      } else if (byte === RETURN) {
        this.#row(at + 1)
        state = RETURNED
      } else if (byte === QUOTE && (state === START || state === CLOSING)) state = QUOTED
      else state = PLAIN
    }
    this.#state = state
  }

  /** No more bytes follow. True where a quote was never closed. */
  end(length: number): boolean {
    const open = this.#state === QUOTED
    if (this.starts[this.#count - 1] === length) this.#count--
    else this.width = Math.max(this.width, this.#fields)
    this.ended = true
    return open
  }
}
