/** The bounded cache and the lanes that it uses. */
import { assert, describe, it } from "@effect/vitest"
import { Lanes, Memory, Shared } from "../../../src/http/edge/memory.ts"

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

describe("Shared and Lanes", () => {
  it("share what runs, not what ended, failures included", async () => {
    const shared = new Shared<number>()
    let started = 0
    const load = () => shared.load("a", async () => {
      if (++started === 1) throw new Error("first")
      return started
    })
    const both = await Promise.allSettled([load(), load()])
    assert.deepStrictEqual([both.map(({ status }) => status), started], [["rejected", "rejected"], 1])
    assert.strictEqual(await load(), 2)
  })

  it("run no more than fit, in order, and go on after a failure", async () => {
    const lanes = new Lanes(2)
    let running = 0
    let most = 0
    const order: Array<number> = []
    const results = await Promise.allSettled(Array.from({ length: 10 }, (_, n) =>
      lanes.run(async () => {
        order.push(n)
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        if (n === 3) throw new Error("three")
      })))
    assert.deepStrictEqual([most, order, lanes.idle], [2, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], true])
    assert.strictEqual(results.filter(({ status }) => status === "rejected").length, 1)
  })
})
