/** Doorcodes as people type them. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { doorcodeFrom, readingsOf, WORDS } from "../../../src/domain/projects/doorcodes.ts"

const made = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(doorcodeFrom)
const gaps = fc.array(fc.constantFrom(" ", "-", "  ", " - ", "\t"), { minLength: 3, maxLength: 3 })

describe("doorcodes", () => {
  it("a generated one is accepted in any case and with any spacing, but only whole", () =>
    fc.assert(fc.property(made, gaps, (code, between) => {
      const words = code.split("-")
      const typed = words.map((word, index) => `${index % 2 === 0 ? word : word.toUpperCase()}${between[index] ?? ""}`).join("")
      assert.include(readingsOf(`  ${typed}\n`), code)
      assert.notInclude(readingsOf(words.slice(0, 3).join("-")), code)
      assert.notInclude(readingsOf(`${typed} ${WORDS[0]!}`), code)
    })))

  it("one that a person chose is typed as it was chosen, but for spaces around it", () => {
    for (const [typed, meant] of [
      ["Open Sesame", ["Open Sesame"]], [" Open Sesame ", ["Open Sesame"]], ["apple-zoo-Xyzzy-able", ["apple-zoo-Xyzzy-able"]],
      ["Zoo Apple Able Abandon", ["Zoo Apple Able Abandon", "zoo-apple-able-abandon"]], ["", []], ["   ", []], ["a\0bcdef", []]
    ] as const) assert.deepStrictEqual(readingsOf(typed), meant)
  })
})
