/** Pictures taken out of a document before it is parsed: which, where they were, and how long that takes. */
import { assert, describe, it } from "@effect/vitest"
import { withoutPictures } from "../../../src/domain/renderings/pictures.ts"
import { growth } from "../../support/growth.ts"

const HASH = "0123456789abcdef".repeat(4)
const bytes = (text: string) => new TextEncoder().encode(text)
const rest = (text: string, staying: ReadonlyArray<number> = []) => new TextDecoder().decode(withoutPictures(bytes(text), HASH, new Set(staying)).bytes)
const LONG = "A".repeat(5_000)

describe("pictures in a document", () => {
  it("are named by their place in its bytes; all else stays as it is", () => {
    const text = `grüße ![a](data:image/png;base64,${LONG}) [i]: <data:image/webp;base64,${LONG}=>\n`
    const named = rest(text)
    assert.strictEqual(named, `grüße ![a](data:image/png;base64,picture-${HASH.slice(0, 16)}-35-5000) [i]: <data:image/webp;base64,picture-${HASH.slice(0, 16)}-5066-5001>\n`)
    for (const [, from, length] of named.matchAll(/picture-\w+-(\d+)-(\d+)/g)) {
      assert.match(Buffer.from(text).toString("latin1", Number(from), Number(from) + Number(length)), /^A{5000}=?$/)
    }
    assert.strictEqual(rest(rest(text)), named)
    assert.include(rest(text, [35]), `base64,${LONG})`)
    for (const other of ["", "words", `data:image/png;base64,${"A".repeat(4_000)}`, `data:image/svg+xml;base64,${LONG}`, `data:text/plain;base64,${LONG}`, `data:image/png,${LONG}`]) {
      assert.strictEqual(rest(other), other)
    }
    const wide = new Uint8Array(Buffer.from(`\uFEFFdata:image/png;base64,${LONG}`, "utf16le"))
    assert.deepStrictEqual(withoutPictures(wide, HASH, new Set()).bytes, wide)
  })

  it("are found in linear time, however many there are, whole or broken", () => {
    for (const piece of ["data:image/png;base64,", "data:image/", `data:image/png;base64,${LONG} `, `data:image/png;base64,${LONG}`]) {
      assert.isBelow(growth((size) => rest(piece.repeat(size / piece.length)), 400_000), 9, piece.slice(0, 30))
    }
  })
})
