/** The position of an image: all of it fits, the point under the pointer stays there, and it never leaves the window. */
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { between, fitted, fittedWide, opening, partsAt, placed, zoomed } from "../../../web/viewer/kinds/image/view.ts"

const length = fc.integer({ min: 1, max: 20_000 })
const size = fc.record({ width: length, height: length })
const window = fc.record({ width: fc.integer({ min: 200, max: 3_000 }), height: fc.integer({ min: 200, max: 2_000 }) })
const spot = fc.record({ x: fc.integer({ min: 0, max: 2_000 }), y: fc.integer({ min: 0, max: 2_000 }) })

it("fits, in the middle, and pixels are not blown up", () => {
  fc.assert(fc.property(size, window, (image, room) => {
    const { scale, x } = fitted(image, room, false)
    assert.isAtMost(scale, 1)
    if (scale === 0.02) return
    assert.isAtMost(image.width * scale, room.width - 32 + 1e-6)
    assert.isAtMost(image.height * scale, room.height - 32 + 1e-6)
    assert.closeTo(x, (room.width - image.width * scale) / 2, 1e-6)
  }))
  assert.strictEqual(fitted({ width: 10, height: 10 }, { width: 432, height: 432 }, true).scale, 40)
})

it("a picture too tall to be read whole opens by its width, from its top", () => {
  const room = { width: 1280, height: 688 }
  assert.deepStrictEqual([[300, 9_000], [1_170, 2_532], [100, 400], [9_000, 300]].map(([width, height]) => opening({ width: width!, height: height! }, room)), ["width", "window", "window", "window"])
  assert.deepStrictEqual(fittedWide({ width: 300, height: 9_000 }, room, false), { scale: 1, x: 490, y: 16 })
  assert.deepStrictEqual(fittedWide({ width: 2_496, height: 9_000 }, room, false), { scale: 0.5, x: 16, y: 16 })
})

it("zooms about the pointer", () => {
  fc.assert(fc.property(spot, fc.double({ min: 0.5, max: 2, noNaN: true }), (at, factor) => {
    const before = { scale: 1, x: -30, y: 12 }
    const after = zoomed(before, factor, at)
    assert.closeTo((at.x - after.x) / after.scale, at.x - before.x, 1e-6)
    assert.closeTo((at.y - after.y) / after.scale, at.y - before.y, 1e-6)
  }))
})

it("stays in its window, wherever it is dragged", () => {
  fc.assert(fc.property(size, window, spot, fc.double({ min: 0.02, max: 32, noNaN: true }), (image, room, at, scale) => {
    const { x } = placed({ scale, x: at.x * 100 - 100_000, y: 0 }, image, room)
    assert.isTrue(x < room.width && x + image.width * scale > 0)
  }))
})

it("a box is the same whichever corner it began at, and ends where the image does", () => {
  fc.assert(fc.property(size, spot, spot, fc.double({ min: 0.02, max: 32, noNaN: true }), (image, one, other, scale) => {
    const at = (where: typeof one) => partsAt({ scale, x: -30, y: 12 }, image, where)
    const box = between(at(one), at(other))
    assert.deepStrictEqual(between(at(other), at(one)), box)
    for (const [start, length] of [[box.x, box.width], [box.y, box.height]] as const) assert.isTrue(start >= 0 && length >= 0 && start + length < 1.0001)
  }))
})
