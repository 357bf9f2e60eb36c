/** The callback rules, linking and unlinking as plain decisions. */
import { DateTime } from "effect"
import { assert, describe, it } from "vitest"
import type { User } from "../../../src/domain/accounts/model.ts"
import { UserId } from "../../../src/domain/accounts/model.ts"
import * as Rules from "../../../src/domain/idp/rules.ts"
import type { Identity } from "../../../src/domain/ports/identity-provider.ts"

const now = DateTime.makeUnsafe("2026-01-02T03:04:05.678Z")

const user = (facts: Partial<User> = {}): User => ({
  id: UserId.make("01890000-0000-7000-8000-000000000001"),
  name: "Ada",
  email: "ada@example.com",
  emailVerified: true,
  hasPassword: false,
  idpLinked: false,
  sessionEpoch: 0,
  createdAt: now,
  ...facts
})

const other = user({ id: UserId.make("01890000-0000-7000-8000-000000000002"), email: "bob@example.com" })

const identity = (facts: Partial<Identity> = {}): Identity =>
  ({ subject: "ada", email: "ada@example.com", emailVerified: true, name: "Ada", ...facts })

const known = (facts: Partial<Rules.Known> = {}): Rules.Known => ({ bySubject: undefined, byEmail: undefined, invited: false, ...facts })

describe("who may sign in", () => {
  const linked = user({ idpLinked: true })
  const table: ReadonlyArray<readonly [string, Identity, Rules.Known, Rules.Entry["_tag"]]> = [
    ["1 an unverified address, whoever it is", identity({ emailVerified: false }), known({ bySubject: linked, byEmail: linked, invited: true }), "Refuse"],
    ["2 a subject we know", identity(), known({ bySubject: linked }), "SignIn"],
    ["2 before the address counts", identity(), known({ bySubject: linked, byEmail: user({ hasPassword: true }) }), "SignIn"],
    ["2 without any address", identity({ email: null }), known({ bySubject: linked }), "SignIn"],
    ["3 an account with neither password nor link", identity(), known({ byEmail: user() }), "LinkAndSignIn"],
    ["3 the same, unverified", identity(), known({ byEmail: user({ emailVerified: false }) }), "LinkAndSignIn"],
    ["3 an account with a password", identity(), known({ byEmail: user({ hasPassword: true }) }), "Refuse"],
    ["3 an account linked to somebody else", identity(), known({ byEmail: linked }), "Refuse"],
    ["3 an account with both, invited besides", identity(), known({ byEmail: user({ hasPassword: true, idpLinked: true }), invited: true }), "Refuse"],
    ["4 a stranger who was invited", identity(), known({ invited: true }), "Join"],
    ["4 nobody without an address", identity({ email: null }), known({ invited: true }), "Refuse"],
    ["5 a stranger", identity(), known(), "Refuse"]
  ]
  for (const [name, who, facts, verdict] of table) {
    it(name, () => assert.strictEqual(Rules.enter(who, facts)._tag, verdict))
  }

  it("rule 2 goes by the subject where subject and address name two accounts", () =>
    assert.deepStrictEqual(Rules.enter(identity(), known({ bySubject: other, byEmail: user() })), { _tag: "SignIn", user: other }))
})

it("one account has one identity, and one identity one account", () => {
  const linked = user({ idpLinked: true })
  assert.strictEqual(Rules.link(user({ hasPassword: true }), identity({ email: "else@example.com" }), undefined), "link")
  assert.strictEqual(Rules.link(linked, identity(), linked), "linked")
  assert.strictEqual(Rules.link(linked, identity(), undefined), "conflict")
  assert.strictEqual(Rules.link(user(), identity(), other), "conflict")
  assert.strictEqual(Rules.link(user(), identity({ emailVerified: false }), undefined), "email_not_verified")
})

it("nobody unlinks the only way in", () => {
  assert.strictEqual(Rules.unlink(user({ hasPassword: true })), "not_linked")
  assert.strictEqual(Rules.unlink(user({ idpLinked: true })), "no_password")
  assert.strictEqual(Rules.unlink(user({ idpLinked: true, hasPassword: true })), "unlink")
})

it("the sealed state in the browser is valid for ten minutes, to the millisecond", () => {
  const attempt: Rules.Attempt = { checks: { state: "s", nonce: "n", verifier: "v" }, at: DateTime.toEpochMillis(now), linkFor: null }
  assert.isFalse(Rules.isOver(attempt, DateTime.add(now, { minutes: 10, milliseconds: -1 })))
  assert.isTrue(Rules.isOver(attempt, DateTime.add(now, { minutes: 10 })))
})
