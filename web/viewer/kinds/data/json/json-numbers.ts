/**
 * Numbers that JavaScript would print with other digits than the file has: 19.90, 1e400, a 19-digit id. They are kept
 * as texts behind a mark. Not by a reviver: it takes ten times as long, and fails on deeply nested lists. Pure.
 */

/** A noncharacter, which Unicode reserves for use inside programs. */
const MARK = "\uFDD0"
const [QUOTE, ESCAPE, FEED, PLUS, MINUS, POINT, ZERO, NINE, COLON, E, SMALL_E] = [34, 92, 10, 43, 45, 46, 48, 57, 58, 69, 101]
/** A number of at most this many characters has no more digits than a double holds. */
const HELD = 15
/** Numbers that begin with this many zeros are printed with an exponent. */
const NOUGHTS = 7
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The digits of a marked number; undefined for anything else. */
export const digitsOf = (value: unknown): string | undefined => typeof value === "string" && value.startsWith(MARK) ? value.slice(1) : undefined

/** JSON serialised from values, with marked numbers as the file has them. */
export const inDigits = (json: string): string => json.replaceAll(/"\uFDD0([^"]*)"/g, "$1")

/** Looks for such numbers while the file arrives, so that files without any are read at full speed. */
export class NumberWatch {
  found = false
  #inText = false
  #escaped = false
  #first = 0
  #length = 0
  /** Trailing zeros of the current number. */
  #noughts = 0
  #point = false

  push(bytes: Uint8Array): void {
    if (this.found) return
    const end = bytes.length
    let [inText, escaped, length, noughts, byte] = [this.#inText, this.#escaped, this.#length, this.#noughts, 0]
    for (let at = 0; at < end; at++) {
      if (inText) {
        if (escaped) {
          escaped = false
          continue
        }
        while (at < end && (byte = bytes[at]!) !== QUOTE && byte !== ESCAPE && byte !== FEED) at++
        escaped = at < end && byte === ESCAPE
        inText = at === end || escaped
        continue
      }
      byte = bytes[at]!
      if (byte === QUOTE) inText = true
      if (length === 0) {
        if (byte !== MINUS && (byte < ZERO || byte > NINE)) continue
        this.#first = byte
        length = 1
        noughts = 0
      } else if (byte <= NINE && (byte >= ZERO || byte === MINUS)) length++
      else if (byte === POINT) {
        this.#point = true
        length++
        continue
      } else if (byte === E || byte === SMALL_E) {
        this.found = true
        return
      } else {
        this.#length = length
        this.#noughts = noughts
        if (this.end()) return
        this.#point = false
        length = 0
        continue
      }
      if (byte !== ZERO) noughts = 0
      else if (++noughts === NOUGHTS && this.#point) {
        this.found = true
        return
      }
    }
    this.#inText = inText
    this.#escaped = escaped
    this.#length = length
    this.#noughts = noughts
  }

  /** Checks the last number. */
  end(): boolean {
    const lost = this.#noughts > 0 && (this.#point || (this.#first === MINUS && this.#length === 2))
    return this.found ||= this.#length > HELD || (this.#length > 0 && lost)
  }
}

const isSign = (unit: number): boolean =>
  (unit >= ZERO && unit <= NINE) || unit === POINT || unit === MINUS || unit === PLUS || unit === E || unit === SMALL_E

const isName = (text: string, end: number): boolean => {
  let at = end
  while (text.charCodeAt(at) <= 32) at++
  return text.charCodeAt(at) === COLON
}

/** The JSON with such numbers as marked texts; invalid JSON stays invalid. */
export const marked = (text: string): string => {
  const parts: Array<string> = []
  let done = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (inText) {
      if (unit === ESCAPE) at++
      else if (unit === QUOTE || unit === FEED) inText = false
    } else if (unit === QUOTE) inText = true
    else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      const start = at
      while (isSign(text.charCodeAt(at + 1))) at++
      const end = at + 1
      const digits = text.slice(start, end)
      // The common case.
      if (digits.length <= HELD && text.charCodeAt(at) !== ZERO && !/e|^-?0\.0{6}/i.test(digits)) continue
      if (!NUMBER.test(digits) || String(Number(digits)) === digits || isName(text, end)) continue
      parts.push(text.slice(done, start), `"${MARK}${digits}"`)
      done = end
    }
  }
  if (parts.length === 0) return text
  parts.push(text.slice(done))
  return parts.join("")
}
