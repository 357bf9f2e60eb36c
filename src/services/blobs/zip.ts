/** Zips on the way out: entries are streamed one after the other, with no more than a few chunks in memory. */
import { Readable } from "node:stream"
import { crc32, deflateRawSync } from "node:zlib"
import { ZipArchiveEntry, ZipArchiveOutputStream } from "compress-commons"
import { DateTime, Deferred, Effect, Layer, Option, Stream } from "effect"
import { Unavailable } from "../../domain/failures.ts"
import { Archives } from "../../domain/ports/archives.ts"
import type { ArchiveEntry } from "../../domain/ports/archives.ts"
import { Packs } from "../../domain/ports/packs.ts"
import { namesDense } from "../../domain/projects/file-paths.ts"
import { free } from "./spool.ts"
import { ZipOutlet } from "./zip-outlet.ts"
import { ZipTable } from "./zip-table.ts"
import type { PutAside } from "./zip-table.ts"

/** Small files are read whole: of thousands of them, opening a stream each would take most of the time. */
const SMALL = 64 * 1024

/** How much a stream buffers before it makes its source wait: a chunk this long is consumed before the next one is requested. */
const AWAITED = 64 * 1024

/** Chunks one at a time. Those that the consumer has `used` up are freed at once: V8 would let 64 MB of them pile up before it collects. */
class Source extends Readable {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #used: boolean
  #last: Uint8Array | undefined
  readonly #broke: (error: Error) => void

  /** Errors go to `broke` only: compress-commons leaves a source's error unhandled, which would crash the process. */
  constructor(chunks: AsyncIterable<Uint8Array>, used: boolean, broke: (error: Error) => void) {
    super({ highWaterMark: 0 })
    this.#broke = broke
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#used = used
  }

  override _read(): void {
    if (this.#used && this.#last !== undefined && this.#last.length >= AWAITED) free(this.#last)
    this.#last = undefined
    this.#chunks.next().then(({ done, value }) => {
      this.#last = done === true ? undefined : value
      this.push(this.#last ?? null)
    }, this.#broke)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    Promise.resolve(this.#chunks.return?.()).then(() => done(error), () => done(error))
  }
}

/** How one entry is deflated. The library's types know only the options of a stream. */
interface Deflating {
  zlib: { readonly level: number; readonly chunkSize?: number }
}
const PACKED = { level: 6 }
/** Its bytes as they are, in pieces that say where they end; by zlib’s own pieces of 16 KB it takes nearly twice as long. */
const AS_IS = { level: 0, chunkSize: 64 * 1024 }

/** Up to here, deflating blocks the event loop for less than a millisecond. */
const SHORT = 16 * 1024
/** Of deflate, as a power of two. */
const LEAST_WINDOW = 9
/** The method of an entry whose bytes stand as they are (APPNOTE 4.4.5). */
const STORED = 0

/** As a zip's short end record states it, this count of entries means that the zip64 record has the real one. */
const UNCOUNTED = 0xffff

/** The library keeps every entry until the end, in 600 bytes each, and then writes them all in one go: here a table takes their place. */
class Zip extends ZipArchiveOutputStream {
  declare readonly _archive: ZipArchiveOutputStream["_archive"] & { centralOffset: number; centralLength: number }
  readonly #table: ZipTable
  /** In place of the list, of which the library then asks nothing but how long it is. */
  readonly _entries = { length: 0, push() { this.length++ } }

  constructor(deflating: Deflating, table: ZipTable) {
    super(deflating as object)
    this.#table = table
  }

  /** A short body is deflated in one call, through a window of its own length: a stream for each takes four times as long. */
  override _appendBuffer(entry: ZipArchiveEntry, body: Parameters<ZipArchiveOutputStream["_appendBuffer"]>[1], done: (error: Error | null, entry?: ZipArchiveEntry) => void): void {
    if (!(body instanceof Uint8Array) || body.length === 0 || body.length > SHORT || entry.getMethod() === STORED) return super._appendBuffer(entry, body, done)
    const packed = deflateRawSync(body, { ...PACKED, windowBits: Math.max(LEAST_WINDOW, Math.ceil(Math.log2(body.length))) })
    entry.getGeneralPurposeBit().useDataDescriptor(false)
    entry.setSize(body.length)
    entry.setCompressedSize(packed.length)
    entry.setCrc(crc32(body))
    this._writeLocalFileHeader(entry)
    this.write(packed)
    this._afterAppend(entry)
    done(null, entry)
  }

  override _afterAppend(entry: ZipArchiveEntry): void {
    super._afterAppend(entry)
    super._writeCentralFileHeader.call({ write: (piece: Uint8Array | string) => this.#table.add(piece) }, entry)
  }

  /** The library writes the zip64 record only for more entries than that. */
  override isZip64(): boolean {
    return this._entries.length === UNCOUNTED || super.isZip64()
  }

  /** Resolves when it takes more, or is over. */
  room(): Promise<void> {
    if (!this.writableNeedDrain || this.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        this.off("drain", end).off("close", end)
        resolve()
      }
      this.on("drain", end).on("close", end)
    })
  }

  async complete(): Promise<void> {
    const from = this.getBytesWritten()
    for await (const piece of this.#table) {
      if (this.destroyed) return
      this.write(piece)
      await this.room()
    }
    if (this.destroyed) return
    this._archive.centralOffset = from
    this._archive.centralLength = this.getBytesWritten() - from
    if (this.isZip64()) this._writeCentralDirectoryZip64()
    this._writeCentralDirectoryEnd()
    this.end()
  }
}

type Chunks = AsyncIterable<Uint8Array>
type Open = (entry: ArchiveEntry) => Chunks | Promise<Uint8Array>

/** Fills a zip as its outlet is read. Any error breaks the outlet; destroying the zip releases everything. */
class Filling {
  readonly outlet: ZipOutlet
  readonly done: Promise<void>
  readonly #deflating: Deflating = { zlib: PACKED }
  readonly #table: ZipTable
  readonly #zip: Zip
  readonly #open: Open
  readonly #date: Date
  #source: Source | undefined

  constructor(entries: AsyncIterable<ArchiveEntry>, date: Date, open: Open, putAside: PutAside) {
    this.#open = open
    this.#date = date
    this.#table = new ZipTable(putAside)
    this.#zip = new Zip(this.#deflating, this.#table)
    this.outlet = new ZipOutlet(this.#zip)
    this.done = this.#fill(entries).catch((error: Error) => this.leave(error))
  }

  leave(error?: Error): void {
    this.#source?.destroy()
    this.#zip.destroy(error)
  }

  async #fill(entries: AsyncIterable<ArchiveEntry>): Promise<void> {
    for await (const entry of entries) {
      if (this.#zip.destroyed) return
      const dense = namesDense(entry.path)
      const opened = this.#open(entry)
      if (opened instanceof Promise) {
        const bytes = await opened
        await this.#put(bytes, entry.path, dense)
        if (!dense) free(bytes)
      } else {
        this.#source = new Source(opened, !dense, (error) => this.leave(error))
        await this.#put(this.#source, entry.path, dense)
        this.#source = undefined
      }
      await this.#table.makeRoom()
    }
    await this.#zip.complete()
  }

  /** Resolves when the whole entry is written. */
  #put(from: Readable | Uint8Array, path: string, store: boolean): Promise<void> {
    // Its reader may have left while the bytes came: a zip that is over takes no entry, and says so to nobody.
    if (this.#zip.destroyed) return Promise.resolve()
    const entry = new ZipArchiveEntry()
    entry.setName(path)
    // Set again, unchanged: `setName` strips a prefix that looks like a drive.
    entry.name = path
    entry.setTime(this.#date, false)
    entry.setUnixMode(0o100644)
    // Whoever reads a zip as it comes, such as Java, finds the end of a stored entry only where its header says how long it is.
    if (from instanceof Uint8Array && (store || from.length === 0)) entry.setMethod(STORED)
    this.#deflating.zlib = store ? AS_IS : PACKED
    return new Promise((resolve, reject) => {
      this.#zip.once("close", resolve)
      this.#zip.entry(entry, from as Readable | Buffer, (error?: Error | null) => {
        this.#zip.off("close", resolve)
        if (error) reject(error)
        else resolve(this.#zip.room())
      })
    })
  }
}

export const ArchivesCompressCommons = Layer.effect(
  Archives,
  Packs.useSync((packs) =>
    Archives.of({
      zip: (entries, modifiedAt) =>
        Stream.unwrap(Effect.gen(function*() {
          const context = yield* Effect.context<never>()
          const draft = yield* packs.draft
          const putAside: PutAside = async (blocks) => {
            const body = await Effect.runPromiseWith(context)(draft.append(Stream.fromIterable(blocks), Infinity, true))
            return () => Effect.runPromiseWith(context)(draft.beginning(body, body.length))
          }
          const stop = yield* Deferred.make<void>()
          const stopping = Deferred.await(stop)
          const streamed = <A, E>(source: Stream.Stream<A, E>) => Stream.toAsyncIterableWith(Stream.interruptWhen(source, stopping), context)
          const open: Open = (entry) => {
            if (!("pack" in entry)) return streamed(Stream.encodeText(Stream.mapArray(entry.text, (lines) => [lines.join("")])))
            const { length, offset, pack } = entry
            if (length > SMALL) return streamed(packs.read(pack, offset, length))
            const left = Effect.andThen(stopping, Effect.fail(new Unavailable({ message: "Nobody reads on." })))
            return Effect.runPromiseWith(context)(Effect.raceFirst(packs.slice(pack, offset, length), left))
          }
          const filling = new Filling(streamed(entries), DateTime.toDateUtc(modifiedAt), open, putAside)
          const chunks = filling.outlet[Symbol.asyncIterator]()
          // A source may be slow to answer: it is stopped first, or a reader who leaves would have to wait for it.
          yield* Effect.addFinalizer(() =>
            Deferred.succeed(stop, undefined).pipe(Effect.andThen(Effect.promise(() => {
              filling.leave()
              return filling.done
            })))
          )
          return Stream.paginate(undefined, () =>
            Effect.tryPromise({ try: () => chunks.next(), catch: (error) => error }).pipe(
              Effect.catch((error) => error instanceof Unavailable ? Effect.fail(error) : Effect.die(error)),
              Effect.map(({ done, value }) => done === true ? [[], Option.none()] as const : [[value], Option.some(undefined)] as const)
            ))
        }))
    }))
)
