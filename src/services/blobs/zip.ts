/** Zips on the way out: entries are streamed one after the other, never more than a few chunks in memory. */
import { promisify } from "node:util"
import { crc32, createDeflateRaw, deflateRaw } from "node:zlib"
import type { DeflateRaw } from "node:zlib"
import { DateTime, Deferred, Effect, Layer, Option, Stream } from "effect"
import { Unavailable } from "../../domain/failures.ts"
import { Archives } from "../../domain/ports/archives.ts"
import type { ArchiveEntry } from "../../domain/ports/archives.ts"
import { Packs } from "../../domain/ports/packs.ts"
import { free } from "./spool.ts"
import { descriptor, localHead, tableEnd, tableRow } from "./zip-records.ts"

/** Already compressed: deflating them again costs time and saves nothing. */
const DENSE = /\.(?:png|jpe?g|gif|webp|avif|mp4|webm|mov|zip|gz|br|woff2?|pdf)$/i

/** Rows of the table that are put together, so that many small files do not become as many small buffers. */
const ROWS = 500
const LARGEST = 0xffff_fffe

const deflateWhole = promisify<Uint8Array, Buffer>(deflateRaw)

/** A chunk is freed as soon as it is taken in. */
const feed = async (deflate: DeflateRaw, source: AsyncIterable<Uint8Array>) => {
  for await (const chunk of source) {
    await new Promise<void>((resolve, reject) => deflate.write(chunk, (error) => error ? reject(error) : resolve()))
    free(chunk)
  }
  deflate.end()
}

const deflated = async function*(source: AsyncIterable<Uint8Array>) {
  const deflate = createDeflateRaw()
  // A source that breaks ends the reading below with its error.
  const fed = feed(deflate, source).catch((error: Error) => void deflate.destroy(error))
  try {
    for await (const chunk of deflate) yield chunk as Buffer
  } finally {
    deflate.destroy()
    await fed
  }
}

/** Bytes as they pass, their number and their checksum. */
class Tally {
  size = 0
  crc = 0

  async *of(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      this.add(chunk)
      yield chunk
    }
  }

  add(chunk: Uint8Array): void {
    this.size += chunk.length
    this.crc = crc32(chunk, this.crc)
  }
}

/** Small files are taken whole: a stream for each of thousands is what most of the time and memory would go into. */
const SMALL = 64 * 1024

type Source = AsyncIterable<Uint8Array> | Promise<Uint8Array>
type Open = (entry: ArchiveEntry) => Source

const packed = async function*(source: Source, tally: Tally, dense: boolean) {
  if (!(source instanceof Promise)) return yield* dense ? tally.of(source) : deflated(tally.of(source))
  const bytes = await source
  tally.add(bytes)
  yield dense ? bytes : await deflateWhole(bytes)
}

const zipped = async function*(entries: AsyncIterable<ArchiveEntry>, modifiedAt: Date, open: Open) {
  const table: Array<Buffer> = []
  let rows: Array<Buffer> = []
  let [count, offset] = [0, 0]
  for await (const entry of entries) {
    const head = { name: Buffer.from(entry.path), deflated: !DENSE.test(entry.path), modifiedAt }
    const tally = new Tally()
    const first = localHead(head)
    let packedSize = 0
    yield first
    for await (const chunk of packed(open(entry), tally, !head.deflated)) {
      packedSize += chunk.length
      yield chunk
    }
    const { crc, size } = tally
    if (Math.max(size, packedSize) > LARGEST) throw new Error("an entry is too large for a zip")
    yield descriptor({ crc, packedSize, size })
    rows.push(tableRow({ ...head, crc, packedSize, size, offset }))
    if (++count % ROWS === 0) {
      table.push(Buffer.concat(rows))
      rows = []
    }
    offset += first.length + packedSize + 16
  }
  table.push(...rows)
  yield* table
  yield tableEnd(count, offset, table.reduce((sum, part) => sum + part.length, 0))
}

export const ArchivesStreamed = Layer.effect(
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
            return length > SMALL ? streamed(packs.read(pack, offset, length)) : Effect.runPromiseWith(context)(packs.slice(pack, offset, length))
          }
          const chunks = zipped(streamed(entries), DateTime.toDateUtc(modifiedAt), open)
          // A source may be slow to answer: it is let go of first, or whoever leaves would wait for it.
          yield* Effect.addFinalizer(() =>
            Deferred.succeed(stop, undefined).pipe(Effect.andThen(Effect.promise(() => chunks.return().catch(() => undefined))))
          )
          return Stream.paginate(undefined, () =>
            Effect.tryPromise({ try: () => chunks.next(), catch: (error) => error }).pipe(
              Effect.catch((error) => error instanceof Unavailable ? Effect.fail(error) : Effect.die(error)),
              Effect.map(({ done, value }) => done === true ? [[], Option.none()] as const : [[value], Option.some(undefined)] as const)
            ))
        }))
    }))
)
