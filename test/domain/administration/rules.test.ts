/** Who administers, and extending a trial as a decision: to the millisecond, and never where a subscription carries the workspace. */
import { assert, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import type { User } from "../../../src/domain/accounts/model.ts"
import { admit, extend, LONGEST_TRIAL } from "../../../src/domain/administration/rules.ts"
import type { Trial } from "../../../src/domain/administration/rules.ts"

const now = DateTime.makeUnsafe("2026-11-21T12:00:00Z")
const after = (ms: number) => DateTime.add(now, { milliseconds: ms })
const trial: Trial = { trialEndsAt: after(1000), subscriptionStatus: null, subscriptionEndsAt: null, erasesOn: null }

const verdict = (facts: Partial<Trial>, until: DateTime.Utc) =>
  Result.match(extend({ ...trial, ...facts }, until, now), { onSuccess: () => "yes", onFailure: ({ _tag }) => _tag })

it("platform administrators are those who proved an address that is listed", () => {
  const listed = new Set(["ada@example.com"])
  const user = (email: string, emailVerified: boolean) => ({ email, emailVerified }) as User
  const [ada, unproven, other] = [user("ada@example.com", true), user("ada@example.com", false), user("bob@example.com", true)]
  assert.strictEqual(Result.getOrThrow(admit(ada, listed)), ada)
  for (const [one, admins] of [[unproven, listed], [other, listed], [ada, new Set<string>()]] as const) {
    assert.strictEqual(Result.getOrThrow(Result.flip(admit(one, admins)))._tag, "forbidden")
  }
})

it("an end is later than now and than the one there is, and not too far off", () => {
  const longest = DateTime.add(now, LONGEST_TRIAL)
  const ends = [now, after(1), after(1000), after(1001), longest, DateTime.add(longest, { milliseconds: 1 })]
  assert.deepStrictEqual(ends.map((end) => verdict({}, end)), ["validation_error", "validation_error", "validation_error", "yes", "yes", "validation_error"])
  assert.deepStrictEqual(ends.map((end) => verdict({ trialEndsAt: null }, end)), ["validation_error", "yes", "yes", "yes", "yes", "validation_error"])
  assert.strictEqual(verdict({ trialEndsAt: after(-1000) }, after(1)), "yes")
})

it("a paying workspace has no trial until the subscription is over; a deleted one has to be restored first", () => {
  assert.strictEqual(verdict({ subscriptionStatus: "active" }, after(2000)), "conflict")
  assert.strictEqual(verdict({ subscriptionStatus: "past_due" }, after(2000)), "conflict")
  assert.strictEqual(verdict({ subscriptionStatus: "active", subscriptionEndsAt: after(1) }, after(2000)), "conflict")
  assert.strictEqual(verdict({ subscriptionStatus: "active", subscriptionEndsAt: now }, after(2000)), "yes")
  assert.strictEqual(verdict({ erasesOn: after(1) }, after(2000)), "conflict")
})
