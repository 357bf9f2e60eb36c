/** What is known of a text's encoding once its last chunk has passed, however it was split. */
import { isUtf8 } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { Utf8Watch } from "../../../src/services/blobs/utf8-watch.ts"

const seen = (bytes: Uint8Array, size: number) => {
  const watch = new Utf8Watch()
  for (let at = 0; at < bytes.length; at += size) watch.push(bytes.subarray(at, at + size))
  return watch
}
const latin = (text: string) => Buffer.from(text, "latin1")

describe("Utf8Watch", () => {
  it("says what the whole says, wherever its chunks end", () => {
    const parts = fc.array(fc.oneof(fc.string({ unit: "binary" }).map((text) => Buffer.from(text.toWellFormed())), fc.uint8Array({ maxLength: 3 })), { maxLength: 6 })
    fc.assert(fc.property(parts, fc.integer({ min: 1, max: 9 }), (all, size) => {
      // Ends in spaces, so that no character is cut at the end: that has a test of its own.
      const bytes = Buffer.concat([...all, latin("   ")])
      const { beyondAscii, utf8 } = seen(bytes, size)
      assert.strictEqual(utf8, isUtf8(bytes))
      const first = bytes.findIndex((byte) => byte > 0x7f)
      assert.isTrue(Buffer.from(beyondAscii).equals(first === -1 ? Buffer.alloc(0) : bytes.subarray(first, first + 512)))
    }), { numRuns: 2_000 })
  })

  it("finds a single broken character after megabytes", () => {
    const long = Buffer.alloc(3_000_001, "grüße ")
    assert.isTrue(seen(long, 65_536).utf8)
    assert.isFalse(seen(Buffer.concat([long, latin(" \xfc ")]), 65_536).utf8)
    const ascii = Buffer.alloc(3_000_001, "plain ")
    assert.deepStrictEqual([seen(ascii, 65_536).utf8, seen(ascii, 65_536).beyondAscii.length], [true, 0])
    assert.strictEqual(Buffer.from(seen(Buffer.concat([ascii, latin("\xfc.")]), 65_536).beyondAscii).toString("latin1"), "\xfc.")
  })

  it("takes an end that cuts a character for UTF-8, unless it is the only one", () => {
    assert.isTrue(seen(Buffer.from("grüße €").subarray(0, -1), 4).utf8)
    assert.isFalse(seen(latin("caf\xe9"), 2).utf8)
  })
})
