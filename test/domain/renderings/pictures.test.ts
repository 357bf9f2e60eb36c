/** Pictures taken out of a document before it is parsed: which, where they were, and how long that takes. */
import { assert, describe, it } from "@effect/vitest"
import { isBetween, isLiftable, Lifting } from "../../../src/domain/renderings/pictures.ts"
import { growth } from "../../support/growth.ts"

const HASH = "0123456789abcdef".repeat(4)
const bytes = (text: string) => new TextEncoder().encode(text)
const lifted = (document: Uint8Array, staying: ReadonlyArray<number> = [], size = 400_000) => {
  const lifting = new Lifting(HASH, (from) => staying.includes(from))
  for (let at = 0; at < document.length; at += size) lifting.take(document.subarray(at, at + size))
  return lifting.lifted()
}
const rest = (text: string, staying: ReadonlyArray<number> = [], size?: number) => new TextDecoder().decode(lifted(bytes(text), staying, size).bytes)
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
    assert.deepStrictEqual(lifted(wide).bytes, wide)
  })

  it("are the same in whatever pieces the document comes, and stand where their address is believed", () => {
    const text = `![a](data:image/png;base64,${LONG}) data:image/ data:image/gif;base64,AA data:image/webp;base64,${LONG}`
    for (const size of [1, 7, 23, 24, 25, 4_096, 5_030]) assert.strictEqual(rest(text, [], size), rest(text), String(size))
    assert.strictEqual(rest(text, [27], 7), rest(text, [27]))
    const places = [...rest(text).matchAll(/picture-\w+-(\d+)-(\d+)/g)].map(([, from, length]) => [Number(from), Number(length)] as const)
    assert.strictEqual(places.length, 2)
    for (const [from, length] of places) {
      assert.isTrue(isLiftable(length) && isBetween(text.slice(0, from), text.slice(from + length)))
      assert.isFalse(isBetween(text.slice(0, from + 4), text.slice(from + length)) || isBetween(text.slice(0, from), text.slice(from + length - 4)))
    }
    // One that is too long stays, and its length is known before it ends.
    const endless = new Lifting(HASH, () => false)
    endless.take(bytes("data:image/png;base64,"))
    for (let at = 0; at < 13; at++) endless.take(new Uint8Array(1024 * 1024).fill(65))
    assert.isAbove(endless.length, 12 * 1024 * 1024)
  })

  it("are found in linear time, however many there are, whole or broken", () => {
    const size = 800_000
    for (const piece of ["data:image/png;base64,", "data:image/", `data:image/png;base64,${LONG} `, `data:image/png;base64,${LONG}`]) {
      const documents = new Map([size, 4 * size].map((length) => [length, bytes(piece.repeat(length / piece.length))]))
      assert.isBelow(growth((length) => lifted(documents.get(length)!), size), 9, piece.slice(0, 30))
    }
  })
})
