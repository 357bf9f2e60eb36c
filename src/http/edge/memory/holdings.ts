/**
 * The bytes in memory, by content hash: small files whole, large ones in blocks, compressed variants beside them.
 * Misses of one key share one read; a bounded number of reads run at a time.
 */
import { Effect } from "effect"
import type { Asset } from "../../../domain/hosting/model.ts"
import { Packs } from "../../../domain/ports/packs.ts"
import type { Encoding } from "../../contract/negotiation.ts"
import { compress, isQuick } from "./compression.ts"
import { Lanes, Shared } from "./lanes.ts"
import { alone, Memory } from "./memory.ts"

export const BLOCK = 256 * 1024
/** Up to here a file is kept and sent in one piece. */
export const WHOLE = 1024 * 1024

/** What an entry costs beside its bytes. */
const OVERHEAD = 200
const READ_MS = 15_000
/** With this many files waiting to be compressed, the next one is not queued until it is requested again. */
const PRESS_QUEUE = 256
const NOT_WORTH = Buffer.alloc(0)

/** A stretch of a file that is base64. */
export interface Coded {
  readonly file: Asset
  readonly start: number
  readonly length: number
}

/**
 * Bytes of a pack, and a tail that we append; `length` counts both, and `hash` differs from that of the bare bytes. Or the bytes that
 * `coded` stands for, which are decoded as they are read; or those that we made of them, which are at hand.
 */
export interface Body extends Asset {
  readonly tail?: Buffer
  readonly coded?: Coded
  readonly made?: Buffer
}

export type Variant = Exclude<Encoding, "identity">

export class Holdings {
  readonly #memory: Memory<Buffer>
  readonly #reads = new Shared<Buffer>()
  readonly #presses = new Shared<Buffer>()
  readonly #readLanes = new Lanes(32)
  readonly #pressLanes = new Lanes(2)
  readonly #slice: (pack: string, offset: number, length: number) => Promise<Uint8Array>
  readonly #troubled: (cause: unknown) => void

  constructor(options: {
    readonly bytes: number
    readonly slice: (pack: string, offset: number, length: number) => Promise<Uint8Array>
    /** Called with failures that nobody waits for. */
    readonly troubled: (cause: unknown) => void
  }) {
    this.#memory = new Memory(options.bytes)
    this.#slice = options.slice
    this.#troubled = options.troubled
  }

  held(asset: Body): Buffer | undefined {
    return this.#memory.get(asset.hash)
  }

  heldBlock(asset: Body, index: number): Buffer | undefined {
    return this.#memory.get(`${asset.hash}@${index}`)
  }

  whole(asset: Body): Promise<Buffer> {
    return this.#read(asset.hash, asset, 0, asset.length)
  }

  block(asset: Body, index: number): Promise<Buffer> {
    const start = index * BLOCK
    return this.#read(`${asset.hash}@${index}`, asset, start, Math.min(BLOCK, asset.length - start))
  }

  /** `end` is exclusive. */
  async part(asset: Body, start: number, end: number): Promise<Buffer> {
    if (asset.length <= WHOLE) return (await this.whole(asset)).subarray(start, end)
    const first = Math.floor(start / BLOCK)
    const blocks = Array.from({ length: Math.ceil(end / BLOCK) - first }, (_, index) => this.block(asset, first + index))
    return Buffer.concat(await Promise.all(blocks)).subarray(start - first * BLOCK, end - first * BLOCK)
  }

  /** A few bytes, kept alone: not the block that they are in. */
  few(asset: Asset, start: number, end: number): Promise<Buffer> {
    return this.#read(`${asset.hash}:${start}-${end}`, asset, start, end - start)
  }

  /** Its beginning: as much as one read takes. */
  beginning(asset: Body): Promise<Buffer> {
    return asset.length <= WHOLE ? this.whole(asset) : this.block(asset, 0)
  }

  /** A compressed variant: in memory, known to be not worth it, or not made yet. */
  variant(key: string): Buffer | "not-worth" | undefined {
    const held = this.#memory.get(key)
    return held === NOT_WORTH ? "not-worth" : held
  }

  /** Makes a variant in the background. Returns a promise only where that takes mere milliseconds. */
  press(asset: Body, encoding: Variant, key: string): Promise<unknown> | undefined {
    if (this.#pressLanes.queued >= PRESS_QUEUE) return undefined
    const soon = isQuick(asset.length) && this.#pressLanes.idle
    const made = this.#presses.load(key, () =>
      this.#pressLanes.run(async () => {
        const bytes = asset.length <= WHOLE ? await this.whole(asset) : await this.#assembled(asset)
        const packed = await compress(bytes, encoding) ?? NOT_WORTH
        this.#memory.put(key, packed, packed.length + OVERHEAD)
        return packed
      }))
    if (soon) return made
    made.catch(this.#troubled)
    return undefined
  }

  /** Bypasses the memory: only the compressed form will be kept. */
  #assembled(asset: Body): Promise<Buffer> {
    return this.#readLanes.run(() => this.#exactly(asset, 0, asset.length))
  }

  #read(key: string, asset: Body, start: number, length: number): Promise<Buffer> {
    if (asset.made !== undefined) return this.#exactly(asset, start, length)
    const held = this.#memory.get(key)
    if (held !== undefined) return Promise.resolve(held)
    return this.#reads.load(key, () =>
      this.#readLanes.run(async () => {
        const bytes = await this.#exactly(asset, start, length)
        this.#memory.put(key, bytes, length + OVERHEAD)
        return bytes
      }))
  }

  async #exactly(asset: Body, start: number, length: number): Promise<Buffer> {
    const { coded, made, tail } = asset
    if (made !== undefined) return made.subarray(start, start + length)
    if (coded !== undefined) return this.#decoded(coded, start, start + length)
    if (tail === undefined) return this.#stored(asset, start, length)
    const bare = asset.length - tail.length
    const stored = Math.max(0, Math.min(start + length, bare) - start)
    const behind = tail.subarray(Math.max(0, start - bare), Math.max(0, start + length - bare))
    return Buffer.concat([await this.#stored(asset, start, stored), behind])
  }

  /** Three bytes are four characters. */
  async #decoded({ file, length, start }: Coded, from: number, to: number): Promise<Buffer> {
    const first = Math.floor(from / 3)
    const characters = await this.#stored(file, start + first * 4, Math.min(length, Math.ceil(to / 3) * 4) - first * 4)
    const text = characters.toString("latin1")
    const bytes = Buffer.alloc(to - first * 3)
    // What is no base64 stays zero. No address that we gave names such a stretch, and to decode it would take long.
    if (!/[^A-Za-z0-9+/=]/.test(text)) bytes.write(text, "base64")
    return bytes.subarray(from - first * 3)
  }

  async #stored(asset: Asset, start: number, length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0)
    const bytes = await this.#slice(asset.pack, asset.offset + start, length)
    if (bytes.length !== length) {
      throw new Error(`Pack ${asset.pack} answered ${bytes.length} of ${length} bytes from ${asset.offset + start}`)
    }
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    return bytes.buffer.byteLength > length * 1.25 + 4096 ? alone(buffer) : buffer
  }
}

export const makeHoldings = Effect.fnUntraced(function*(bytes: number, troubled: (cause: unknown) => void) {
  const packs = yield* Packs
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  return new Holdings({
    bytes,
    troubled,
    slice: (pack, offset, length) => run(packs.slice(pack, offset, length).pipe(Effect.timeout(READ_MS)))
  })
})
