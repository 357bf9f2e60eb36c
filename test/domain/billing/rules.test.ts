/** What charges amount to, and which mail is due when, to the millisecond. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { CustomerId } from "../../../src/domain/billing/model.ts"
import type { Customer, Subscription } from "../../../src/domain/billing/model.ts"
import { bought, buy, doubles, goesOn, isDouble, mailDue, noted, planOf, purchasable, settle, surplus } from "../../../src/domain/billing/rules.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import type { BillingFacts } from "../../../src/domain/workspaces/rules.ts"

const now = DateTime.makeUnsafe("2026-03-10T12:00:00.000Z")
const enforced = { enforcedSince: DateTime.makeUnsafe(0) }
const inDays = (days: number, milliseconds = 0) => DateTime.add(now, { days, milliseconds })

const known: Customer = {
  id: CustomerId.make("cus_1"), workspaceId: WorkspaceId.make("01890000-0000-7000-8000-000000000001"),
  cameWithTrial: true, subscriptionId: null, currentPeriodEnd: null, paymentComing: false, readings: 1, answered: 0
}
const charged = { ...known, subscriptionId: "sub_1" }

const one = (facts: Partial<Subscription>): Subscription => ({
  id: "sub_1", status: "active", createdAt: now, ours: true, ofPlan: true, currentPeriodEnd: inDays(30), cancelsAt: null, endedAt: null, paid: true, due: false, plan: "agency", ...facts
})

const unpaid = { paid: false, plan: null } as const

describe("charges", () => {
  it("move the plan once they are paid, and never before", () => {
    assert.deepStrictEqual(settle(known, null, [one({})], now), {
      plan: "agency", subscriptionId: "sub_1", status: "active", endsAt: null, currentPeriodEnd: inDays(30)
    })
    for (const status of ["incomplete", "incomplete_expired", "active", "canceled", "past_due", "trialing"]) {
      assert.isUndefined(settle(known, null, [one({ ...unpaid, status })], now), status)
    }
    assert.isUndefined(settle(known, null, [], now))
    // Of a customer who was charged before: the state counts, and the plan stays.
    assert.include(settle(charged, null, [one(unpaid)], now), { plan: null, status: "active" })
    // Bought here, for a price that is not one of ours any more.
    assert.include(settle(known, null, [one({ plan: null })], now), { plan: null, status: "active" })
  })

  it("that fail leave it past due, until it is over for good", () => {
    assert.deepInclude(settle(charged, null, [one({ ...unpaid, status: "past_due" })], now), { status: "past_due", endsAt: null, plan: null })
    assert.deepInclude(settle(charged, null, [one({ status: "canceled", endedAt: inDays(-2) })], now), { endsAt: inDays(-2) })
    assert.deepInclude(settle(charged, null, [one({ cancelsAt: inDays(9) })], now), { status: "active", endsAt: inDays(9) })
    assert.deepInclude(settle(charged, inDays(9), [one({})], now), { endsAt: null })
  })

  it("over before the trial is, leave the trial's plan; over after it, the plan that lapsed", () => {
    const ended = (endsAt: DateTime.Utc | null) => ({ plan: "agency", subscriptionId: "sub_1", status: "active", endsAt, currentPeriodEnd: null }) as const
    const trial = (end: number, from = end - 7) => ({ cameWithTrial: true, createdAt: inDays(from), trialEndsAt: inDays(end) })
    assert.strictEqual(planOf(ended(inDays(-1)), trial(3), now), "studio")
    assert.strictEqual(planOf(ended(now), trial(3), now), "studio")
    // The same when it is read again later.
    assert.strictEqual(planOf(ended(inDays(-9)), trial(-3), now), "studio")
    assert.strictEqual(planOf(ended(inDays(-3)), trial(-3), now), "agency")
    assert.strictEqual(planOf(ended(inDays(1)), trial(3), now), "agency")
    for (const endsAt of [null, inDays(-1)]) assert.strictEqual(planOf(ended(endsAt), { cameWithTrial: true, createdAt: now, trialEndsAt: null }, now), "agency")
    // An extension made later gives time and no plan.
    assert.strictEqual(planOf(ended(inDays(-3)), trial(14, -10), now), "agency")
    assert.strictEqual(planOf(ended(inDays(-3, -1)), trial(14, -10), now), "studio")
  })

  it("given up are over since we first heard of it, however often we hear", () => {
    for (const status of ["unpaid", "paused"]) {
      assert.deepInclude(settle(charged, null, [one({ ...unpaid, status })], now), { endsAt: now })
      assert.deepInclude(settle(charged, inDays(-4), [one({ ...unpaid, status })], now), { endsAt: inDays(-4) })
      assert.deepInclude(settle(charged, inDays(4), [one({ ...unpaid, status })], now), { endsAt: now })
    }
    // Stripe does not know of it any more.
    assert.deepInclude(settle(charged, null, [], now), { endsAt: now, plan: null })
    assert.deepInclude(settle(charged, inDays(-4), [], now), { endsAt: inDays(-4) })
    // Of another one, nothing was heard before.
    assert.deepInclude(settle(charged, inDays(-4), [one({ id: "sub_2", status: "unpaid", createdAt: inDays(1) })], now), { subscriptionId: "sub_2", endsAt: now })
  })

  it("for something else are none of ours, unless they carry the workspace already", () => {
    const other = one({ id: "sub_2", ours: false, ofPlan: false, plan: null, createdAt: inDays(1) })
    assert.isUndefined(settle(known, null, [other], now))
    assert.include(settle(known, null, [other, one({})], now), { subscriptionId: "sub_1", plan: "agency" })
    assert.deepInclude(settle(charged, null, [other, one({ status: "canceled", endedAt: now })], now), { subscriptionId: "sub_1", endsAt: now })
    assert.deepStrictEqual(surplus(charged, [other, one({})]), [])
    assert.include(settle({ ...known, subscriptionId: "sub_2" }, null, [other], now), { subscriptionId: "sub_2", plan: null })
  })

  it("of several: what holds before what is over, then the newest", () => {
    const old = one({ status: "canceled", endedAt: inDays(-1) })
    const fresh = one({ id: "sub_2", plan: "starter", createdAt: inDays(-1) })
    assert.include(settle(charged, inDays(-1), [old, fresh], now), { subscriptionId: "sub_2", plan: "starter" })
    assert.include(settle(charged, null, [fresh, one({ ...unpaid, status: "past_due" })], now), { subscriptionId: "sub_2" })
    assert.include(settle(charged, null, [fresh, one({})], now), { subscriptionId: "sub_1", plan: "agency" })
    const never = one({ ...unpaid, id: "sub_3", status: "canceled", endedAt: now, createdAt: now })
    assert.deepInclude(settle(charged, inDays(-1), [never, old], now), { subscriptionId: "sub_1", endsAt: inDays(-1) })
  })
})

describe("whether a subscription will be charged again", () => {
  it("is what holds and has no end within its period", () => {
    for (const status of ["active", "trialing", "past_due"]) {
      assert.isTrue(goesOn([one({ status: "canceled", endedAt: now }), one({ id: "sub_2", status })]), status)
      for (const days of [9, 30]) assert.isFalse(goesOn([one({ status, cancelsAt: inDays(days) })]), status)
      assert.isTrue(goesOn([one({ status, cancelsAt: inDays(30, 1) })]), status)
    }
    for (const status of ["canceled", "unpaid", "paused", "incomplete", "incomplete_expired"]) assert.isFalse(goesOn([one({ status })]), status)
    assert.isFalse(goesOn([one({ currentPeriodEnd: null, cancelsAt: inDays(9) })]), "of no period that we know")
    assert.isFalse(goesOn([]))
  })
})

describe("paid for twice", () => {
  const first = one({ createdAt: inDays(-1) })
  const second = one({ id: "sub_2" })

  it("is all that holds beside the newest", () => {
    assert.deepStrictEqual(surplus(known, [first]), [])
    assert.deepStrictEqual(surplus(charged, [first, second]), [first])
    assert.deepStrictEqual(surplus(charged, [second, first]), [first])
    // Created in the same second: the result does not depend on their order.
    const twin = one({ id: "sub_2", createdAt: inDays(-1) })
    assert.deepStrictEqual([surplus(known, [first, twin]), surplus(known, [twin, first])], [[first], [first]])
    assert.deepStrictEqual(surplus(charged, [one({ status: "past_due", ...unpaid }), second]).map(({ id }) => id), ["sub_1"])
    for (const over of [{ status: "canceled", endedAt: now }, { status: "unpaid", ...unpaid }, { status: "incomplete", ...unpaid }] as const) {
      assert.deepStrictEqual(surplus(charged, [one(over), second]), [], over.status)
    }
    assert.deepStrictEqual(surplus(known, [one(unpaid), one({ ...unpaid, id: "sub_2" })]), [], "nothing was charged")
    assert.deepStrictEqual(surplus(charged, [one({ status: "canceled", endedAt: now }), one({ ...unpaid, id: "sub_2", due: true, createdAt: inDays(1) })]).map(({ id }) => id), [], "one that is over, and one that was never paid")
    const late = ["sub_1", "sub_2"].map((id, at) => one({ id, status: "past_due", createdAt: inDays(at) }))
    assert.deepStrictEqual(surplus(charged, late), [late[0]!])
  })

  it("is not what was over, or was to be over, when the other was bought, however late it is ended", () => {
    const before = one({ createdAt: inDays(-365), cancelsAt: now, plan: "studio" })
    const ended = { ...before, status: "canceled", endedAt: inDays(0, 9_000) }
    for (const used of [before, ended, { ...ended, cancelsAt: null, endedAt: inDays(0, -1) }]) {
      assert.deepStrictEqual(surplus(charged, [used, second]), [])
    }
    const later = { ...before, cancelsAt: inDays(0, 1) }
    assert.deepStrictEqual([surplus(charged, [later, second]), isDouble(charged, [later, second], "sub_1")], [[later], true])
  })

  it("is given back unless it is the one that counts, or one of the two was sold elsewhere", () => {
    const over = { status: "canceled", endedAt: now } as const
    assert.deepStrictEqual(["sub_1", "sub_2", "sub_3"].map((id) => isDouble(charged, [first, second], id)), [true, false, false])
    assert.isFalse(isDouble(charged, [first, one({ ...over, id: "sub_2" })], "sub_1"), "alone by now")
    assert.isFalse(isDouble(charged, [one({ ...unpaid, status: "past_due" })], "sub_1"), "alone, and not paid in time")
    assert.isTrue(isDouble(charged, [one(over), second], "sub_1"), "over, and not given back yet")
    const third = one({ id: "sub_3", createdAt: inDays(1) })
    assert.isTrue(isDouble(charged, [one(over), { ...second, ...over }, third], "sub_1"), "nor forgotten where another was bought since")
    for (const sold of [[one({ ours: false }), second], [first, one({ id: "sub_2", ours: false })]]) {
      assert.deepStrictEqual([doubles(charged, sold), isDouble(charged, sold, "sub_1")], [[], false])
    }
  })
})

describe("what settling adds to the audit log", () => {
  const facts = (subscriptionStatus: "active" | "past_due" | null, subscriptionEndsAt: DateTime.Utc | null = null) =>
    ({ trialEndsAt: inDays(-90), needsCharge: false, subscriptionStatus, subscriptionEndsAt })
  const [on, late] = [{ status: "active", endsAt: null }, { status: "past_due", endsAt: null }] as const

  it("is what changed, and nothing when the same is heard again", () => {
    const table: ReadonlyArray<readonly [ReturnType<typeof facts>, Parameters<typeof noted>[1], ReadonlyArray<string>]> = [
      [facts(null), on, ["subscription.started"]],
      [facts("active"), on, []],
      [facts("active"), late, ["subscription.past_due"]],
      [facts("past_due"), late, []],
      [facts("past_due"), on, ["subscription.recovered"]],
      [facts("active"), { ...on, endsAt: inDays(9) }, ["subscription.cancelled"]],
      [facts("active", inDays(9)), { ...on, endsAt: inDays(9) }, []],
      [facts("active", inDays(9)), { ...on, endsAt: inDays(8) }, []],
      [facts("active", inDays(9)), on, ["subscription.resumed"]],
      [facts("past_due"), { ...late, endsAt: inDays(9) }, ["subscription.cancelled"]],
      [facts("past_due"), { ...on, endsAt: now }, ["subscription.ended"]],
      [facts("active", inDays(9)), { ...on, endsAt: now }, ["subscription.ended"]],
      // It ended with its period, as was announced before; what follows is the lapse.
      [facts("active", now), { ...on, endsAt: now }, []],
      [facts("active", inDays(-1)), { ...on, endsAt: inDays(-2) }, []],
      [facts("active", inDays(-1)), on, ["subscription.started"]],
      [facts("past_due", inDays(-1)), late, ["subscription.started", "subscription.past_due"]],
      [facts(null), { ...late, endsAt: inDays(3) }, ["subscription.started", "subscription.past_due", "subscription.cancelled"]]
    ]
    for (const [before, settled, told] of table) assert.deepStrictEqual(noted(before, settled, now), told, JSON.stringify([before, settled]))
  })
})

describe("buying", () => {
  const offers = { starter: {}, studio: { month: "p1", year: "p2" }, agency: { year: "p3" } }
  const facts = { trialEndsAt: now, needsCharge: false, subscriptionStatus: null, subscriptionEndsAt: null } as const

  it("is of what has a price", () => {
    assert.deepStrictEqual(purchasable(offers), { studio: ["month", "year"], agency: ["year"] })
    assert.deepStrictEqual(buy(offers, "studio", "year", facts, now), Result.succeed("p2"))
    for (const plan of ["starter", "agency"] as const) assert.isTrue(Result.isFailure(buy(offers, plan, "month", facts, now)), plan)
  })

  it("waits for what was bought here and is not known yet", () => {
    const found = (...all: ReadonlyArray<Subscription>) => bought(all, now)
    const debit = one({ ...unpaid, due: true })
    assert.strictEqual(found(one({ status: "canceled" }), debit), "on its way")
    for (const all of [[one({})], [debit, one({})], [one({ cancelsAt: inDays(0, 1) })]]) assert.strictEqual(found(...all), "paid")
    const others = [unpaid, { cancelsAt: now }, { ...unpaid, due: true, status: "incomplete" }, { status: "past_due", due: true, paid: false }, { status: "unpaid" }, { ours: false }]
    for (const facts of others) assert.isUndefined(found(one(facts)), JSON.stringify(facts))
    assert.isUndefined(found())
  })

  it("is for those whom no subscription carries", () => {
    for (const subscriptionStatus of ["active", "past_due"] as const) {
      assert.isTrue(Result.isFailure(buy(offers, "studio", "month", { ...facts, subscriptionStatus }, now)))
      assert.isTrue(Result.isFailure(buy(offers, "studio", "month", { ...facts, subscriptionStatus, subscriptionEndsAt: inDays(0, 1) }, now)))
      assert.isTrue(Result.isSuccess(buy(offers, "studio", "month", { ...facts, subscriptionStatus, subscriptionEndsAt: now }, now)))
    }
  })
})

describe("mails", () => {
  const trial = (end: DateTime.Utc) => ({ trialEndsAt: end, needsCharge: false, subscriptionStatus: null, subscriptionEndsAt: null })
  const due = (days: number, milliseconds = 0) => mailDue(trial(now), enforced, inDays(days, milliseconds))?.kind

  it("have their times around the end, each beginning and ending at a millisecond", () => {
    assert.deepStrictEqual([due(-2, -1), due(-2), due(0, -1)], [undefined, "ending", "ending"])
    assert.deepStrictEqual([due(0), due(23, -1)], ["ended", "ended"])
    assert.deepStrictEqual([due(23), due(30, -1), due(30)], ["links_going_down", "links_going_down", undefined])
    assert.deepStrictEqual(mailDue(trial(now), enforced, now), { kind: "ended", end: now, linksDownOn: inDays(30) })
  })

  it("count from when trials are enforced, where the end was before", () => {
    const due = (facts: BillingFacts, days: number, milliseconds = 0) => mailDue(facts, { enforcedSince: now }, inDays(days, milliseconds))
    assert.deepStrictEqual(due(trial(inDays(-200)), 0), { kind: "ended", end: now, linksDownOn: inDays(30) })
    assert.deepStrictEqual([23, 30].map((days) => due(trial(inDays(-200)), days)?.kind), ["links_going_down", undefined])
    assert.deepStrictEqual([0, 1, 31].map((days) => due(trial(inDays(1)), days)?.kind), ["ending", "ended", undefined])
    const over = { ...trial(inDays(-90)), subscriptionStatus: "active", subscriptionEndsAt: inDays(-60) } as const
    assert.deepStrictEqual([0, 23].map((days) => due(over, days)?.kind), [undefined, "links_going_down"])
  })

  it("go where a lapse follows, and nowhere else", () => {
    assert.isUndefined(mailDue(trial(now), "open", now))
    assert.isUndefined(mailDue({ ...trial(now), trialEndsAt: null, needsCharge: true }, enforced, now))
    assert.isUndefined(mailDue({ ...trial(now), subscriptionStatus: "active" }, enforced, now))
    // Stripe tells the customer that a subscription ended; we tell them that their links go down.
    const over = { ...trial(inDays(-90)), subscriptionStatus: "active", subscriptionEndsAt: now } as const
    assert.isUndefined(mailDue(over, enforced, now))
    assert.strictEqual(mailDue(over, enforced, inDays(23))?.kind, "links_going_down")
    // A trial that lasts longer, or was extended, is told of as any other.
    const kinds = (subscriptionEndsAt: DateTime.Utc) => [-2, 0, 23].map((days) => mailDue({ ...over, trialEndsAt: now, subscriptionEndsAt }, enforced, inDays(days))?.kind)
    assert.deepStrictEqual(kinds(inDays(0, -1)), ["ending", "ended", "links_going_down"])
    assert.deepStrictEqual(kinds(now), [undefined, undefined, "links_going_down"])
  })
})
