/** Writes one body into a spool, and in the end knows its hash, head and length, and whether it is UTF-8. */
import { createHash, hash } from "node:crypto"
import { HEAD_BYTES } from "../../domain/ports/packs.ts"
import type { Body } from "../../domain/ports/packs.ts"
import type { Spool } from "./spool.ts"
import { Utf8Watch } from "./utf8-watch.ts"

export class BodyWriter {
  length = 0
  readonly #spool: Spool
  readonly #offset: number
  readonly #hash = createHash("sha256")
  readonly #watch = new Utf8Watch()
  #head: Uint8Array = Buffer.alloc(0)

  /** `base`: the offset at which the spool begins in the draft. */
  constructor(spool: Spool, base: number) {
    this.#spool = spool
    this.#offset = base + spool.size
  }

  write(chunk: Uint8Array, owned = false): Promise<void> | undefined {
    this.#hash.update(chunk)
    this.#watch.push(chunk)
    this.length += chunk.length
    if (this.#head.length < HEAD_BYTES) this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES - this.#head.length)])
    return this.#spool.write(chunk, owned)
  }

  end(): Body {
    const { beyondAscii, utf8 } = this.#watch
    return { offset: this.#offset, length: this.length, hash: this.#hash.digest("hex"), head: this.#head, utf8, beyondAscii }
  }
}

/** A body that is in memory as a whole: hashed in one call, which saves most of the work for small bodies. */
export const writeWhole = async (spool: Spool, base: number, bytes: Uint8Array): Promise<Body> => {
  const offset = base + spool.size
  const watch = new Utf8Watch()
  watch.push(bytes)
  const { beyondAscii, utf8 } = watch
  await spool.write(bytes)
  return { offset, length: bytes.length, hash: hash("sha256", bytes, "hex"), head: Buffer.from(bytes.subarray(0, HEAD_BYTES)), utf8, beyondAscii }
}
