/** What a JSON body may hold: counted without parsing, to the entry, whatever stands in its texts. */
import { assert, it } from "@effect/vitest"
import fc from "fast-check"
import { isIntricate } from "../../src/http/contract/json-shape.ts"

const isMuch = (json: string): boolean => isIntricate(Buffer.from(json))
const named = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`name ${at}`, at])))
const listed = (count: number) => `[${Array(count).fill("0").join(",")}]`

it("is bounded in levels, in values, and in the names of one object", () => {
  for (const [open, close] of [["[", "]"], ["{\"a\":", "}"]] as const) {
    assert.isFalse(isMuch(`${open.repeat(64)}1${close.repeat(64)}`))
    assert.isTrue(isMuch(`${open.repeat(65)}1${close.repeat(65)}`))
    assert.isTrue(isMuch(open.repeat(1_000_000)))
  }
  assert.deepStrictEqual([isMuch(listed(100_000)), isMuch(listed(100_001))], [false, true])
  assert.deepStrictEqual([isMuch(`[${Array(50_000).fill("[]").join(",")}]`), isMuch(`[${Array(50_001).fill("[]").join(",")}]`)], [false, true])
  assert.deepStrictEqual([isMuch(named(1_000)), isMuch(named(1_001))], [false, true])
  assert.isFalse(isMuch(`[${Array(20).fill(named(1_000)).join(",")}]`))
  assert.isTrue(isMuch(`{"a":${named(1_000)},"b":${named(1_001)}}`))
})

it("counts nothing of what stands in texts, and nothing that has ended", () => {
  assert.isFalse(isMuch(JSON.stringify(["[{\"\\,:".repeat(100_000)])))
  assert.isFalse(isMuch(`[${Array(20_000).fill("{\"a\":[\"\\\\\"]}").join(",")}]`))
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => !isMuch(JSON.stringify(value)) && !isMuch(JSON.stringify([JSON.stringify(value).repeat(100)]))), { numRuns: 100 })
})
