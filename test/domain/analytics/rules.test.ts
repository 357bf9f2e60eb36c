/** Windows, series, and when days are forgotten, to the millisecond. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import * as Rules from "../../../src/domain/analytics/rules.ts"
import { dateOf, dayOf } from "../../../src/domain/days.ts"

const DAY = 86_400_000
const day = fc.integer({ min: 0, max: 40_000 })

describe("days", () => {
  it("turn at midnight in UTC, to the millisecond", () => {
    const midnight = Date.UTC(2026, 10, 21)
    assert.strictEqual(dateOf(dayOf(midnight)), "2026-11-21")
    assert.strictEqual(dateOf(dayOf(midnight - 1)), "2026-11-20")
    assert.strictEqual(dayOf(midnight) - dayOf(midnight - 1), 1)
  })

  it("are forgotten 48 hours after they end, and not a millisecond before", () =>
    fc.assert(fc.property(day, (day) => {
      const gone = (day + 1) * DAY + 48 * 3_600_000
      assert.strictEqual(Rules.forgottenAt(day), gone)
      assert.deepStrictEqual([Rules.lastForgotten(gone), Rules.lastForgotten(gone - 1)], [day, day - 1])
    })))

  it("lose their raw views only beyond 400 days, which no plan shows", () =>
    fc.assert(fc.property(day, fc.integer({ min: 0, max: DAY - 1 }), (day, ms) => assert.strictEqual(Rules.lastDropped(day * DAY + ms), day - 401))))
})

describe("window", () => {
  it("is the requested one, cut to what the plan keeps, and says so", () =>
    fc.assert(fc.property(fc.integer({ min: 1, max: 90 }), fc.constantFrom(7, 90, 365), (asked, kept) => {
      const { days, requestedDays, retentionDays, truncated } = Rules.window(asked, kept)
      assert.deepStrictEqual([days <= asked, days <= kept, days === asked || days === kept], [true, true, true])
      assert.deepStrictEqual([requestedDays, retentionDays, truncated], [asked, kept, asked > kept])
    })))
})

describe("series", () => {
  const figures = fc.record({ day: fc.integer({ min: 19_900, max: 20_050 }), views: fc.nat(1e9), uniqueVisitors: fc.nat(1e6), lastViewedAt: fc.nat(2e12) })

  it("has every day once, oldest first, ending today; sums are of those days alone", () =>
    fc.assert(fc.property(fc.uniqueArray(figures, { selector: (one) => one.day }), fc.integer({ min: 1, max: 90 }), (known, days) => {
      const today = 20_000
      const series = Rules.series(today, days, known)
      assert.deepStrictEqual(series.map((one) => one.date), Array.from({ length: days }, (_, back) => dateOf(today - days + 1 + back)))
      const last = known.reduce((latest, one) => Math.max(latest, one.lastViewedAt), -1)
      assert.strictEqual(Rules.lastViewed(known)?.epochMilliseconds ?? -1, last)
      const inside = known.filter((one) => one.day <= today && one.day > today - days)
      assert.deepStrictEqual(Rules.total(series), {
        views: inside.reduce((sum, one) => sum + one.views, 0),
        uniqueVisitors: inside.reduce((sum, one) => sum + one.uniqueVisitors, 0)
      })
    })))
})
