/** Reads a zip front to back in large pieces, the next one on its way while the current one is worked on. */
import { damaged } from "./zip-refusal.ts"

const WINDOW = 1024 * 1024

/** A zip's bytes, and how many there are. */
export interface ZipBytes {
  readonly read: (position: number, length: number) => Promise<Buffer>
  readonly length: number
}

export class ZipWindow {
  readonly length: number
  readonly #source: ZipBytes
  #from = 0
  #held: Buffer = Buffer.alloc(0)
  #coming: { readonly from: number; readonly bytes: Promise<Buffer> } | undefined

  constructor(source: ZipBytes) {
    this.#source = source
    this.length = source.length
  }

  /** These bytes, when they are in memory already. */
  held(position: number, length: number): Buffer | undefined {
    const at = position - this.#from
    return at >= 0 && at + length <= this.#held.length ? this.#held.subarray(at, at + length) : undefined
  }

  async read(position: number, length: number): Promise<Buffer> {
    if (!(position >= 0 && position + length <= this.length)) throw damaged()
    const here = this.held(position, length)
    if (here !== undefined) return here
    await this.#move(position, length)
    const there = this.held(position, length)
    if (there === undefined) throw damaged()
    return there
  }

  async #move(position: number, length: number): Promise<void> {
    const end = this.#from + this.#held.length
    const next = this.#coming?.from === end && position >= this.#from && position <= end ? await this.#coming.bytes : undefined
    if (next !== undefined && position + length <= end + next.length) {
      // The rest of the old window is the beginning of an entry that ends in the new one.
      this.#held = Buffer.concat([this.#held.subarray(position - this.#from), next])
    } else this.#held = await this.#source.read(position, Math.min(Math.max(length, WINDOW), this.length - position))
    this.#from = position
    this.#ahead(position + this.#held.length)
  }

  #ahead(from: number): void {
    if (from >= this.length) return
    const bytes = this.#source.read(from, Math.min(WINDOW, this.length - from))
    // Whoever needs these bytes gets the error; if the zip is refused before, nobody does.
    bytes.catch(() => undefined)
    this.#coming = { from, bytes }
  }
}
