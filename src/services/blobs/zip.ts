/** Zips on the way out: stored bodies are streamed one after the other, never more than a few chunks in memory. */
import { Readable } from "node:stream"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { DateTime, Effect, Layer, Stream } from "effect"
import { ZipFile } from "yazl"
import { Unavailable } from "../../domain/failures.ts"
import { Archives } from "../../domain/ports/archives.ts"
import { Packs } from "../../domain/ports/packs.ts"

/** Already compressed: deflating them again costs time and saves nothing. */
const DENSE = /\.(?:png|jpe?g|gif|webp|avif|mp4|webm|mov|zip|gz|br|woff2?|pdf)$/i

export const ArchivesYazl = Layer.effect(
  Archives,
  Packs.useSync((packs) =>
    Archives.of({
      zip: (entries, modifiedAt) =>
        Stream.unwrap(Effect.gen(function*() {
          const zip = new ZipFile()
          const context = yield* Effect.context<never>()
          for (const { length, offset, pack, path } of entries) {
            const options = { size: length, mtime: DateTime.toDateUtc(modifiedAt), mode: 0o100644, compress: !DENSE.test(path) }
            zip.addReadStreamLazy(path, options, (give) => {
              give(null, Readable.from(Stream.toAsyncIterableWith(packs.read(pack, offset, length), context), { objectMode: false }))
            })
          }
          zip.end()
          return NodeStream.fromReadable<Uint8Array, Unavailable>({
            evaluate: () => zip.outputStream as Readable,
            onError: () => new Unavailable({ message: "The files cannot be read right now. Try again in a moment." })
          })
        }))
    }))
)
