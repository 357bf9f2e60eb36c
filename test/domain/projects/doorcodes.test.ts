/** Doorcodes as people type them. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { doorcodeFrom, isMeant, WORDS } from "../../../src/domain/projects/doorcodes.ts"

const made = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(doorcodeFrom)
const gaps = fc.array(fc.constantFrom(" ", "-", "  ", " - ", "\t"), { minLength: 3, maxLength: 3 })

describe("doorcodes", () => {
  it("a generated one is accepted in any case and with any spacing, but only whole", () =>
    fc.assert(fc.property(made, gaps, (code, between) => {
      const words = code.split("-")
      const typed = words.map((word, index) => `${index % 2 === 0 ? word : word.toUpperCase()}${between[index] ?? ""}`).join("")
      assert.isTrue(isMeant(code, `  ${typed}\n`))
      assert.isFalse(isMeant(code, words.slice(0, 3).join("-")))
      assert.isFalse(isMeant(code, `${typed} ${WORDS[0]!}`))
    })))

  it("one that a person chose is typed as it was chosen, but for spaces around it and how many stand between words", () => {
    for (const [typed, code] of [
      ["Open Sesame", "Open Sesame"], [" Open Sesame ", "Open Sesame"], ["apple-zoo-Xyzzy-able", "apple-zoo-Xyzzy-able"],
      ["Zoo Apple Able Abandon", "Zoo Apple Able Abandon"], ["Zoo Apple Able Abandon", "zoo-apple-able-abandon"],
      // Three spaces in a row look like one on a page, and some keyboards type a wider one.
      ["Open Sesame", "Open   Sesame"], ["Open  Sesame", "Open Sesame"], ["Open\u3000Sesame", "Open Sesame"]
    ] as const) assert.isTrue(isMeant(code, typed), typed)
    for (const [typed, code] of [
      ["open sesame", "Open Sesame"], ["apple-zoo-xyzzy-able", "apple-zoo-Xyzzy-able"], ["Apple Zoo Xyzzy Able", "apple-zoo-xyzzy-able"],
      ["zoo-apple-able-abandon", "Zoo Apple Able Abandon"], ["", "Open Sesame"], ["   ", "Open Sesame"], ["Open Sesame\0", "Open Sesame"],
      ["Apple Zoo", "apple-zoo"], ["APPLE", "apple"], ["OpenSesame", "Open Sesame"]
    ] as const) assert.isFalse(isMeant(code, typed), typed)
  })

  it("is the same composed and not, on whichever side", () => {
    // Half composed is how some keyboards write Vietnamese.
    const spelt = ["Việt Nam", "Việt Nam".normalize("NFD"), "Viê\u0323t Nam"]
    for (const code of spelt) for (const typed of spelt) assert.isTrue(isMeant(code, typed), JSON.stringify([code, typed]))
    assert.isFalse(isMeant(spelt[0]!, "Viet Nam"))
  })
})
