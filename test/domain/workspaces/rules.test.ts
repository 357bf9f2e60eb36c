/** The trial, charges and their consequences, to the millisecond. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { billingState, isDown, linksDownOn, mayPublish, PLANS } from "../../../src/domain/workspaces/rules.ts"
import type { BillingFacts } from "../../../src/domain/workspaces/rules.ts"

const end = DateTime.makeUnsafe("2026-03-10T12:00:00.000Z")
const at = (change: DateTime.DateTime.PartsForMath | Partial<DateTime.DateTime.PartsForMath>) => DateTime.add(end, change)
const enforced = { enforcedSince: DateTime.makeUnsafe(0) }
const facts: BillingFacts = { trialEndsAt: end, needsCharge: false, subscriptionStatus: null, subscriptionEndsAt: null }
const paid = { ...facts, subscriptionStatus: "active" } as const

describe("standing", () => {
  it("lasts to the last millisecond of the trial, then lapses, then goes down thirty days later", () => {
    assert.strictEqual(billingState(facts, enforced, at({ milliseconds: -1 })), "trialing")
    assert.strictEqual(billingState(facts, enforced, end), "lapsed")
    assert.strictEqual(billingState(facts, enforced, at({ days: 30, milliseconds: -1 })), "lapsed")
    assert.strictEqual(billingState(facts, enforced, at({ days: 30 })), "down")
  })

  it("never lapses where nobody could pay", () => {
    assert.strictEqual(billingState(facts, "open", at({ milliseconds: -1 })), "trialing")
    assert.strictEqual(billingState(facts, "open", at({ days: 400 })), "active")
    assert.isNull(linksDownOn(facts, "open", at({ days: 400 })))
  })

  it("is carried by a subscription that goes on, long after the trial and during it", () => {
    for (const policy of [enforced, "open"] as const) {
      assert.strictEqual(billingState(paid, policy, at({ days: -1 })), "active")
      assert.strictEqual(billingState(paid, policy, at({ days: 400 })), "active")
      assert.strictEqual(billingState({ ...paid, subscriptionStatus: "past_due" }, policy, at({ days: 400 })), "past_due")
      assert.isFalse(isDown(paid, policy, at({ days: 400 })))
    }
    assert.isNull(linksDownOn(paid, enforced, at({ days: 400 })))
  })

  it("lapses with the subscription's end, or with the trial's where that is later", () => {
    const ends = at({ days: 60 })
    const ending = { ...paid, subscriptionEndsAt: ends }
    assert.strictEqual(billingState(ending, enforced, DateTime.subtract(ends, { milliseconds: 1 })), "active")
    assert.strictEqual(billingState(ending, enforced, ends), "lapsed")
    assert.strictEqual(billingState({ ...ending, subscriptionStatus: "past_due" }, enforced, ends), "lapsed")
    assert.strictEqual(billingState(ending, enforced, DateTime.add(ends, { days: 30, milliseconds: -1 })), "lapsed")
    assert.strictEqual(billingState(ending, enforced, DateTime.add(ends, { days: 30 })), "down")
    assert.strictEqual(billingState(ending, "open", DateTime.add(ends, { days: 30 })), "active")
    assert.deepStrictEqual(linksDownOn(ending, enforced, ends), DateTime.add(ends, { days: 30 }))
    const early = { ...paid, subscriptionEndsAt: at({ days: -3 }) }
    assert.strictEqual(billingState(early, enforced, at({ days: -2 })), "trialing")
    assert.strictEqual(billingState(early, enforced, end), "lapsed")
    assert.deepStrictEqual(linksDownOn(early, enforced, end), at({ days: 30 }))
  })

  it("lapses as trials begin to be enforced, if it ended before, and only then counts the thirty days", () => {
    const since = { enforcedSince: at({ days: 200 }) }
    for (const before of [facts, { ...paid, subscriptionEndsAt: at({ days: 60 }) }]) {
      assert.strictEqual(billingState(before, since, since.enforcedSince), "lapsed")
      assert.deepStrictEqual(linksDownOn(before, since, since.enforcedSince), at({ days: 230 }))
      assert.isFalse(isDown(before, since, at({ days: 230, milliseconds: -1 })))
      assert.strictEqual(billingState(before, since, at({ days: 230 })), "down")
    }
    const later = { ...facts, trialEndsAt: at({ days: 205 }) }
    assert.strictEqual(billingState(later, since, at({ days: 205, milliseconds: -1 })), "trialing")
    assert.deepStrictEqual(linksDownOn(later, since, at({ days: 205 })), at({ days: 235 }))
  })

  it("without a trial waits for its charge, and nothing of it goes down", () => {
    const made = { ...facts, trialEndsAt: null, needsCharge: true }
    assert.strictEqual(billingState(made, enforced, at({ days: 400 })), "lapsed")
    assert.isNull(linksDownOn(made, enforced, at({ days: 400 })))
    assert.isFalse(isDown(made, enforced, at({ days: 400 })))
    assert.strictEqual(billingState(made, "open", end), "active")
    assert.strictEqual(billingState({ ...made, subscriptionStatus: "active" }, enforced, end), "active")
  })

  it("names the day links go down only once it is certain", () => {
    assert.isNull(linksDownOn(facts, enforced, at({ milliseconds: -1 })))
    assert.strictEqual(DateTime.formatIso(linksDownOn(facts, enforced, end)!), "2026-04-09T12:00:00.000Z")
  })

  it("publishes in good standing alone", () => {
    assert.deepStrictEqual(
      (["trialing", "active", "past_due", "lapsed", "down"] as const).filter(mayPublish),
      ["trialing", "active", "past_due"]
    )
  })

  it("holds the plans' caps in powers of 1024", () => {
    assert.deepStrictEqual(PLANS.starter, {
      projects: 5, storageBytes: 1_073_741_824, seats: 1, uploadBytes: 26_214_400, versionsKept: 3, analyticsDays: 7
    })
    assert.strictEqual(PLANS.studio.uploadBytes, 524_288_000)
    assert.strictEqual(PLANS.agency.uploadBytes, 1_073_741_824)
  })
})
