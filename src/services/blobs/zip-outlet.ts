/** Reads a zip while it is written, in pieces worth passing on: the writer makes a dozen tiny ones per entry. */
import type { Duplex } from "node:stream"

const BLOCK = 64 * 1024
/** Pieces from this size on are passed on as they are. */
const LARGE = 8 * 1024
/** Beyond this the writer waits for the reader. */
const AHEAD = 512 * 1024

const nothing = Buffer.alloc(0)

export class ZipOutlet implements AsyncIterable<Uint8Array> {
  readonly #zip: Duplex
  readonly #blocks: Array<Uint8Array> = []
  #held = 0
  #block = nothing
  #from = 0
  #to = 0
  #ended = false
  #failure: { readonly error: unknown } | undefined
  #wake: () => void = () => undefined

  constructor(zip: Duplex) {
    this.#zip = zip
    zip.on("data", (chunk: Uint8Array) => this.#take(chunk))
    zip.once("end", () => {
      this.#ended = true
      this.#wake()
    })
    // The reader gets the error; if the reader has left, it must not become an uncaught one.
    zip.on("error", (error: unknown) => {
      this.#failure ??= { error }
      this.#wake()
    })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const over = this.#ended || this.#failure !== undefined
      if (this.#blocks.length === 0 && over) this.#cut()
      const next = this.#blocks.shift()
      if (next !== undefined) {
        this.#held -= next.length
        yield next
      } else if (this.#failure !== undefined) throw this.#failure.error
      else if (over) return
      else {
        if (this.#zip.isPaused()) this.#zip.resume()
        await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    }
  }

  #take(chunk: Uint8Array): void {
    this.#held += chunk.length
    if (chunk.length >= LARGE) {
      this.#cut()
      this.#blocks.push(chunk)
    } else {
      if (this.#to + chunk.length > this.#block.length) {
        this.#cut()
        this.#block = Buffer.allocUnsafeSlow(BLOCK)
        this.#from = this.#to = 0
      }
      this.#block.set(chunk, this.#to)
      this.#to += chunk.length
    }
    if (this.#held >= AHEAD) this.#zip.pause()
    this.#wake()
  }

  #cut(): void {
    if (this.#to > this.#from) this.#blocks.push(this.#block.subarray(this.#from, this.#to))
    this.#from = this.#to
  }
}
