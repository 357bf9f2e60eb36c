/** What a deletion leaves to others: who administers what is restored, lists that held the address, their logs; and no erasure starves another. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { User } from "../../../src/domain/accounts/model.ts"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { PlatformAdmins } from "../../../src/domain/administration/platform-admins.ts"
import { Erasing } from "../../../src/domain/erasure/erasing.ts"
import { Erasure } from "../../../src/domain/erasure/erasure.ts"
import type { DeletionId, Target } from "../../../src/domain/erasure/model.ts"
import { ErasingStore } from "../../../src/domain/erasure/store.ts"
import { Invites } from "../../../src/domain/invites/invites.ts"
import { Mail, Mailer } from "../../../src/domain/ports/mailer.ts"
import { Passwords } from "../../../src/domain/ports/passwords.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import type { Role } from "../../../src/domain/workspaces/model.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { WorkspaceStore } from "../../../src/domain/workspaces/store.ts"
import { FORMER_USER } from "../../../src/services/database/erasure.ts"
import { rows } from "../../support/database.ts"
import { houseWith } from "../../support/house.ts"
import { locked, waiting } from "../../support/locked.ts"
import { at } from "../../support/moments.ts"

const DAY = 86_400_000
const NOON = Date.UTC(2027, 0, 31, 12, 0, 0, 123)
const PASSWORD = "correct horse battery staple"
const ROOT = "root@example.com"

const hash = Effect.runSync(Effect.cached(Effect.suspend(() => Passwords.use((passwords) => passwords.hash(PASSWORD, "test")))))

let made = 0

const person = Effect.fnUntraced(function*({ email = `person-${++made}@example.com`, verified = true }: { readonly email?: string; readonly verified?: boolean } = {}) {
  const store = yield* AccountStore
  const now = yield* DateTime.now
  const id = UserId.make(yield* (yield* Tokens).uuid)
  const home = { id: WorkspaceId.make(yield* (yield* Tokens).uuid), name: "Home", plan: "agency", trialEndsAt: DateTime.add(now, { days: 90 }) } as const
  yield* store.create({ id, email, name: "Ada", passwordHash: yield* hash, home }, now)
  if (verified) yield* store.verifyEmail(id, now)
  return { user: Option.getOrThrow(yield* store.find(id)), home: home.id }
})

const joined = (user: User, workspaceId: WorkspaceId, role: Role) =>
  Effect.flatMap(DateTime.now, (now) => WorkspaceStore.use((store) => store.join(user.id, { workspaceId, role, isOwner: false }, now)))

const deleteAccount = (user: User) => Erasure.use((erasure) => erasure.deleteAccount(user, PASSWORD))
const deleteWorkspace = (user: User, workspace: WorkspaceId) => Erasure.use((erasure) => erasure.deleteWorkspace(user, undefined, { workspace, password: PASSWORD }))
const deletionOf = (id: string) => Effect.map(rows("SELECT id FROM deletions WHERE target_id = $1", id), ([row]) => row!["id"] as DeletionId)
const erase = (id: string) => at(NOON + 30 * DAY, Effect.flatMap(deletionOf(id), (deletion) => Erasing.use((erasing) => erasing.erase(deletion))))
const members = (id: WorkspaceId) => Effect.map(WorkspaceStore.use((store) => store.members(id)), (all) => all.map(({ role, userId }) => [userId, role]))

const log = (id: WorkspaceId) =>
  Effect.map(rows("SELECT action, actor_id, target FROM audit_entries WHERE workspace_id = $1 ORDER BY id", id), (all) =>
    all.map(({ action, actor_id, target }) => [action, actor_id, target] as const))

layer(houseWith({ SVC_PLATFORM_ADMINS: ROOT }))("deletion", (it) => {
  let known: User | undefined
  const restore = (target: Target) =>
    Effect.gen(function*() {
      known ??= (yield* person({ email: ROOT })).user
      const by = yield* PlatformAdmins.use(({ admit }) => admit(known!))
      return yield* Erasure.use((erasure) => erasure.restore(by, target))
    })

  it.effect("brings no workspace back without somebody to look after it, and says whom to bring back first", () =>
    at(NOON, Effect.gen(function*() {
      const [owner, plain] = [yield* person(), yield* person()]
      yield* joined(plain.user, owner.home, "member")
      yield* deleteWorkspace(owner.user, owner.home)
      yield* deleteAccount(owner.user)
      const refused = yield* Effect.flip(restore({ type: "workspace", id: owner.home }))
      assert.deepStrictEqual([refused._tag, refused.details], ["conflict", { restore_first: [{ target_type: "user", target_id: owner.user.id }] }])
      assert.deepStrictEqual(yield* members(owner.home), [])
      assert.isEmpty((yield* log(owner.home)).filter(([action]) => action === "workspace.restored"))
      assert.deepStrictEqual(yield* restore({ type: "user", id: owner.user.id }), { restored: true })
      assert.deepStrictEqual(yield* restore({ type: "workspace", id: owner.home }), { restored: true })
      assert.deepStrictEqual(yield* members(owner.home), [[owner.user.id, "admin"], [plain.user.id, "member"]])

      // Another admin who remains is enough.
      const [one, other] = [yield* person(), yield* person()]
      yield* joined(other.user, one.home, "admin")
      yield* deleteWorkspace(one.user, one.home)
      yield* deleteAccount(one.user)
      assert.deepStrictEqual(yield* restore({ type: "workspace", id: one.home }), { restored: true })
      assert.lengthOf(yield* members(one.home), 2)

      // A workspace deleted with an account is restored with it, together with its admin.
      const alone = yield* person()
      yield* deleteAccount(alone.user)
      assert.deepStrictEqual(yield* restore({ type: "user", id: alone.user.id }), { restored: true })
      assert.deepStrictEqual(yield* members(alone.home), [[alone.user.id, "admin"]])

      // An account whose erasure has begun cannot be restored, so it is not named.
      const late = yield* person()
      yield* deleteWorkspace(late.user, late.home)
      yield* deleteAccount(late.user)
      yield* rows("UPDATE deletions SET begun_at = now() WHERE target_id = $1", late.user.id)
      const lost = yield* Effect.flip(restore({ type: "workspace", id: late.home }))
      assert.deepStrictEqual([lost._tag, lost.details], ["conflict", { restore_first: [] }])
    })))

  it.effect("of the last admin’s account and restoring their workspace do not both happen", () =>
    at(NOON, Effect.gen(function*() {
      for (let round = 0; round < 6; round++) {
        const [owner, plain] = [yield* person(), yield* person()]
        yield* joined(plain.user, owner.home, "member")
        yield* deleteWorkspace(owner.user, owner.home)
        yield* Effect.all([Effect.result(deleteAccount(owner.user)), Effect.result(restore({ type: "workspace", id: owner.home }))], { concurrency: "unbounded" })
        const [{ back, dark }] = (yield* rows(
          "SELECT (SELECT deletion_id IS NULL FROM workspaces WHERE id = $1) AS back, (SELECT deletion_id IS NOT NULL FROM users WHERE id = $2) AS dark",
          owner.home, owner.user.id)) as [Record<string, unknown>]
        assert.notStrictEqual(back, dark)
      }
    })))

  it.effect("of an account takes it into no workspace whose invitation it accepts at that moment, and leaves the invitation", () =>
    at(NOON, Effect.gen(function*() {
      const [leaver, host] = [yield* person(), yield* person()]
      const tokens = yield* Tokens
      const [id, { hash: tokenHash, raw }] = [yield* tokens.uuid, yield* tokens.mint()]
      yield* rows(`INSERT INTO invites (id, workspace_id, email, role, grants_ownership, token_hash, invited_by, created_at, expires_at)
        VALUES ($1, $2, $3, 'admin', true, $4, $5, $6, $6::timestamptz + interval '7 days')`, id, host.home, leaver.user.email, tokenHash, host.user.id, new Date(NOON))
      const letGo = yield* locked(`SELECT 1 FROM workspaces WHERE id = '${host.home}' FOR UPDATE`)
      const accepting = yield* Effect.forkChild(Effect.flip(Invites.use((invites) =>
        invites.accept({ token: raw, name: undefined, password: undefined }, { user: leaver.user, confirm: Effect.void }, "10.0.0.1"))))
      yield* TestClock.withLive(Effect.repeat(
        Effect.delay(SqlClient.SqlClient.use(waiting), "10 millis"),
        { until: (many) => many > 0 }))
      yield* deleteAccount(leaver.user)
      yield* letGo
      assert.strictEqual((yield* Fiber.join(accepting))._tag, "account_exists")
      assert.deepStrictEqual(yield* members(host.home), [[host.user.id, "admin"]])
      assert.deepStrictEqual(yield* rows("SELECT accepted_at FROM invites WHERE id = $1", id), [{ accepted_at: null }])
    })))

  it.effect("removes a proven address from others’ lists and invitations with its account, and tells their admins by ids", () =>
    at(NOON, Effect.gen(function*() {
      const [leaver, host, far] = [yield* person(), yield* person(), yield* person()]
      const { email } = leaver.user
      const { uuid } = yield* Tokens
      const [folder, farFolder, drafts, project, pending, expired, accepted, other] = yield* Effect.all([uuid, uuid, uuid, uuid, uuid, uuid, uuid, uuid])
      yield* joined(leaver.user, host.home, "member")
      for (const [id, { home, user }] of [[folder, host], [farFolder, far]] as const) {
        yield* rows("INSERT INTO folders (id, workspace_id, name, sharing, created_by, created_at, updated_at, comment_emails) VALUES ($1, $2, 'F', 'team', $3, now(), now(), $4)", id, home, user.id, ["a@example.com", email])
      }
      yield* rows("INSERT INTO folders (id, workspace_id, name, sharing, created_by, created_at, updated_at) VALUES ($1, $2, 'Drafts', 'private', $3, now(), now())", drafts, host.home, leaver.user.id)
      yield* rows("UPDATE workspaces SET comment_emails = $2 WHERE id = $1", far.home, [email])
      yield* rows(`
        INSERT INTO projects (id, workspace_id, owner_id, slug, title, visibility, comments_enabled, comment_access, comment_allowlist_inherit, html_display_mode, indexable, created_at, updated_at, comment_emails)
        VALUES ($1, $2, $3, $4, 'T', 'public', true, 'allowlist', true, 'auto', false, now(), now(), $5)`, project, far.home, far.user.id, `named-${made}`, [email, "b@example.com"])
      const invite = (id: string, to: string, days: number) =>
        rows(`INSERT INTO invites (id, workspace_id, email, role, token_hash, invited_by, created_at, expires_at)
          VALUES ($1, $2, $3, 'admin', gen_random_uuid()::text, $4, $5, $5::timestamptz + interval '7 days')`, id, far.home, to, far.user.id, new Date(NOON + days * DAY))
      yield* invite(pending, email, 29)
      yield* invite(other, `not-${email}`, 29)
      yield* rows("INSERT INTO invites (id, workspace_id, email, role, token_hash, invited_by, created_at, expires_at) VALUES ($1, $2, $3, 'member', gen_random_uuid()::text, $4, now(), now())", expired, host.home, email, host.user.id)
      // Accepted, it goes too, and nobody cancelled it.
      yield* rows("INSERT INTO invites (id, workspace_id, email, role, token_hash, invited_by, created_at, expires_at, accepted_at) VALUES ($1, $2, $3, 'member', gen_random_uuid()::text, $4, now(), now(), now())", accepted, host.home, email, host.user.id)
      yield* deleteAccount(leaver.user)
      const [before, beforeFar] = [yield* log(host.home), yield* log(far.home)]
      // Also when two workers do it at once.
      yield* Effect.all([erase(leaver.user.id), erase(leaver.user.id)], { concurrency: "unbounded" })

      assert.deepStrictEqual(yield* rows("SELECT comment_emails FROM folders WHERE id = $1", folder), [{ comment_emails: ["a@example.com"] }])
      assert.deepStrictEqual(yield* rows("SELECT comment_emails FROM projects WHERE id = $1", project), [{ comment_emails: ["b@example.com"] }])
      assert.deepStrictEqual(yield* rows("SELECT comment_emails FROM workspaces WHERE id = $1", far.home), [{ comment_emails: [] }])
      assert.deepStrictEqual(yield* rows("SELECT id FROM invites WHERE workspace_id = ANY($1::uuid[])", [host.home, far.home]), [{ id: other }])
      const gone = (level: string, id: string) => ["allowlist.changed", null, { type: "allowlist", level, id, added: 0, removed: 1 }]
      assert.sameDeepMembers((yield* log(host.home)).slice(before.length), [
        gone("folder", folder),
        ["invite.cancelled", null, { type: "invite", id: expired, role: "member" }],
        ["member.left", null, { type: "member", id: leaver.user.id }],
        ["folder.sharing_changed", null, { type: "folder", id: drafts, sharing: "team" }]
      ] as never)
      assert.sameDeepMembers((yield* log(far.home)).slice(beforeFar.length), [
        gone("workspace", far.home), gone("folder", farFolder), gone("project", project), ["invite.cancelled", null, { type: "invite", id: pending, role: "admin" }]
      ] as never)
    })))

  it.effect("leaves an address alone that its account never proved: it may be somebody else’s", () =>
    at(NOON, Effect.gen(function*() {
      const host = yield* person()
      const squatter = yield* person({ email: "wanted@example.com", verified: false })
      yield* rows("UPDATE workspaces SET comment_emails = $2 WHERE id = $1", host.home, ["wanted@example.com"])
      yield* rows("DELETE FROM mails")
      const to = "wanted@example.com"
      const { enqueue } = yield* Mailer
      // Both wait, as while the mail server is away: the link that the account asked for, and what somebody wrote to the address.
      yield* enqueue(Mail.cases.VerifyEmail.make({ to, name: "Ada", token: "t" }))
      yield* enqueue(Mail.cases.Invitation.make({ to, name: "", inviter: "Host", workspace: "Home", token: "u" }))
      yield* deleteAccount(squatter.user)
      yield* erase(squatter.user.id)
      assert.deepStrictEqual(yield* rows("SELECT 1 FROM users WHERE id = $1", squatter.user.id), [])
      assert.deepStrictEqual(yield* rows("SELECT comment_emails FROM workspaces WHERE id = $1", host.home), [{ comment_emails: ["wanted@example.com"] }])
      assert.deepStrictEqual(yield* rows("SELECT kind FROM mails"), [{ kind: "Invitation" }])
    })))

  it.effect("that was taken back is none, even for a job that sets out later", () =>
    at(NOON, Effect.gen(function*() {
      const { home, user } = yield* person()
      yield* deleteAccount(user)
      assert.deepStrictEqual(yield* restore({ type: "user", id: user.id }), { restored: true })
      assert.isFalse(yield* erase(user.id))
      assert.deepStrictEqual(yield* rows("SELECT begun_at, erased_at FROM deletions WHERE target_id = $1", user.id), [{ begun_at: null, erased_at: null }])
      assert.deepStrictEqual(yield* members(home), [[user.id, "admin"]])
    })))

  it.effect("whose erasure has begun is not taken back, and whoever takes an erased one's place was never deleted", () =>
    at(NOON, Effect.gen(function*() {
      const { user } = yield* person()
      yield* deleteAccount(user)
      const deletion = yield* deletionOf(user.id)
      const target = { type: "user", id: user.id } as const
      assert.isTrue(Option.isSome(yield* at(NOON + 30 * DAY, Effect.flatMap(DateTime.now, (now) => ErasingStore.use((store) => store.begin(deletion, now))))))
      assert.deepStrictEqual(yield* restore(target), { restored: false })
      assert.deepStrictEqual(yield* rows("SELECT deletion_id FROM users WHERE id = $1", user.id), [{ deletion_id: deletion }])
      assert.isTrue(yield* erase(user.id))
      for (const id of [user.id, UserId.make(FORMER_USER)]) assert.strictEqual((yield* Effect.flip(restore({ type: "user", id })))._tag, "not_found")
    })))

  it.effect("is set out on for each that is due, once a day, however many are stuck", () =>
    at(NOON, Effect.gen(function*() {
      yield* rows("UPDATE deletions SET restored_at = now() WHERE begun_at IS NULL")
      yield* rows("UPDATE deletions SET erased_at = now() WHERE begun_at IS NOT NULL AND erased_at IS NULL")
      const due = (count: number, millis: number) =>
        rows(`INSERT INTO deletions (id, target_type, target_id, requested_by, requested_at, erase_on, begun_at)
          SELECT gen_random_uuid(), 'user', gen_random_uuid(), gen_random_uuid(), now(), $2, $2 FROM generate_series(1, $1)`, count, new Date(millis))
      const begun = (millis: number) => at(millis, Erasing.use(({ beginDue }) => beginDue()))
      yield* due(450, NOON)
      assert.strictEqual(yield* begun(NOON), 450)
      yield* due(1, NOON + 1)
      assert.deepStrictEqual([yield* begun(NOON), yield* begun(NOON + 1), yield* begun(NOON + 2)], [0, 1, 0])
      const midnight = Date.UTC(2027, 1, 1)
      assert.deepStrictEqual([yield* begun(midnight - 1), yield* begun(midnight)], [0, 451], "what came to nothing is begun anew each day")
      const together = yield* Effect.all(Array.from({ length: 5 }, () => begun(midnight + DAY)), { concurrency: "unbounded" })
      assert.strictEqual(together.reduce((sum, one) => sum + one, 0), 451)
    })))
})
