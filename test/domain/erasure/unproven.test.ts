/** Accounts whose address nobody proves: what they may wait for, what goes with them, and what keeps one. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../src/domain/accounts/accounts.ts"
import type { User } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { Erasing } from "../../../src/domain/erasure/erasing.ts"
import { Erasure } from "../../../src/domain/erasure/erasure.ts"
import type { DeletionId } from "../../../src/domain/erasure/model.ts"
import { Projects } from "../../../src/domain/projects/projects.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { Workspaces } from "../../../src/domain/workspaces/workspaces.ts"
import { rows } from "../../support/database.ts"
import { houseWith } from "../../support/house.ts"
import { locked, waiting } from "../../support/locked.ts"
import { at, DAY, signedUp } from "../../support/moments.ts"
import { PASSWORD } from "../../support/service.ts"

const NOON = Date.UTC(2027, 0, 31, 12, 0, 0, 123)
const DUE = NOON + 30 * DAY

const found = (email: string) => Effect.map(AccountStore.use((store) => store.byEmail(email)), Option.map(({ user }) => user))

/** Signed up, and the mail never read. */
const unproven = Effect.fnUntraced(function*(email: string) {
  yield* Accounts.use((accounts) => accounts.signup({ email, password: PASSWORD, name: undefined }, `address of ${email}`))
  return Option.getOrThrow(yield* found(email))
})

/** As a form without files does. */
const empty = (user: User, slug: string) => Publishing.use((publishing) => publishing.create(user, () => Effect.succeed({ slug })))

const abandoned = Erasure.use((erasure) => erasure.abandonUnproven())
const eraseAll = Effect.gen(function*() {
  const due = yield* rows("SELECT id FROM deletions WHERE erased_at IS NULL")
  for (const { id } of due) yield* Erasing.use((erasing) => erasing.erase(id as DeletionId))
})

layer(houseWith({}))("an account that nobody confirms", (it) => {
  it.effect("goes thirty days after it was made, to the millisecond, with its names; its address can sign up anew", () =>
    Effect.gen(function*() {
      const user = yield* at(NOON, unproven("never@example.com"))
      const proven = yield* at(NOON, signedUp("proven@example.com"))
      yield* at(NOON, empty(user, "wanted-name"))
      assert.strictEqual(yield* at(DUE - 1, abandoned), 0)
      assert.isTrue(Option.isSome(yield* found("never@example.com")))
      assert.strictEqual(yield* at(DUE, abandoned), 1)
      assert.isTrue(Option.isNone(yield* found("never@example.com")))
      assert.strictEqual(yield* at(DUE, abandoned), 0)
      yield* at(DUE, eraseAll)
      assert.deepStrictEqual(yield* rows("SELECT email FROM users WHERE id = ANY($1::uuid[])", [user.id, proven.user.id]), [{ email: "proven@example.com" }])
      const free = yield* at(DUE, Projects.use((projects) => projects.available(proven.user, "wanted-name", undefined)))
      assert.isTrue(free.available)
      const again = yield* at(DUE, signedUp("never@example.com"))
      assert.notStrictEqual(again.user.id, user.id)
      assert.strictEqual(yield* at(DUE + 30 * DAY, abandoned), 0)
    }))

  it.effect("goes though another one, which somebody holds, cannot go this time", () =>
    Effect.gen(function*() {
      const both = [yield* at(NOON, unproven("one@example.com")), yield* at(NOON, unproven("two@example.com"))]
      const [first, second] = both.sort((a, b) => a.id < b.id ? -1 : 1)
      const free = yield* locked(`SELECT 1 FROM users WHERE id = '${first!.id}' FOR UPDATE`)
      assert.strictEqual(yield* at(DUE, abandoned), 1)
      yield* free
      assert.deepStrictEqual([Option.isSome(yield* found(first!.email)), Option.isSome(yield* found(second!.email))], [true, false])
      assert.strictEqual(yield* at(DUE, abandoned), 1)
    }))

  it.effect("stays where it was proven meanwhile, somebody pays for it, others work in it, or an administrator brought it back", () =>
    Effect.gen(function*() {
      const [late, paid] = [yield* at(NOON, unproven("late@example.com")), yield* at(NOON, unproven("paid@example.com"))]
      const [shared, back] = [yield* at(NOON, unproven("shared@example.com")), yield* at(NOON, unproven("back@example.com"))]
      const other = yield* at(NOON, signedUp("other@example.com"))
      const homeOf = (user: User) => Effect.map(Workspaces.use((workspaces) => workspaces.of(user.id)), ([home]) => home!.id)
      yield* rows("UPDATE workspaces SET subscription_status = 'active', subscription_ends_at = $2 WHERE id = $1", yield* homeOf(paid), new Date(DUE + DAY))
      yield* rows("INSERT INTO members (workspace_id, user_id, role, joined_at) VALUES ($1, $2, 'member', now())", yield* homeOf(shared), other.user.id)
      yield* rows("INSERT INTO deletions (id, target_type, target_id, requested_by, requested_at, erase_on, restored_at, restored_by) VALUES (gen_random_uuid(), 'user', $1, $1, now(), now(), now(), $2)", back.id, other.user.id)
      // The sweep has found it, and waits while somebody proves it.
      const commit = yield* locked(`UPDATE users SET email_verified_at = now() WHERE id = '${late.id}'`)
      const sweep = yield* Effect.forkChild(at(DUE, abandoned))
      yield* Effect.repeat(SqlClient.SqlClient.use(waiting), { until: (many) => many > 0 })
      yield* commit
      assert.strictEqual(yield* Fiber.join(sweep), 0)
      for (const { email } of [late, paid, shared, back]) assert.isTrue(Option.isSome(yield* found(email)), email)
    }))
})
