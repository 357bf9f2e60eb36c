/** The bounded cache. */
import { assert, describe, it } from "@effect/vitest"
import { compress } from "../../../../src/http/edge/memory/compression.ts"
import { Memory } from "../../../../src/http/edge/memory/memory.ts"
import { made } from "../../../../src/http/edge/memory/packed-pages.ts"

describe("Memory", () => {
  it("keeps within its limit and drops what nobody asked for again", () => {
    const memory = new Memory<number>(3)
    memory.put("hot", 1, 1)
    for (let n = 0; n < 100; n++) {
      assert.strictEqual(memory.get("hot"), 1)
      memory.put(`once-${n}`, n, 1)
      assert.isAtMost(memory.weight, 3)
    }
  })

  it("is told the weight of what is kept: compressed forms and pages are no pieces of something larger", async () => {
    const [short, long] = ["a{color:red}".repeat(80), Array.from({ length: 40_000 }, (_, n) => `.c${n}{top:${n * 7919 % 1_000}px}`).join("")]
    for (const text of [short, long]) {
      const kept = [await compress(Buffer.from(text), "br"), await compress(Buffer.from(text), "gzip"), ...Object.values((await made(text, true)).forms)]
      assert.deepStrictEqual(kept.map((one) => one!.buffer.byteLength - one!.length), [0, 0, 0, 0, 0])
    }
  })

  it("replaces, and holds a newest that is too heavy until the next", () => {
    const memory = new Memory<string>(10)
    memory.put("a", "old", 4)
    memory.put("a", "new", 6)
    assert.deepStrictEqual([memory.get("a"), memory.weight], ["new", 6])
    memory.put("giant", "!", 99)
    assert.deepStrictEqual([memory.get("giant"), memory.get("a"), memory.weight], ["!", undefined, 99])
    memory.put("b", "b", 1)
    memory.put("c", "c", 1)
    assert.isAtMost(memory.weight, 10)
    assert.strictEqual(memory.get("c"), "c")
  })
})
