/** Work that is shared, and work that waits its turn. */
import { assert, describe, it } from "@effect/vitest"
import { Lanes, Shared } from "../../../../src/http/edge/memory/lanes.ts"

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
