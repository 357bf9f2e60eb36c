/** An invitation's life under the test's clock: pending to the last millisecond, sent again, and what it needs for that. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Email } from "../../../src/domain/accounts/email.ts"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { admit } from "../../../src/domain/administration/rules.ts"
import { DeletionId } from "../../../src/domain/erasure/model.ts"
import { DeletionStore } from "../../../src/domain/erasure/store.ts"
import { Invites } from "../../../src/domain/invites/invites.ts"
import { Inviting } from "../../../src/domain/invites/inviting.ts"
import { MAILS } from "../../../src/domain/invites/rules.ts"
import { RateLimits } from "../../../src/domain/ports/rate-limits.ts"
import { Seals } from "../../../src/domain/ports/seals.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { WorkspaceStore } from "../../../src/domain/workspaces/store.ts"
import { mailbox } from "../../../src/services/database/mailbox.ts"
import { takeTurn } from "../../../src/workers/deliver-mail.ts"
import { houseWith } from "../../support/house.ts"

const address = Schema.decodeSync(Email)
const [guest, friend, third] = ["guest@example.com", "friend@example.com", "third@example.com"].map((email) => address(email)) as [Email, Email, Email]

const admin = Effect.fnUntraced(function*() {
  const accounts = yield* AccountStore
  const tokens = yield* Tokens
  const now = yield* DateTime.now
  const id = UserId.make(yield* tokens.uuid)
  const workspaceId = WorkspaceId.make(yield* tokens.uuid)
  const home = { id: workspaceId, name: "Home", plan: "studio" as const, trialEndsAt: DateTime.add(now, { days: 7 }) }
  yield* accounts.create({ id, email: `${id}@example.com`, name: "Ada", passwordHash: "none", home }, now)
  yield* accounts.verifyEmail(id, now)
  return { user: Option.getOrThrow(yield* accounts.find(id)), workspaceId }
})

/** The links that wait in the outbox, removed from it. */
const links = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const seals = yield* Seals
  const rows = yield* Effect.orDie(sql<{ sealed: string }>`DELETE FROM mails WHERE kind = 'Invitation' AND coalesce(sent_at, dead_at) IS NULL RETURNING sealed`)
  const mails = yield* Effect.forEach(rows, (row) => seals.open("mail", row.sealed))
  return mails.map((mail) => (Option.getOrThrow(mail) as { token: string }).token)
})

const accept = (token: string) => Invites.use((invites) => invites.accept({ token, name: "Gus", password: undefined }, undefined, "10.0.0.1"))

layer(houseWith())("inviting", (it) => {
  it.effect("is pending for seven days less a millisecond, and is sent again for seven more", () =>
    Effect.gen(function*() {
      const inviting = yield* Inviting
      const store = yield* WorkspaceStore
      const host = yield* admin()
      const statuses = Effect.map(inviting.list(host), (all) => all.map(({ email, status }) => [email, status]))
      const seats = Effect.flatMap(DateTime.now, (now) => store.seatsTaken(host.workspaceId, now))

      const first = yield* inviting.create(host, { email: guest, role: "admin" })
      yield* TestClock.adjust("604799999 millis")
      assert.deepStrictEqual([yield* statuses, yield* seats], [[[guest, "pending"]], 2])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual([yield* statuses, yield* seats], [[[guest, "expired"]], 1])
      const [old] = yield* links
      assert.strictEqual((yield* Effect.flip(accept(old!)))._tag, "invalid_token")

      const second = yield* inviting.resend(host, first.id)
      assert.deepStrictEqual([second.email, second.role, second.status, second.id === first.id], [guest, "admin", "pending", false])
      assert.strictEqual(DateTime.toEpochMillis(second.expiresAt), DateTime.toEpochMillis(first.expiresAt) + 604_800_000)
      assert.deepStrictEqual([yield* statuses, yield* seats], [[[guest, "pending"]], 2])
      yield* TestClock.adjust("604799999 millis")
      const [fresh, ...more] = yield* links
      assert.deepStrictEqual(more, [])
      assert.strictEqual((yield* Effect.flip(accept(old!)))._tag, "invalid_token")
      assert.strictEqual((yield* accept(fresh!)).user.email, guest)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual([yield* statuses, yield* seats], [[[guest, "accepted"]], 2])
      assert.strictEqual((yield* Effect.flip(inviting.resend(host, second.id)))._tag, "not_found")
    }))

  it.effect("needs a seat again once it has expired, and none while it holds one", () =>
    Effect.gen(function*() {
      const inviting = yield* Inviting
      const host = yield* admin()
      const store = yield* WorkspaceStore
      for (let joined = 0; joined < 3; joined++) {
        yield* store.join((yield* admin()).user.id, { workspaceId: host.workspaceId, role: "member", isOwner: false }, yield* DateTime.now)
      }
      const first = yield* inviting.create(host, { email: friend, role: "member" })
      const held = yield* inviting.resend(host, first.id)
      yield* TestClock.adjust("604799999 millis")
      assert.strictEqual((yield* Effect.flip(inviting.create(host, { email: third, role: "member" })))._tag, "quota_exceeded")
      yield* TestClock.adjust("1 millis")
      const taker = yield* inviting.create(host, { email: third, role: "member" })
      yield* links
      const full = yield* Effect.flip(inviting.resend(host, held.id))
      assert.deepStrictEqual([full._tag, full.field, yield* links], ["quota_exceeded", "members", []])
      assert.deepStrictEqual((yield* inviting.list(host)).map(({ email, status }) => [email, status]), [[third, "pending"], [friend, "expired"]])
      yield* inviting.cancel(host, taker.id)
      assert.strictEqual((yield* inviting.resend(host, held.id)).status, "pending")
    }))

  it.effect("sends no link that opens nothing by the time a mail server takes it", () =>
    Effect.gen(function*() {
      const inviting = yield* Inviting
      const [host, gone] = [yield* admin(), yield* admin()]
      const [expired, takenBack, twice, erased] = ["expired", "taken-back", "twice", "erased"].map((name) => address(`${name}@example.com`)) as [Email, Email, Email, Email]
      yield* inviting.create(host, { email: expired, role: "member" })
      yield* TestClock.adjust("7 days")
      const { id } = yield* inviting.create(host, { email: takenBack, role: "member" })
      yield* inviting.cancel(host, id)
      const { id: first } = yield* inviting.create(host, { email: twice, role: "member" })
      yield* inviting.resend(host, first)
      yield* inviting.create(gone, { email: erased, role: "member" })
      const deletion = DeletionId.make(yield* Tokens.use((tokens) => tokens.uuid))
      const now = yield* DateTime.now
      yield* (yield* DeletionStore).schedule({ id: deletion, targetType: "workspace", targetId: gone.workspaceId, requestedBy: gone.user.id, requestedAt: now, eraseOn: DateTime.add(now, { days: 30 }) }, [gone.workspaceId])
      yield* Effect.repeat(takeTurn(), { while: (some) => some })
      assert.deepStrictEqual((yield* (yield* mailbox).list).map(({ to }) => to), [twice])
    }))

  it.effect("makes no owner of what is to be erased, until it is restored", () =>
    Effect.gen(function*() {
      const inviting = yield* Inviting
      const deletions = yield* DeletionStore
      const [host, platform] = [yield* admin(), yield* admin()]
      const by = Result.getOrThrow(admit(platform.user, new Set([platform.user.email])))
      const now = yield* DateTime.now
      const id = DeletionId.make(yield* Tokens.use((tokens) => tokens.uuid))
      const target = { type: "workspace", id: host.workspaceId } as const
      yield* deletions.schedule({ id, targetType: target.type, targetId: target.id, requestedBy: host.user.id, requestedAt: now, eraseOn: DateTime.add(now, { days: 30 }) }, [host.workspaceId])
      yield* links
      const refused = yield* Effect.flip(inviting.createOwner(by, host.workspaceId, friend))
      assert.deepStrictEqual([refused._tag, refused.field, yield* links], ["conflict", "workspace", []])
      yield* deletions.restore(Option.getOrThrow(yield* deletions.restorable(target)), platform.user.id, now)
      assert.isTrue((yield* inviting.createOwner(by, host.workspaceId, friend)).grantsOwnership)
      const [lost] = yield* links
      // Whose mail is lost may be sent another, and the lost link no longer works.
      yield* inviting.createOwner(by, host.workspaceId, friend)
      assert.lengthOf(yield* links, 1)
      assert.strictEqual((yield* Effect.flip(accept(lost!)))._tag, "invalid_token")
    }))

  it.effect("is mailed a limited number of times an hour, and a refused one leaves no trace", () =>
    Effect.gen(function*() {
      const inviting = yield* Inviting
      const host = yield* admin()
      const limits = yield* RateLimits
      for (let mails = 1; mails < MAILS.limit; mails++) yield* limits.consume(MAILS, host.workspaceId)
      yield* inviting.create(host, { email: friend, role: "member" })
      yield* links
      const before = yield* inviting.list(host)
      const refused = yield* Effect.flip(inviting.create(host, { email: friend, role: "admin" }))
      assert.deepStrictEqual([refused._tag, yield* links, yield* inviting.list(host)], ["rate_limited", [], before])
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* inviting.create(host, { email: friend, role: "admin" })).role, "admin")
    }))
})
