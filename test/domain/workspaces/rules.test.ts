/** The trial and what follows it, to the millisecond. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { billingState, linksDownOn, mayPublish, PLANS } from "../../../src/domain/workspaces/rules.ts"

const end = DateTime.makeUnsafe("2026-03-10T12:00:00.000Z")
const at = (change: DateTime.DateTime.PartsForMath | Partial<DateTime.DateTime.PartsForMath>) => DateTime.add(end, change)
const facts = { trialEndsAt: end }

describe("standing", () => {
  it("lasts to the last millisecond of the trial, then lapses, then goes down thirty days later", () => {
    assert.strictEqual(billingState(facts, "enforced", at({ milliseconds: -1 })), "trialing")
    assert.strictEqual(billingState(facts, "enforced", end), "lapsed")
    assert.strictEqual(billingState(facts, "enforced", at({ days: 30, milliseconds: -1 })), "lapsed")
    assert.strictEqual(billingState(facts, "enforced", at({ days: 30 })), "down")
  })

  it("never lapses where nobody could pay", () => {
    assert.strictEqual(billingState(facts, "open", at({ milliseconds: -1 })), "trialing")
    assert.strictEqual(billingState(facts, "open", at({ days: 400 })), "active")
    assert.isNull(linksDownOn(facts, "open", at({ days: 400 })))
  })

  it("names the day links go down only once it is certain", () => {
    assert.isNull(linksDownOn(facts, "enforced", at({ milliseconds: -1 })))
    assert.strictEqual(DateTime.formatIso(linksDownOn(facts, "enforced", end)!), "2026-04-09T12:00:00.000Z")
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
