/** When a version is drawn again. */
import { assert, it } from "@effect/vitest"
import { DateTime } from "effect"
import * as Rules from "../../../src/domain/thumbnails/rules.ts"

it("what is asked for and missing is drawn where an earlier release drew it small alone, or could not draw it seven days ago", () => {
  const now = DateTime.makeUnsafe("2026-11-28T12:00:00Z")
  const [recent, old] = [now, DateTime.subtract(now, { days: 7 })]
  const due = (drawnAt: DateTime.Utc, small: boolean, picture: Uint8Array | null) => Rules.isDueStill({ drawnAt, small, picture }, now)
  assert.deepStrictEqual([due(recent, true, null), due(recent, false, null), due(old, false, null)], [true, false, true])
  assert.isFalse(due(old, true, new Uint8Array()))
})

it("a version without a thumbnail is drawn where it never was, and again after seven days; one with a thumbnail never", () => {
  const now = DateTime.makeUnsafe("2026-11-28T12:00:00Z")
  const before = (ms: number) => DateTime.subtract(now, { days: 7, milliseconds: ms })
  const due = (drawnAt: DateTime.Utc | null, thumbnail: { width: number; height: number } | null = null) => Rules.isDue({ drawnAt, thumbnail }, now)
  assert.deepStrictEqual([due(null), due(before(0)), due(before(-1)), due(now)], [true, true, false, false])
  assert.isFalse(due(before(1), { width: 640, height: 320 }))
  assert.isFalse(Rules.isDue({}, now))
})
