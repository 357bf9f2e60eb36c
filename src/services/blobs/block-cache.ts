/** Blocks of remote packs on the local disk: bounded, each fetched once however many readers ask, deleted when the process stops. */
import { mkdir, rm, unlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { tooShort } from "./faults.ts"
import { OpenFiles } from "./open-files.ts"
import { readFully, roomAt } from "./spool.ts"

/** One ranged GET: large enough to hide its latency from a reader, small enough to hold many at once. */
export const BLOCK = 1024 * 1024
const OPEN_FILES = 256
/** Packs that are asked about together. */
const AT_ONCE = 1000

const packOf = (key: string): string => key.slice(0, key.lastIndexOf("."))

type Fetch = (id: string, offset: number, length: number) => Promise<Buffer>

export class BlockCache {
  readonly #folder: string
  readonly #capacity: number
  readonly #fetch: Fetch
  readonly #files = new OpenFiles(OPEN_FILES)
  /** Bytes of each block on the disk, least recently used first. */
  readonly #kept = new Map<string, number>()
  /** Blocks on their way: the bytes, and when they are written to the disk. */
  readonly #coming = new Map<string, { readonly bytes: Promise<Buffer>; readonly settled: Promise<void> }>()
  /** What the database said of each pack when it was compared last. */
  readonly #marks = new Map<string, string | null>()
  /** When the last block is on the disk. One is written at a time: those under way are not counted yet, and many would take the room of uploads. */
  #written: Promise<void> = Promise.resolve()
  #bytes = 0
  #closed = false

  constructor(folder: string, capacity: number, fetch: Fetch) {
    this.#folder = folder
    this.#capacity = capacity
    this.#fetch = fetch
  }

  /** Exactly these bytes, which may span several blocks; those that have to be fetched are kept, or only handed on. */
  async read(id: string, offset: number, length: number, keeps = true): Promise<Buffer> {
    const parts: Array<Promise<Buffer>> = []
    for (let at = offset; at < offset + length;) {
      const [block, from] = [Math.floor(at / BLOCK), at % BLOCK]
      const size = Math.min(BLOCK - from, offset + length - at)
      parts.push(this.#part(id, block, from, size, keeps))
      at += size
    }
    const found = await Promise.all(parts)
    return found.length === 1 ? found[0]! : Buffer.concat(found)
  }

  forget(id: string): Promise<void> {
    return this.#forget(new Set([id]))
  }

  /**
   * Forgets packs that another process has removed or thinned. Where a pack's mark is the one that it had when it was compared last, all that
   * came since then is what the store still holds.
   */
  async compare(marksOf: (ids: ReadonlyArray<string>) => Promise<ReadonlyMap<string, string | null>>): Promise<void> {
    const packs = new Set([...this.#kept.keys(), ...this.#coming.keys()].map(packOf))
    for (const id of this.#marks.keys()) if (!packs.has(id)) this.#marks.delete(id)
    const ids = [...packs]
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = ids.slice(at, at + AT_ONCE)
      const marks = await marksOf(some)
      await this.#forget(new Set(some.filter((id) => marks.get(id) !== (this.#marks.get(id) ?? null))))
      for (const [id, mark] of marks) this.#marks.set(id, mark)
    }
  }

  /** Fetches that still wait for the store are not waited for: nothing of them is written any more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#written
    this.#files.clear()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #part(id: string, block: number, from: number, size: number, keeps: boolean): Promise<Buffer> {
    const key = `${id}.${block}`
    const bytes = (await this.#fromDisk(key, from, size)) ?? cutOut(await this.#fromStore(id, block, key, keeps), from, size)
    if (bytes.length < size) throw tooShort()
    return bytes
  }

  /** The cache is never a reason to fail: a block that cannot be read is fetched again. */
  async #fromDisk(key: string, from: number, size: number): Promise<Buffer | undefined> {
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    try {
      const { file, release } = await this.#files.lease(join(this.#folder, key))
      const bytes = Buffer.allocUnsafeSlow(size)
      return (await readFully(file, bytes, from).finally(release)) === size ? bytes : undefined
    } catch {
      await this.#evict(key)
      return undefined
    }
  }

  #fromStore(id: string, block: number, key: string, keeps: boolean): Promise<Buffer> {
    const coming = this.#coming.get(key)
    if (coming !== undefined) return coming.bytes
    const bytes = this.#fetch(id, block * BLOCK, BLOCK)
    if (!keeps) return bytes
    const settled = bytes
      .then((fetched) => this.#write(key, fetched))
      .catch(() => undefined)
      .finally(() => this.#coming.delete(key))
    this.#coming.set(key, { bytes, settled })
    return bytes
  }

  #write(key: string, bytes: Buffer): Promise<void> {
    const written = this.#written.then(() => this.#closed ? undefined : this.#keep(key, bytes))
    this.#written = written.catch(() => undefined)
    return written
  }

  async #keep(key: string, bytes: Buffer): Promise<void> {
    if (bytes.length > this.#capacity) return
    const path = join(this.#folder, key)
    try {
      await writeFile(path, bytes, { mode: 0o600 }).catch(async () => {
        await mkdir(this.#folder, { recursive: true })
        await writeFile(path, bytes, { mode: 0o600 })
      })
      this.#bytes += bytes.length - (this.#kept.get(key) ?? 0)
      this.#kept.set(key, bytes.length)
    } catch (error) {
      // What of it was written would stay, and count as nothing.
      await rm(path, { force: true })
      throw error
    } finally {
      const most = await this.#most()
      while (this.#bytes > most) await this.#evict(this.#kept.keys().next().value!)
    }
  }

  /** As much as it leaves free at most: uploads are refused where the disk is nearly full. */
  async #most(): Promise<number> {
    const room = await roomAt(dirname(this.#folder))
    return room === undefined ? this.#capacity : Math.min(this.#capacity, (room.free + this.#bytes) / 2)
  }

  async #forget(ids: ReadonlySet<string>): Promise<void> {
    if (ids.size === 0) return
    // A block still being written would otherwise stay here after its pack is gone.
    await Promise.all([...this.#coming].flatMap(([key, { settled }]) => ids.has(packOf(key)) ? [settled] : []))
    for (const key of [...this.#kept.keys()]) if (ids.has(packOf(key))) await this.#evict(key)
  }

  async #evict(key: string): Promise<void> {
    this.#bytes -= this.#kept.get(key) ?? 0
    this.#kept.delete(key)
    const path = join(this.#folder, key)
    await unlink(path).catch(() => undefined)
    this.#files.drop(path)
  }
}

/** A copy: a small file that is kept must not keep its whole block, and a chunk freed by one reader must not vanish for others waiting for it. */
const cutOut = (block: Buffer, from: number, size: number): Buffer => {
  const part = block.subarray(from, from + size)
  const copy = Buffer.allocUnsafeSlow(part.length)
  part.copy(copy)
  return copy
}
