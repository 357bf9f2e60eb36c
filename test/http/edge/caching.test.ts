/** The one table of what is a view and what may be kept. */
import { assert, describe, it } from "@effect/vitest"
import { handling } from "../../../src/http/edge/caching.ts"
import type { Occasion } from "../../../src/http/edge/caching.ts"

const visit: Occasion = {
  content: "page", gated: false, personal: false, method: "GET", status: 200, purpose: undefined, machine: false
}

describe("handling", () => {
  const kept: ReadonlyArray<readonly [change: Partial<Occasion>, cacheControl: string, keyed: boolean]> = [
    [{}, "no-cache", false],
    [{ content: "file" }, "public, no-cache", true],
    [{ gated: true }, "private, no-store", false],
    [{ content: "file", gated: true }, "private, no-cache", false],
    [{ personal: true }, "private, no-cache", false],
    [{ content: "closed" }, "private, no-store", false],
    [{ content: "closed", gated: true }, "private, no-store", false],
    [{ content: "look" }, "public, max-age=31536000, immutable", false]
  ]
  for (const [change, cacheControl, keyed] of kept) {
    it(`${JSON.stringify(change)} may be kept: ${cacheControl}`, () => {
      const decided = handling({ ...visit, ...change })
      assert.deepStrictEqual([decided.cacheControl, decided.keyed], [cacheControl, keyed])
    })
  }

  it("one view per page a person loads, and nothing else", () => {
    const yes: ReadonlyArray<Partial<Occasion>> = [{}, { status: 304 }, { gated: true }, { personal: true }]
    const no: ReadonlyArray<Partial<Occasion>> = [
      { method: "HEAD" }, { status: 404 }, { status: 206 }, { status: 503 }, { content: "file" }, { content: "closed" },
      { content: "look" }, { machine: true }, { purpose: "prefetch" }, { purpose: "prefetch;prerender" }, { purpose: "Prefetch" }
    ]
    for (const change of yes) assert.isTrue(handling({ ...visit, ...change }).view, JSON.stringify(change))
    for (const change of no) assert.isFalse(handling({ ...visit, ...change }).view, JSON.stringify(change))
  })
})
