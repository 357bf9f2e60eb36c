/** Tells a file's type by its signature, from its first bytes alone. */
import { Effect, Layer } from "effect"
import { fileTypeFromBuffer } from "file-type"
import { Sniffer } from "../../domain/ports/sniffer.ts"

export const SnifferFileType = Layer.succeed(Sniffer, {
  sniff: Effect.fn("SnifferFileType.sniff")((head: Uint8Array) =>
    // A head that is cut short, or made to mislead, only means that the type is unknown.
    Effect.promise(() => fileTypeFromBuffer(head).catch(() => undefined))
  )
})
