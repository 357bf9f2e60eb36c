/** Device grants as decisions: codes, states to the millisecond, names that strangers give themselves. */
import { assert, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { DeviceGrant } from "../../../src/domain/device-grants/model.ts"
import { DeviceGrantId } from "../../../src/domain/device-grants/model.ts"
import * as Rules from "../../../src/domain/device-grants/rules.ts"

const start = DateTime.makeUnsafe("2026-11-21T12:00:00Z")
const after = (ms: number) => DateTime.add(start, { milliseconds: ms })
const grant: DeviceGrant = {
  id: DeviceGrantId.make("018f2f3e-0000-7000-8000-000000000001"),
  userCode: "ABCDEFGH2", client: "cli", address: "10.0.0.1", clientId: null,
  requestedAt: start, expiresAt: Rules.expiry(start),
  polledAt: null, userId: null, approvedAt: null, deniedAt: null, consumedAt: null
}

it("a user code is nine symbols without look-alikes, each as likely as another", () => {
  const seen = new Map<string, number>()
  for (let byte = 0; byte < 256; byte++) {
    const code = Rules.userCodeFrom(new Uint8Array(9).fill(byte))
    assert.match(code, /^[A-HJ-NP-Z2-9]{9}$/)
    seen.set(code, (seen.get(code) ?? 0) + 1)
  }
  assert.strictEqual(seen.size, 32)
  assert.isTrue([...seen.values()].every((times) => times === 8))
})

it("codes compare without case, dash and spaces", () => {
  const code = Rules.shownUserCode(grant.userCode)
  assert.strictEqual(code, "ABCDE-FGH2")
  for (const typed of [code, "abcde-fgh2", "abcdefgh2", " ABCDE – FGH2 ", "a-b-c-d-e-f-g-h-2"]) {
    assert.strictEqual(Rules.normaliseUserCode(typed), grant.userCode, typed)
  }
})

it("states follow the facts, to the millisecond", () => {
  assert.strictEqual(Rules.stateOf(grant, after(899_999)), "pending")
  assert.strictEqual(Rules.stateOf(grant, after(900_000)), "expired")
  assert.strictEqual(Rules.stateOf({ ...grant, approvedAt: start }, after(899_999)), "approved")
  assert.strictEqual(Rules.stateOf({ ...grant, approvedAt: start }, after(900_000)), "expired")
  assert.strictEqual(Rules.stateOf({ ...grant, deniedAt: start }, start), "denied")
  assert.strictEqual(Rules.stateOf({ ...grant, approvedAt: start, consumedAt: start }, after(900_000)), "consumed")
})

it("says how long to wait in whole seconds, one to five", () => {
  assert.deepStrictEqual([0, 1, 4_000, 4_001, 4_999, 9_000].map((ms) => Rules.retryAfterSeconds(start, after(ms))), [5, 5, 1, 1, 1, 1])
})

it("a client's word of itself is one line of at most a hundred characters", () => {
  assert.strictEqual(Rules.clientName(undefined), "An unnamed client")
  assert.strictEqual(Rules.clientName(" \u202e\n "), "An unnamed client")
  assert.strictEqual(Rules.clientName("svc\r\n cli\u0000/1"), "svc cli /1")
  assert.strictEqual(Rules.clientName("x".repeat(300)).length, 100)
  assert.isTrue(Rules.clientName("😀".repeat(80)).isWellFormed())
  assert.strictEqual(Rules.clientName("\u3164\u115f\u2800"), "An unnamed client")
  assert.deepStrictEqual(["👩‍💻 Café", "Cafe\u0301"].map(Rules.clientName), ["👩‍💻 Café", "Café"])
})
