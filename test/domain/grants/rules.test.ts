/** When the use of a token is written. */
import { assert, it } from "@effect/vitest"
import { DateTime } from "effect"
import { isUseStale } from "../../../src/domain/grants/rules.ts"

const now = DateTime.makeUnsafe("2027-03-14T12:00:00Z")

it("a token's use is written once a minute, and again where a clock that was ahead has written it", () => {
  const ago = (seconds: number) => isUseStale(DateTime.subtract(now, { seconds }), now)
  assert.isTrue(isUseStale(null, now))
  assert.deepStrictEqual([0, 60, 60.001, 86_400].map(ago), [false, false, true, true])
  // Clocks of instances that differ by minutes do not write at every request.
  assert.deepStrictEqual([-1, -3_600, -3_600.001, -366 * 86_400].map(ago), [false, false, true, true])
})
