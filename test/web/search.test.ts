/** The query of an address as the web app reads it. */
import { assert, it } from "vitest"
import { checked, parseSearch, stringifySearch } from "../../web/app/search.ts"

it("is plain texts, each given once", () => {
  assert.deepStrictEqual(parseSearch("?a=1&b=%7B%7D&c=x&c=y"), { a: "1", b: "{}" })
  assert.strictEqual(stringifySearch({ a: "1", b: undefined, c: null, d: 2 }), "?a=1&d=2")
  assert.strictEqual(stringifySearch({ a: undefined }), "")
})

it("has nothing of what a route refused, where the router lays its answer over what stands in the address", () => {
  const read = checked<{ readonly sort?: "title" }>(["sort"], ({ sort }) => sort === "title" ? { sort } : {})
  for (const [given, sort] of [["title", "title"], ["evil", undefined]] as const) {
    const address = { sort: given, other: "kept" }
    assert.deepStrictEqual({ ...address, ...read(address) }, { sort, other: "kept" })
  }
})
