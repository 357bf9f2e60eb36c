/**
 * Pictures that a document brings along as base64. They cost the parser nothing but room: it gets a short name in the place of each, and
 * browsers get them from an address of their own. Linear in the document, whatever is in it.
 */

export interface Lifted {
  /** The document without them, in its own encoding. */
  readonly bytes: Uint8Array
  /** How the names of this document begin. None of its own words do: they would have to contain a hash of themselves. */
  readonly mark: string
  /** How many. */
  readonly count: number
}

/** Characters in which every opening has room. */
export const OPENING = 24

const OPENS = "data:image/(?:png|jpeg|gif|webp|avif);base64,"
const OPENS_HERE = new RegExp(`${OPENS}$`)
const GOES_ON = /^[A-Za-z0-9+/=]/

/** Shorter ones stay where they are: a request would cost more. */
const SHORTEST = 4 * 1024
/** Longer ones stay too, and count. */
const LONGEST = 12 * 1024 * 1024

export const isLiftable = (length: number): boolean => length >= SHORTEST && length <= LONGEST

/** Whether a picture stands between two texts. */
export const isBetween = (before: string, after: string): boolean => OPENS_HERE.test(before) && !GOES_ON.test(after)

interface Open {
  readonly from: number
  length: number
  /** Its bytes, until it is known to stay for its length. */
  readonly held: Array<Uint8Array>
}

/** Takes a document piece by piece, so that nobody has to hold all of it. */
export class Lifting {
  readonly #hash: string
  readonly #stays: (from: number) => boolean
  readonly #opens = new RegExp(OPENS, "g")
  readonly #beyond = /[^A-Za-z0-9+/=]/g
  readonly #kept: Array<Uint8Array> = []
  #length = 0
  #count = 0
  /** How many bytes were taken. */
  #taken = 0
  /** The last of them: a picture may be about to open there. */
  #undecided: Uint8Array = new Uint8Array()
  /** The one whose end has not come yet. */
  #picture: Open | undefined

  /** `stays`: whether the picture that begins there is to stay. */
  constructor(hash: string, stays: (from: number) => boolean) {
    this.#hash = hash
    this.#stays = stays
  }

  /** Of what is left of the document so far. */
  get length(): number {
    return this.#length
  }

  take(piece: Uint8Array): void {
    const bytes = this.#undecided.length === 0 ? piece : Buffer.concat([this.#undecided, piece])
    const base = this.#taken - this.#undecided.length
    this.#taken += piece.length
    // A character for every byte, so that places in it are places in the file.
    const text = new TextDecoder("latin1").decode(bytes)
    let at = 0
    for (;;) {
      if (this.#picture !== undefined) {
        at = this.#lift(this.#picture, bytes, text, at)
        if (this.#picture !== undefined) break
      }
      this.#opens.lastIndex = at
      const found = this.#opens.exec(text) !== null
      const to = found ? this.#opens.lastIndex : Math.max(at, text.length - OPENING)
      this.#keep(bytes.subarray(at, to))
      at = to
      if (!found) break
      this.#picture = { from: base + at, length: 0, held: [] }
    }
    this.#undecided = new Uint8Array(bytes.subarray(at))
  }

  /** Once all was taken. */
  lifted(): Lifted {
    if (this.#picture !== undefined) this.#close(this.#picture)
    return { bytes: Buffer.concat([...this.#kept, this.#undecided]), mark: this.#mark, count: this.#count }
  }

  get #mark(): string {
    return `picture-${this.#hash.slice(0, 16)}`
  }

  #keep(bytes: Uint8Array): void {
    // A view would keep all of its piece in memory.
    this.#kept.push(new Uint8Array(bytes))
    this.#length += bytes.length
  }

  /** Goes to where the picture ends, or to the end of the text. */
  #lift(picture: Open, bytes: Uint8Array, text: string, at: number): number {
    this.#beyond.lastIndex = at
    const end = this.#beyond.exec(text)?.index
    const to = end ?? text.length
    picture.held.push(bytes.subarray(at, to))
    picture.length += to - at
    if (end !== undefined) this.#close(picture)
    else if (picture.length > LONGEST) picture.held.splice(0).forEach((part) => this.#keep(part))
    return to
  }

  #close({ from, held, length }: Open): void {
    this.#picture = undefined
    if (!isLiftable(length) || this.#stays(from)) return held.forEach((part) => this.#keep(part))
    this.#keep(new TextEncoder().encode(`${this.#mark}-${from}-${length}`))
    this.#count++
  }
}
