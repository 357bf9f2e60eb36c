/** Which two versions are compared, how they are named apart, and what differs within a line. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import fc from "fast-check"
import { choose, wayOf } from "../../../src/domain/projects/history.ts"
import type { Asked } from "../../../src/domain/projects/history.ts"
import { wordDiff } from "../../../src/domain/projects/line-diffs.ts"
import type { Version, VersionId } from "../../../src/domain/projects/model.ts"

const version = (number: number): Version => ({
  id: `v${number}` as VersionId, version: number, kind: "text", sizeBytes: 1, fileCount: 1, createdAt: DateTime.makeUnsafe(number), createdBy: { id: "u", name: "Ada" }, current: false
})
/** The versions that are kept: 1 and 2 were pruned. */
const kept = [5, 4, 3].map(version)

const chosen = (asked: Partial<Asked>, versions = kept): unknown => {
  const found = choose(versions, { from: undefined, to: undefined, ...asked })
  return found?.as === "pair" ? [found.from.version, found.to.version] : found?.as === "only" ? found.version.version : found
}

describe("history", () => {
  it("the newest stands beside the one before it, unless others are named", () => {
    assert.deepStrictEqual(chosen({}), [4, 5])
    assert.deepStrictEqual(chosen({ to: 4 }), [3, 4])
    assert.deepStrictEqual(chosen({ from: 3 }), [3, 5])
    assert.deepStrictEqual(chosen({ from: 5 }), [4, 5])
    assert.deepStrictEqual(chosen({ from: 5, to: 3 }), [5, 3])
    assert.deepStrictEqual(chosen({ from: 4, to: 4 }), [4, 4])
    assert.strictEqual(chosen({ to: 3 }), 3)
    assert.strictEqual(chosen({}, [version(1)]), 1)
    assert.strictEqual(chosen({ from: 1 }, [version(1)]), 1)
    assert.isUndefined(chosen({}, []))
    for (const asked of [{ from: 2 }, { to: 2 }, { from: 3, to: 6 }, { from: 0 }]) {
      assert.deepInclude(chosen(asked) as object, { as: "missing" }, JSON.stringify(asked))
    }
  })

  it("texts are told apart by lines, sites by files, and whatever has to be seen beside each other", () => {
    assert.strictEqual(wayOf("markdown", "data"), "lines")
    assert.strictEqual(wayOf("text", "text"), "lines")
    for (const kind of ["pdf", "image", "video"] as const) {
      assert.strictEqual(wayOf(kind, kind), "beside")
      assert.strictEqual(wayOf("text", kind), "beside")
      assert.strictEqual(wayOf(kind, "site"), "files")
    }
    assert.strictEqual(wayOf("site", "markdown"), "files")
  })

  it("words that changed are marked in lines that have enough in common", () => {
    const [before, after] = wordDiff("The team meets on Mondays.", "The team meets on Tuesdays.")!
    assert.deepStrictEqual(before.filter(({ own }) => own).map(({ text }) => text), ["Mondays"])
    assert.deepStrictEqual(after.filter(({ own }) => own).map(({ text }) => text), ["Tuesdays"])
    assert.isUndefined(wordDiff("one two three", "four five six"))
    assert.isUndefined(wordDiff("a ".repeat(1_001), "b"))
  })

  it("whatever the words, the stretches of a line are that line", () =>
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.string({ unit: "binary", maxLength: 60 }), (a, b) => {
      const found = wordDiff(a, b)
      if (found !== undefined) assert.deepStrictEqual(found.map((side) => side.map(({ text }) => text).join("")), [a, b])
    }), { numRuns: 100 }))
})
