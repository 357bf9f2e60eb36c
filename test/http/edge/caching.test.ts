/** What may be cached, and what counts as a view: a table each. */
import { assert, describe, it } from "@effect/vitest"
import { isView, keeping } from "../../../src/http/edge/caching.ts"
import type { Load } from "../../../src/http/edge/caching.ts"

describe("keeping", () => {
  const kept: ReadonlyArray<readonly [answer: Parameters<typeof keeping>[0], cacheControl: string, keyed: boolean]> = [
    [{ content: "page" }, "no-cache, must-revalidate", false],
    [{ content: "file" }, "public, no-cache, must-revalidate", true],
    [{ content: "page", gated: true }, "private, no-store", false],
    [{ content: "file", gated: true }, "private, no-cache", false],
    [{ content: "page", personal: true }, "private, no-cache", false],
    [{ content: "file", personal: true }, "private, no-cache", false],
    [{ content: "closed" }, "private, no-store", false],
    [{ content: "closed", gated: true }, "private, no-store", false],
    [{ content: "look" }, "public, max-age=31536000, immutable", false]
  ]
  for (const [answer, cacheControl, keyed] of kept) {
    it(`${JSON.stringify(answer)} may be kept: ${cacheControl}`, () => assert.deepStrictEqual(keeping(answer), { cacheControl, keyed }))
  }
})

it("one view per page a person loads, and nothing else", () => {
  const load: Load = { method: "GET", status: 200, purpose: undefined, machine: false }
  const yes: ReadonlyArray<Partial<Load>> = [{}, { status: 304 }]
  const no: ReadonlyArray<Partial<Load>> = [
    { method: "HEAD" }, { status: 404 }, { status: 206 }, { status: 503 }, { machine: true },
    { purpose: "prefetch" }, { purpose: "prefetch;prerender" }, { purpose: "Prefetch" }
  ]
  for (const change of yes) assert.isTrue(isView({ ...load, ...change }), JSON.stringify(change))
  for (const change of no) assert.isFalse(isView({ ...load, ...change }), JSON.stringify(change))
})
