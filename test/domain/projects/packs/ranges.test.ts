/** Which bytes of a pack are living, dead and copied, against a model that asks of every byte. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { all, bytesIn, disjoint, inOrder, meets, pieces, without } from "../../../../src/domain/projects/packs/ranges.ts"

const LENGTH = 40

/** Which bodies of a pack there are, by whether each is one of some. */
const bodies = fc.array(fc.record({ length: fc.integer({ min: 0, max: 6 }), mine: fc.boolean(), other: fc.boolean() }), { maxLength: 12 }).map((found) => {
  let end = 0
  const placed = found.map(({ length, ...is }) => ({ offset: (end += length) - length, length, hash: String(end), ...is }))
  return { length: end, mine: placed.filter(({ mine }) => mine), others: placed.filter(({ other }) => other) }
})

const covers = (ranges: Iterable<{ readonly offset: number; readonly length: number }>, at: number) =>
  [...ranges].some(({ length, offset }) => offset <= at && at < offset + length)

describe("ranges of a pack", () => {
  it("are without others what a look at every byte says", () => {
    fc.assert(fc.property(bodies, ({ length, mine, others }) => {
      const left = without(inOrder(mine), inOrder(others))
      for (let at = 0; at < length; at++) assert.strictEqual(covers(left, at), covers(mine, at) && !covers(others, at))
      assert.isTrue(disjoint(left))
      assert.strictEqual(bytesIn(without(all(length), inOrder(mine))), length - bytesIn(mine))
      assert.strictEqual(meets(mine, inOrder(others)), mine.some((one) => one.length > 0 && covers(others, one.offset)))
    }))
  })

  it("are copied but for the dead ones, each living one whole", () => {
    fc.assert(fc.property(bodies, ({ length, mine, others }) => {
      const dead = mine.filter((one) => !others.includes(one))
      const copied = pieces(length, dead, others)!
      for (let at = 0; at < length; at++) assert.strictEqual(covers(copied, at), !covers(dead, at))
      assert.isTrue(disjoint(copied))
      assert.deepStrictEqual(copied.filter(({ hash }) => hash !== undefined), [...inOrder(others)])
    }))
  })

  it("are not told where a living one overlaps another, is dead in part, or lies beyond the end", () => {
    const living = { offset: 10, length: 10, hash: "" }
    assert.isDefined(pieces(LENGTH, [{ offset: 0, length: 10 }, { offset: 20, length: 20 }], [living]))
    assert.isUndefined(pieces(LENGTH, [], [living, { offset: 19, length: 1, hash: "" }]))
    assert.isUndefined(pieces(LENGTH, [{ offset: 0, length: 11 }], [living]))
    assert.isUndefined(pieces(LENGTH, [{ offset: 19, length: 1 }], [living]))
    assert.isUndefined(pieces(19, [], [living]))
    assert.isUndefined(pieces(LENGTH, [{ offset: 30, length: 5 }, { offset: 34, length: 5 }], [living]))
  })
})
