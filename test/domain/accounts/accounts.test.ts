/** Accounts under the test's clock: what expires when, to the millisecond, and what is mailed. */
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../../src/domain/accounts/accounts.ts"
import { LIMITS } from "../../../src/domain/accounts/rules.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { Seals } from "../../../src/domain/ports/seals.ts"
import { Sessions } from "../../../src/domain/sessions/sessions.ts"
import { houseWith } from "../../support/house.ts"

const PASSWORD = "correct horse battery staple"

/** The waiting mails, opened: nothing delivers them here. */
const waiting = (to: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const seals = yield* Seals
    const rows = yield* Effect.orDie(sql<{ sealed: string }>`SELECT sealed FROM mails WHERE sealed IS NOT NULL ORDER BY id`)
    const mails = yield* Effect.forEach(rows, (row) => seals.open("mail", row.sealed))
    return mails.flatMap((mail) => Option.toArray(mail) as ReadonlyArray<{ _tag: string; to: string; name: string; token: string }>).filter((mail) => mail.to === to)
  })

const signup = (email: string) =>
  Effect.gen(function*() {
    const accounts = yield* Accounts
    yield* accounts.signup({ email, password: PASSWORD, name: undefined }, `address of ${email}`)
    const [mail] = yield* waiting(email)
    return mail!
  })

layer(houseWith())("accounts in time", (it) => {
  it.effect("a verification link works for forty-eight hours less a millisecond, once", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const early = yield* signup("early@example.com")
      const late = yield* signup("late@example.com")
      yield* TestClock.adjust("47 hours")
      yield* TestClock.adjust(3_599_999)
      assert.deepStrictEqual(yield* accounts.verifyEmail(early.token), { email: "early@example.com" })
      yield* TestClock.adjust(1)
      const expired = yield* Effect.flip(accounts.verifyEmail(late.token))
      const used = yield* Effect.flip(accounts.verifyEmail(early.token))
      const unknown = yield* Effect.flip(accounts.verifyEmail("never minted"))
      assert.deepStrictEqual(new Set([expired, used, unknown].map((failure) => JSON.stringify(failure))).size, 1)
      const store = yield* AccountStore
      assert.isFalse(Option.getOrThrow(yield* store.byEmail("late@example.com")).user.emailVerified)
    }))

  it.effect("a session lasts thirty days less a millisecond, and not past its epoch", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const sessions = yield* Sessions
      yield* signup("session@example.com")
      const { session, user } = yield* accounts.login({ email: "session@example.com", password: PASSWORD }, "here")
      yield* TestClock.adjust(30 * 86_400_000 - 1)
      assert.isTrue(Option.isSome(yield* sessions.authenticate(session)))
      yield* TestClock.adjust(1)
      assert.isTrue(Option.isNone(yield* sessions.authenticate(session)))

      const again = yield* accounts.login({ email: "session@example.com", password: PASSWORD }, "here")
      const sql = yield* SqlClient.SqlClient
      yield* Effect.orDie(sql`UPDATE users SET session_epoch = session_epoch + 1 WHERE id = ${user.id}`)
      assert.isTrue(Option.isNone(yield* sessions.authenticate(again.session)))
      assert.isTrue(Option.isNone(yield* sessions.authenticate(`${again.session.slice(0, -2)}xx`)))
      assert.isTrue(Option.isNone(yield* sessions.authenticate("junk")))
    }))

  it.effect("mails one address three times an hour at most, without a word", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const email = "often@example.com"
      for (let index = 0; index < 6; index++) yield* accounts.signup({ email, password: PASSWORD, name: index === 0 ? "Often" : "A stranger" }, `place ${index}`)
      assert.deepStrictEqual((yield* waiting(email)).map(({ _tag, name }) => [_tag, name]), [["VerifyEmail", "Often"], ["AlreadyRegistered", "Often"], ["AlreadyRegistered", "Often"]])
      yield* TestClock.adjust("1 hour")
      yield* accounts.signup({ email, password: PASSWORD, name: "Often" }, "place 7")
      assert.strictEqual((yield* waiting(email)).length, 4)

      for (let index = 0; index < 3; index++) yield* accounts.resendVerification("nobody@example.com")
      assert.strictEqual((yield* Effect.flip(accounts.resendVerification("nobody@example.com")))._tag, "rate_limited")
      assert.deepStrictEqual(yield* waiting("nobody@example.com"), [])
    }))

  it.effect("takes two hundred signups an hour from one address, however they are spread over its minutes", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const outcome = (address: string) => Effect.map(Effect.flip(accounts.signup({ email: "many@example.com", password: "short", name: undefined }, address)), ({ _tag }) => _tag)
      const { limit } = LIMITS.signupByAddress
      for (let at = 0; at < LIMITS.signupByAddressHourly.limit; at++) {
        if (at % limit === 0) yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* outcome("192.0.2.1"), "validation_error", String(at))
      }
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([yield* outcome("192.0.2.1"), yield* outcome("192.0.2.2")], ["rate_limited", "validation_error"])
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* outcome("192.0.2.1"), "validation_error")
    }))

  it.effect("a signup that fails half-way leaves no account, no workspace and no mail", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const sql = yield* SqlClient.SqlClient
      const count = Effect.orDie(Effect.map(sql<{ n: number }>`SELECT (SELECT count(*) FROM workspaces)::int + (SELECT count(*) FROM users)::int AS n`, (rows) => rows[0]!.n))
      const before = yield* count
      yield* Effect.orDie(sql`ALTER TABLE mails RENAME TO mails_away`)
      const exit = yield* Effect.exit(accounts.signup({ email: "half@example.com", password: PASSWORD, name: undefined }, "half"))
      yield* Effect.orDie(sql`ALTER TABLE mails_away RENAME TO mails`)
      assert.strictEqual(exit._tag, "Failure")
      assert.strictEqual(yield* count, before)
      assert.deepStrictEqual(yield* waiting("half@example.com"), [])
    }))
})
