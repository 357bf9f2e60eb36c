/** Signatures: known ones are recognised by the first bytes alone, and nothing makes the check fail. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Sniffer } from "../../../src/domain/ports/sniffer.ts"
import { SnifferFileType } from "../../../src/services/blobs/sniff.ts"

const sniff = (head: Uint8Array) => Sniffer.use((sniffer) => sniffer.sniff(head))
const ascii = (text: string) => new TextEncoder().encode(text)
const mime = (head: Uint8Array) => Effect.map(sniff(head), (found) => found?.mime)

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54)
/** The first entry of a zip, which claims to be longer than the bytes read. */
const ZIP = Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff, 0, 0, 5, 0, 0, 0, ...ascii("a.txt"), 1, 2, 3)

layer(SnifferFileType)("sniffing", (it) => {
  it.effect("tells what its first bytes tell", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* mime(PNG), "image/png")
      assert.strictEqual(yield* mime(ascii("%PDF-1.7\n%")), "application/pdf")
      assert.strictEqual(yield* mime(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16)), "image/jpeg")
      assert.strictEqual(yield* mime(ZIP), "application/zip")
      // The tags of a TIFF may come after all of the picture.
      for (const [signature, at] of [["II*\0", [0x88, 0x13, 0, 0]], ["MM\0*", [0, 0, 0x13, 0x88]]] as const) {
        assert.strictEqual(yield* mime(Uint8Array.from([...ascii(signature), ...at, ...new Uint8Array(4092)])), "image/tiff")
      }
      assert.isUndefined(yield* mime(ascii("II* notes")))
      assert.isUndefined(yield* mime(ascii("just words")))
      assert.isUndefined(yield* mime(ascii("<!doctype html><p>hi")))
      assert.isUndefined(yield* mime(new Uint8Array()))
    }))

  it.effect("every cut of a head, and any noise behind a signature, is an answer", () =>
    Effect.gen(function*() {
      for (const head of [PNG, ZIP]) for (let end = 0; end <= head.length; end++) yield* sniff(head.slice(0, end))
      for (const signature of [[0x50, 0x4b, 3, 4], [0x1a, 0x45, 0xdf, 0xa3], [0x49, 0x44, 0x33], [0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70]]) {
        for (let round = 0; round < 25; round++) {
          yield* sniff(Uint8Array.from([...signature, ...crypto.getRandomValues(new Uint8Array(4096))]))
        }
      }
    }))
})
