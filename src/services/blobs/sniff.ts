/** Tells a file's type by its signature, from its first bytes alone. */
import { Effect, Layer } from "effect"
import { fileTypeFromBuffer } from "file-type"
import { Sniffer } from "../../domain/ports/sniffer.ts"
import type { Sniffed } from "../../domain/ports/sniffer.ts"

/** The library also reads a TIFF's tags, which usually stand behind the picture and so behind the head. */
const tiff = (head: Uint8Array): Sniffed | undefined =>
  ["II*\0", "MM\0*"].includes(Buffer.from(head.subarray(0, 4)).toString("latin1")) ? { ext: "tif", mime: "image/tiff" } : undefined

export const SnifferFileType = Layer.succeed(Sniffer, {
  sniff: Effect.fn("SnifferFileType.sniff")((head: Uint8Array) =>
    // A head that is cut short, or made to mislead, only means that the type is unknown.
    Effect.promise(() => fileTypeFromBuffer(head).catch(() => undefined).then((found) => found ?? tiff(head)))
  )
})
