/** Zips on the way out: entries are streamed one after the other, never more than a few chunks in memory. */
import { PassThrough, Readable } from "node:stream"
import { DateTime, Deferred, Effect, Layer, Option, Stream } from "effect"
import { ZipFile } from "yazl"
import { Unavailable } from "../../domain/failures.ts"
import { Archives } from "../../domain/ports/archives.ts"
import type { ArchiveEntry } from "../../domain/ports/archives.ts"
import { Packs } from "../../domain/ports/packs.ts"

/** Already compressed: deflating them again costs time and saves nothing. */
const DENSE = /\.(?:png|jpe?g|gif|webp|avif|mp4|webm|mov|zip|gz|br|woff2?|pdf)$/i

/** Small files are read whole: a stream of a pack for each of thousands is what most of the time would go into. */
const SMALL = 64 * 1024

type Open = (entry: ArchiveEntry) => AsyncIterable<Uint8Array>

/** Fills a zip as its output is read. Whatever breaks, breaks the output; destroying that lets go of everything. */
class Filling {
  readonly #zip = new ZipFile()
  readonly output = this.#zip.outputStream as PassThrough
  readonly done: Promise<void>
  readonly #open: Open
  readonly #mtime: Date
  #source: Readable | undefined
  #next: () => void = () => undefined

  constructor(entries: AsyncIterable<ArchiveEntry>, mtime: Date, open: Open) {
    this.#open = open
    this.#mtime = mtime
    const broken = (error: Error) => void this.output.destroy(error)
    this.#zip.on("error", broken)
    // The reader hears of it; one that has left must not make it an uncaught error.
    this.output.on("error", () => undefined)
    // An entry whose turn never came has no source that could end.
    this.output.once("close", () => this.#source === undefined ? this.#next() : this.#source.destroy())
    this.done = this.#fill(entries).catch(broken)
  }

  async #fill(entries: AsyncIterable<ArchiveEntry>): Promise<void> {
    for await (const entry of entries) {
      if (this.output.destroyed) return
      await this.#add(entry)
    }
    this.#zip.end()
  }

  /** Until its source is used up: yazl opens the next one when the last of this is written. */
  #add(entry: ArchiveEntry): Promise<void> {
    const options = {
      ...("pack" in entry ? { size: entry.length } : {}),
      mtime: this.#mtime,
      mode: 0o100644,
      compress: !DENSE.test(entry.path)
    }
    return new Promise((resolve) => {
      this.#next = resolve
      this.#zip.addReadStreamLazy(entry.path, options, (give) => {
        if (this.output.destroyed) return resolve()
        const source = Readable.from(this.#open(entry), { objectMode: false })
        this.#source = source
        source.once("error", (error) => this.output.destroy(error)).once("close", () => {
          this.#source = undefined
          resolve()
        })
        give(null, source)
      })
    })
  }
}

export const ArchivesYazl = Layer.effect(
  Archives,
  Packs.useSync((packs) =>
    Archives.of({
      zip: (entries, modifiedAt) =>
        Stream.unwrap(Effect.gen(function*() {
          const context = yield* Effect.context<never>()
          const stop = yield* Deferred.make<void>()
          const streamed = <A, E>(source: Stream.Stream<A, E>) =>
            Stream.toAsyncIterableWith(Stream.interruptWhen(source, Deferred.await(stop)), context)
          const open: Open = (entry) => {
            if (!("pack" in entry)) return streamed(Stream.encodeText(Stream.mapArray(entry.text, (lines) => [lines.join("")])))
            const { length, offset, pack } = entry
            return streamed(length > SMALL ? packs.read(pack, offset, length) : Stream.fromEffect(packs.slice(pack, offset, length)))
          }
          const filling = new Filling(streamed(entries), DateTime.toDateUtc(modifiedAt), open)
          const chunks = filling.output[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
          // A source may be slow to answer: it is let go of first, or whoever leaves would wait for it.
          yield* Effect.addFinalizer(() =>
            Deferred.succeed(stop, undefined).pipe(Effect.andThen(Effect.promise(() => {
              filling.output.destroy()
              return filling.done
            })))
          )
          return Stream.paginate(undefined, () =>
            Effect.tryPromise({ try: () => chunks.next(), catch: (error) => error }).pipe(
              Effect.catch((error) => error instanceof Unavailable ? Effect.fail(error) : Effect.die(error)),
              Effect.map(({ done, value }) => done === true ? [[], Option.none()] as const : [[value as Uint8Array], Option.some(undefined)] as const)
            ))
        }))
    }))
)
