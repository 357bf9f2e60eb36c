/** Whether a stream of bytes is UTF-8: checked chunk by chunk, and only until it is known not to be. */
import { isAscii, isUtf8 } from "node:buffer"

const SAMPLE_BYTES = 512
const NOTHING: Uint8Array = Buffer.alloc(0)

/** The length of the character that begins with this byte; 1 if none does. */
const lengthOf = (lead: number): number => lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1

/** Where the character begins that is cut off at the end, or the end if none is. */
const cutAt = (bytes: Uint8Array): number => {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 3); at--) {
    if (bytes[at]! >= 0xc0) return at + lengthOf(bytes[at]!) > bytes.length ? at : bytes.length
    if (bytes[at]! < 0x80) break
  }
  return bytes.length
}

/** Bisecting is faster than looking at each byte. */
const firstBeyondAscii = (bytes: Uint8Array): number => {
  let [from, to] = [0, bytes.length]
  while (to - from > 1) {
    const middle = (from + to) >>> 1
    if (isAscii(bytes.subarray(from, middle))) from = middle
    else to = middle
  }
  return from
}

export class Utf8Watch {
  /** The first bytes, starting with the first one beyond ASCII. */
  beyondAscii = NOTHING
  #utf8 = true
  /** The beginning of a character that continues in the next chunk. */
  #cut = NOTHING

  push(chunk: Uint8Array): void {
    const missing = SAMPLE_BYTES - this.beyondAscii.length
    if (missing === SAMPLE_BYTES) {
      if (isAscii(chunk)) return
      const from = firstBeyondAscii(chunk)
      this.beyondAscii = Buffer.from(chunk.subarray(from, from + SAMPLE_BYTES))
    } else if (missing > 0) this.beyondAscii = Buffer.concat([this.beyondAscii, chunk.subarray(0, missing)])
    if (this.#utf8) this.#utf8 = this.#goesOn(chunk)
  }

  #goesOn(chunk: Uint8Array): boolean {
    const rest = this.#cut.length === 0 ? 0 : lengthOf(this.#cut[0]!) - this.#cut.length
    const whole = rest === 0 ? NOTHING : Buffer.concat([this.#cut, chunk.subarray(0, rest)])
    if (chunk.length < rest) {
      this.#cut = whole
      return true
    }
    const end = Math.max(rest, cutAt(chunk))
    this.#cut = end === chunk.length ? NOTHING : Buffer.from(chunk.subarray(end))
    return isUtf8(whole) && isUtf8(chunk.subarray(rest, end))
  }

  /** Whether everything so far is UTF-8. A character cut off at the end is accepted, unless no other is beyond ASCII. */
  get utf8(): boolean {
    return this.#utf8 && (this.#cut.length === 0 || this.beyondAscii.length > this.#cut.length)
  }
}
