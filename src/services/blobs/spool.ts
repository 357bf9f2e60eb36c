/** Bytes on their way in: small ones stay in memory, larger ones go to one scratch file while more arrive. */
import { open, rm, statfs } from "node:fs/promises"
import type { FileHandle } from "node:fs/promises"
import { dirname } from "node:path"
import { NearlyFull } from "./faults.ts"

/** Up to this size nothing touches the disk before the spool is kept. */
const HELD = 256 * 1024
/** One write: large enough that passing it to the thread pool costs nothing, small enough to stay in the cache. */
const BATCH = 512 * 1024
const WRITES_AT_ONCE = 3
/** Chunks from this size on are written from where they lie; smaller ones are gathered first. */
const LARGE = 8 * 1024
const GATHER = 64 * 1024
/** Synced while the rest arrives, so that the last fsync has little left to do (100 MB: 83 ms instead of 120). */
const WRITE_BACK = 8 * 1024 * 1024

/** How much is written before the disk is asked for its room again. */
const STEP = 8 * 1024 * 1024
/** How much all that are too short to ask write before each of them asks too: a thousand of them that never end fill a disk as well. */
const UNASKED = 2 * STEP
/** What is left of the disk, or a twentieth of a small one: the database may lie there too, and would stop with it. */
const SPARED = 256 * 1024 * 1024

const nothing = Buffer.alloc(0)

/** By folder: what was written there since its disk last had room for another step. */
const unasked = new Map<string, number>()

export class Spool {
  /** False for bytes that are only read again and never kept, such as a zip's. */
  writeBack = true
  readonly #path: string
  #opening: Promise<FileHandle> | undefined
  #file: FileHandle | undefined
  #size = 0
  #written = 0
  #roomUntil = STEP
  #unsynced = 0
  #pending: Array<Uint8Array> = []
  #owned = new Set<Uint8Array>()
  #pendingBytes = 0
  #gather = nothing
  #gatherFrom = 0
  #gatherTo = 0
  #writes: Array<Promise<void>> = []
  #syncing: Promise<void> | undefined
  #failure: { readonly error: unknown } | undefined
  #closed: Promise<void> | undefined

  constructor(path: string) {
    this.#path = path
  }

  get size(): number {
    return this.#size
  }

  /**
   * Takes a chunk, which nobody may change afterwards. An `owned` chunk has no other reader either, so its memory is freed
   * once it is written. A returned promise is backpressure: the writer must wait for it.
   */
  write(chunk: Uint8Array, owned = false): Promise<void> | undefined {
    if (chunk.length >= LARGE) {
      this.#cut()
      this.#pending.push(chunk)
      if (owned) this.#owned.add(chunk)
    } else this.#collect(chunk)
    this.#size += chunk.length
    this.#pendingBytes += chunk.length
    return this.#pendingBytes > (this.#file === undefined ? HELD : BATCH) ? this.#turn() : undefined
  }

  /** Reads `length` bytes from `position`, whether they are in memory or in the file. */
  async read(position: number, length: number): Promise<Buffer> {
    if (this.#file === undefined) {
      this.#cut()
      const held = this.#pending.length === 1 ? this.#pending[0]! : Buffer.concat(this.#pending)
      this.#pending = [held]
      this.#owned.clear() // the answer is a view of them
      return Buffer.from(held.buffer, held.byteOffset + position, Math.min(length, held.length - position))
    }
    await this.#drain()
    const into = Buffer.allocUnsafeSlow(length)
    return into.subarray(0, await readFully(this.#file, into, position))
  }

  /** Writes everything to the file, without an fsync. */
  async toFile(): Promise<{ readonly file: FileHandle; readonly path: string }> {
    const file = this.#file ?? (await this.#open())
    await this.#drain()
    return { file, path: this.#path }
  }

  /** Ends the spool and deletes its file, unless the file was moved elsewhere. */
  close(moved = false): Promise<void> {
    return this.#closed ??= (async () => {
      this.#pending = []
      await Promise.allSettled([this.#opening, ...this.#writes])
      await this.#syncing
      await this.#file?.close()
      if (this.#file !== undefined && !moved) await rm(this.#path, { force: true })
    })()
  }

  #collect(chunk: Uint8Array): void {
    let taken = 0
    while (taken < chunk.length) {
      if (this.#gatherTo === this.#gather.length) {
        this.#cut()
        this.#gather = Buffer.allocUnsafeSlow(GATHER)
        this.#gatherFrom = this.#gatherTo = 0
      }
      const part = chunk.subarray(taken, taken + this.#gather.length - this.#gatherTo)
      this.#gather.set(part, this.#gatherTo)
      this.#gatherTo += part.length
      taken += part.length
    }
  }

  #cut(): void {
    if (this.#gatherTo > this.#gatherFrom) this.#pending.push(this.#gather.subarray(this.#gatherFrom, this.#gatherTo))
    this.#gatherFrom = this.#gatherTo
  }

  async #open(): Promise<FileHandle> {
    // What an upload that was given up still brings would make a file that nobody removes.
    this.#check()
    this.#opening = open(this.#path, "wx+", 0o600)
    return this.#file = await this.#opening
  }

  async #turn(): Promise<void> {
    if (this.#file === undefined) await this.#open()
    await this.#room()
    this.#flush()
    while (this.#writes.length >= WRITES_AT_ONCE) await this.#writes.shift()
    this.#check()
  }

  async #room(): Promise<void> {
    const folder = dirname(this.#path)
    const written = (unasked.get(folder) ?? 0) + this.#pendingBytes
    unasked.set(folder, written)
    if (this.#written < this.#roomUntil && written < UNASKED) return
    await sparing(this.#path)
    this.#roomUntil = this.#written + STEP
    unasked.set(folder, 0)
  }

  #flush(): void {
    this.#check()
    this.#cut()
    const [file, chunks, owned, position] = [this.#file!, this.#pending, this.#owned, this.#written]
    if (this.#pendingBytes === 0) return
    this.#written += this.#pendingBytes
    this.#unsynced += this.#pendingBytes
    this.#pending = []
    this.#owned = new Set()
    this.#pendingBytes = 0
    const write = writeFully(file, chunks, position).then(() => owned.forEach(free)).catch((error: unknown) => this.#fail(error))
    this.#writes.push(write)
    if (this.writeBack && this.#unsynced >= WRITE_BACK && this.#syncing === undefined) {
      this.#unsynced = 0
      this.#syncing = write
        .then(() => file.datasync())
        .catch((error: unknown) => this.#fail(error))
        .then(() => {
          this.#syncing = undefined
        })
    }
  }

  async #drain(): Promise<void> {
    this.#flush()
    await Promise.all(this.#writes)
    this.#writes = []
    // A failed sync is reported to one caller only: the next fsync would succeed.
    await this.#syncing
    this.#check()
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error
    if (this.#closed !== undefined) throw new Error("the spool is closed")
  }
}

/** What is free of a disk, and all of it, in bytes; undefined where its file system does not tell. */
export const roomAt = async (path: string): Promise<{ readonly free: number; readonly all: number } | undefined> => {
  const { bavail, blocks, bsize } = await statfs(path).catch(() => ({ bavail: 0, blocks: 0, bsize: 0 }))
  return blocks === 0 ? undefined : { free: bavail * bsize, all: blocks * bsize }
}

/** Fails where another step would take what is spared. */
const sparing = async (path: string): Promise<void> => {
  const room = await roomAt(path)
  if (room !== undefined && room.free < Math.min(SPARED, room.all / 20) + STEP) throw new NearlyFull()
}

/** Frees memory at once: V8 lets 64 MB pile up before it collects (a 100 MB upload: 8 MB of growth instead of 70, and 0.6 of the time). */
export const free = ({ buffer, byteLength }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** A write may take less than it was given: a disk that fills up reports that only on the next one. */
export const writeFully = async (file: FileHandle, chunks: ReadonlyArray<Uint8Array>, position: number): Promise<void> => {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  let { bytesWritten: done } = await file.writev(chunks, position)
  if (done === length) return
  const all = Buffer.concat(chunks)
  while (done < length) done += (await file.write(all, done, length - done, position + done)).bytesWritten
}

/** Reads until the buffer is full or the file ends; answers how many bytes there were. */
export const readFully = async (file: FileHandle, into: Buffer, position: number): Promise<number> => {
  let done = 0
  while (done < into.length) {
    const { bytesRead } = await file.read(into, done, into.length - done, position + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}
