/** The table at the end of a zip, which names every entry: written while they are, and what is long of it waits on the disk. */

const BLOCK = 64 * 1024
/** In memory at most: more than the table of one version, which needs no disk. */
const HELD = 4 * 1024 * 1024

/** Puts blocks out of memory; they come back as one piece. */
export type PutAside = (blocks: ReadonlyArray<Uint8Array>) => Promise<() => Promise<Uint8Array>>

export class ZipTable {
  readonly #putAside: PutAside
  readonly #aside: Array<() => Promise<Uint8Array>> = []
  #full: Array<Uint8Array> = []
  #block = Buffer.allocUnsafeSlow(BLOCK)
  #used = 0

  constructor(putAside: PutAside) {
    this.#putAside = putAside
  }

  add(piece: Uint8Array | string): void {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece
    for (let taken = 0; taken < bytes.length;) {
      if (this.#used === BLOCK) {
        this.#full.push(this.#block)
        this.#block = Buffer.allocUnsafeSlow(BLOCK)
        this.#used = 0
      }
      const part = bytes.subarray(taken, taken + BLOCK - this.#used)
      this.#block.set(part, this.#used)
      this.#used += part.length
      taken += part.length
    }
  }

  /** Awaited between entries. */
  async makeRoom(): Promise<void> {
    if (this.#full.length * BLOCK < HELD) return
    const full = this.#full
    this.#full = []
    this.#aside.push(await this.#putAside(full))
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (const read of this.#aside) yield await read()
    yield* this.#full
    yield this.#block.subarray(0, this.#used)
  }
}
