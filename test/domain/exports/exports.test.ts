/** Exports as programs: the day ends at midnight, another worker takes over an interrupted build, which leaves nothing, archives are removed in time. */
import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Deferred, Effect, Fiber, Option, Result, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { UserId } from "../../../src/domain/accounts/model.ts"
import type { User } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { ExportBuilds } from "../../../src/domain/exports/builds.ts"
import { Exports } from "../../../src/domain/exports/exports.ts"
import { ExportContents } from "../../../src/domain/exports/contents.ts"
import { ExportId } from "../../../src/domain/exports/model.ts"
import { GRAVE, MAX_TRIES } from "../../../src/domain/exports/rules.ts"
import { ExportStore } from "../../../src/domain/exports/store.ts"
import { noRoom, unavailable } from "../../../src/domain/failures.ts"
import { Mail } from "../../../src/domain/ports/mailer.ts"
import { Packs } from "../../../src/domain/ports/packs.ts"
import { Passwords } from "../../../src/domain/ports/passwords.ts"
import { Seals } from "../../../src/domain/ports/seals.ts"
import { Tokens } from "../../../src/domain/ports/tokens.ts"
import { Collection } from "../../../src/domain/projects/packs/collection.ts"
import { Publishing } from "../../../src/domain/projects/publishing.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { withoutLimits } from "../../../src/services/database/client.ts"
import { build } from "../../../src/workers/build-export.ts"
import { sweepExportsOnce } from "../../../src/workers/sweep-exports.ts"
import { rows } from "../../support/database.ts"
import { houseWith } from "../../support/house.ts"
import { eventually } from "../../support/program.ts"
import { filesIn } from "../../support/zips.ts"

const PASSWORD = "correct horse battery staple"

const someone = Effect.gen(function*() {
  const store = yield* AccountStore
  const tokens = yield* Tokens
  const now = yield* DateTime.now
  const id = UserId.make(yield* tokens.uuid)
  const workspaceId = WorkspaceId.make(yield* tokens.uuid)
  const passwordHash = yield* (yield* Passwords).hash(PASSWORD, "test")
  const home = { id: workspaceId, name: "Home", plan: "studio", trialEndsAt: DateTime.add(now, { days: 7 }) } as const
  yield* store.create({ id, email: `${id}@example.com`, name: "Ada", passwordHash, home }, now)
  yield* store.verifyEmail(id, now)
  const user = Option.getOrThrow(yield* store.find(id))
  const publishing = yield* Publishing
  yield* publishing.put(user, `page-${id.slice(-12)}`, { path: undefined, contentType: "text/plain", length: undefined, bytes: (async function*() {
    yield Buffer.from("some words")
  })() }, {})
  return { user, workspaceId }
})

type Someone = { readonly user: User; readonly workspaceId: WorkspaceId }

const request = ({ user, workspaceId }: Someone) => Exports.use((exports) => exports.request(user, workspaceId, PASSWORD))
const status = ({ user, workspaceId }: Someone) => Exports.use((exports) => Effect.map(exports.latest(user, workspaceId), (record) => record.status))
const attempt = (id: ExportId) => ExportBuilds.use((builds) => builds.attempt(id))
const stored = Packs.use((packs) => Effect.map(Stream.runCollect(packs.list), (all) => all.map(({ id }) => id)))
const mails = Effect.map(rows("SELECT count(*)::int AS count FROM mails WHERE kind = 'ExportReady'"), (found) => found[0]!["count"] as number)
/** To whom exports that failed were told since last asked, and whether it was for want of room. */
const failures = Effect.gen(function*() {
  const seals = yield* Seals
  const found = yield* rows("DELETE FROM mails WHERE kind = 'ExportFailed' RETURNING sealed")
  const opened = yield* Effect.forEach(found, ({ sealed }) => Effect.flatMap(seals.open("mail", sealed as string), Effect.fromOption))
  return opened.map((mail) => Schema.decodeUnknownSync(Mail.cases.ExportFailed)(mail)).map(({ noRoom, to }) => ({ noRoom, to }))
})
const packOf = (id: ExportId) => Effect.map(rows("SELECT pack_id FROM exports WHERE id = $1", id), (found) => found[0]!["pack_id"] as string | null)

const anotherProcess = Effect.provide(ExportBuilds.make, ExportContents.layer)

/** Builds block where they read comments, until the returned effect is run. */
const commentsHeld = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [held, free] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const holding = yield* Effect.forkChild(sql.withTransaction(
    withoutLimits(sql).pipe(Effect.andThen(sql`LOCK TABLE comments IN ACCESS EXCLUSIVE MODE`), Effect.andThen(Deferred.succeed(held, undefined)), Effect.andThen(Deferred.await(free)))
  ))
  yield* Deferred.await(held)
  return Deferred.succeed(free, undefined).pipe(Effect.andThen(Fiber.join(holding)), Effect.orDie)
})

/** Waits until so many of them wait for the comments. */
const waiting = (count: number) =>
  Effect.flatMap(Effect.context<SqlClient.SqlClient>(), (context) =>
    Effect.promise(() => eventually("builds wait", async () => {
      const found = await Effect.runPromiseWith(context)(rows("SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'comments'::regclass"))
      return found[0]!["count"] === count
    })))

/** The file system dates packs by the real clock, which is far ahead of the test's clock. */
const tomorrow = (clock: Clock.Clock): Clock.Clock => {
  const now = Date.now() + 25 * 3_600_000
  return Object.assign(Object.create(clock), { currentTimeMillis: Effect.succeed(now), currentTimeMillisUnsafe: () => now })
}

layer(houseWith())("an export", (it) => {
  it.effect("is taken once a UTC day: a millisecond before midnight not again, at midnight again", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(1970, 0, 3, 12))
      const ada = yield* someone
      const first = yield* request(ada)
      assert.strictEqual(first.status, "queued")
      const early = yield* Effect.flip(request(ada))
      assert.deepStrictEqual([early._tag, early.details["retry_after_seconds"]], ["validation_error", 43_200])
      yield* attempt(first.id)
      assert.strictEqual(yield* status(ada), "ready")
      yield* TestClock.setTime(Date.UTC(1970, 0, 3, 23, 59, 59, 999))
      const late = yield* Effect.flip(request(ada))
      assert.deepStrictEqual([late._tag, late.details["retry_after_seconds"]], ["validation_error", 1])
      yield* TestClock.adjust(1)
      const second = yield* request(ada)
      assert.notStrictEqual(second.id, first.id)
      // Still being built since yesterday, so none of today's.
      yield* TestClock.adjust("1 day")
      assert.strictEqual((yield* Effect.flip(request(ada)))._tag, "validation_error")
    }))

  for (const [far, there, back] of [["a year", Date.UTC(1971, 0, 5, 12), Date.UTC(1970, 0, 5, 12)], ["three hours, into the next day,", Date.UTC(1970, 0, 6, 1), Date.UTC(1970, 0, 5, 22)]] as const) {
    it.effect(`that a clock which was ahead by ${far} has taken is no later day's: today's is shown, and is the one of today`, () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(there)
        const ada = yield* someone
        const ahead = yield* request(ada)
        yield* attempt(ahead.id)
        yield* TestClock.setTime(back)
        const today = yield* request(ada)
        assert.notStrictEqual(today.id, ahead.id)
        assert.strictEqual(today.status, "queued")
        assert.strictEqual(yield* status(ada), "queued")
        yield* attempt(today.id)
        assert.strictEqual((yield* Effect.flip(request(ada)))._tag, "validation_error")
      }))
  }

  it.effect("that is cut in the middle is taken over: nothing of it stays, one archive and one mail come of it", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const { id } = yield* request(ada)
      const [before, mailsBefore] = [yield* stored, yield* mails]
      const free = yield* commentsHeld
      const cut = yield* Effect.forkChild(attempt(id))
      yield* waiting(1)
      assert.strictEqual(yield* status(ada), "building")
      yield* Fiber.interrupt(cut)
      assert.deepStrictEqual([yield* status(ada), yield* mails], ["building", mailsBefore])
      assert.sameMembers(yield* stored, before)

      // A second worker takes over, and a third that believes the second dead, while the second is alive.
      const second = yield* Effect.forkChild(attempt(id))
      yield* waiting(1)
      const third = yield* Effect.forkChild((yield* anotherProcess).attempt(id))
      yield* waiting(2)
      const kept = yield* packOf(id)
      yield* free
      yield* Fiber.join(second)
      yield* Fiber.join(third)
      assert.strictEqual(yield* status(ada), "ready")
      assert.sameMembers(yield* stored, [...before, kept!])
      assert.strictEqual(yield* mails, mailsBefore + 1)
      yield* build(id)
      assert.sameMembers(yield* stored, [...before, kept!])
      assert.strictEqual(yield* mails, mailsBefore + 1)
    }))

  it.effect("of a person with many workspaces holds up nobody else's", () =>
    Effect.gen(function*() {
      const [ada, second, third, ben] = [yield* someone, yield* someone, yield* someone, yield* someone]
      const ids = yield* Effect.forEach([ada, second, third, ben], (one) => Effect.map(request(one), ({ id }) => id))
      for (const { workspaceId } of [second, third]) {
        yield* rows("INSERT INTO members (workspace_id, user_id, role, joined_at) VALUES ($1, $2, 'admin', now())", workspaceId, ada.user.id)
        yield* rows("UPDATE exports SET requested_by = $2 WHERE workspace_id = $1", workspaceId, ada.user.id)
      }
      const free = yield* commentsHeld
      const builds = yield* Effect.forEach(ids, (id) => Effect.forkChild(attempt(id), { startImmediately: true }))
      yield* waiting(2)
      const stand = Effect.forEach([ben, ada, second, third], status)
      const [bens, ...adas] = yield* stand
      assert.deepStrictEqual([bens, adas.sort()], ["building", ["building", "queued", "queued"]])
      yield* free
      yield* Effect.forEach(builds, Fiber.join)
      assert.deepStrictEqual(yield* stand, ["ready", "ready", "ready", "ready"])
    }))

  it.effect("is written anew if its worker died between its bytes and its commit, and the old bytes are removed", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const { id } = yield* request(ada)
      const before = yield* stored
      const [packs, store, tokens] = [yield* Packs, yield* ExportStore, yield* Tokens]
      const dead = yield* tokens.uuid
      yield* store.begin(id, dead, yield* DateTime.now)
      yield* Effect.scoped(Effect.gen(function*() {
        const draft = yield* packs.draft
        yield* draft.keep(dead, [yield* draft.append((async function*() {
          yield Buffer.from("half an archive")
        })(), 100)])
      }))
      assert.sameMembers(yield* stored, [...before, dead])
      // What fails of an earlier try says nothing of this one.
      yield* store.failTry(id, yield* tokens.uuid)
      assert.deepStrictEqual(yield* rows("SELECT tries FROM exports WHERE id = $1", id), [{ tries: GRAVE }])
      yield* attempt(id)
      const kept = yield* packOf(id)
      assert.sameMembers(yield* stored, [...before, kept!])
      assert.notStrictEqual(kept, dead)
      // One that is ready neither becomes another's nor fails.
      assert.isFalse(yield* store.complete(id, { pack: dead, sizeBytes: 1, hash: "late" }, "late", yield* DateTime.now))
      assert.isTrue(Option.isNone(yield* store.fail(id, yield* DateTime.now)))
      assert.deepStrictEqual([yield* status(ada), yield* packOf(id)], ["ready", kept])
    }))

  it.effect("that cannot be built fails after many tries, and so does one whose requester is no longer an admin; the day is free again", () =>
    Effect.gen(function*() {
      for (const [facts, isTold] of [[`UPDATE exports SET tries = ${MAX_TRIES} WHERE workspace_id = $1`, true], ["UPDATE members SET role = 'member' WHERE workspace_id = $1", false]] as const) {
        const ada = yield* someone
        const { id } = yield* request(ada)
        const [before, mailsBefore] = [yield* stored, yield* mails]
        yield* rows(facts, ada.workspaceId)
        yield* build(id)
        yield* rows("UPDATE members SET role = 'admin' WHERE workspace_id = $1", ada.workspaceId)
        assert.deepStrictEqual([yield* status(ada), yield* mails, yield* packOf(id)], ["failed", mailsBefore, null])
        assert.sameMembers(yield* stored, before)
        yield* build(id)
        assert.strictEqual(yield* status(ada), "failed")
        assert.deepStrictEqual(yield* failures, isTold ? [{ noRoom: false, to: ada.user.email }] : [])
        assert.strictEqual((yield* request(ada)).status, "queued")
      }
    }))

  it.effect("is not tried a fourth time once three tries ended with their process; one that fails or is cut short counts once", () =>
    Effect.gen(function*() {
      const [packs, store, tokens] = [yield* Packs, yield* ExportStore, yield* Tokens]
      const away = yield* Effect.provideService(anotherProcess, Packs, { ...packs, draft: Effect.fail(unavailable()) })
      for (const [ended, failed, becomes] of [[3, 0, "failed"], [2, 5, "ready"], [2, 6, "failed"]] as const) {
        const ada = yield* someone
        const { id } = yield* request(ada)
        for (let n = 0; n < ended; n++) yield* store.begin(id, yield* tokens.uuid, yield* DateTime.now)
        for (let n = 1; n < failed; n++) assert.strictEqual((yield* Effect.flip(away.attempt(id)))._tag, "unavailable")
        if (failed > 0) {
          const free = yield* commentsHeld
          const cut = yield* Effect.forkChild(attempt(id))
          yield* waiting(1)
          yield* Fiber.interrupt(cut)
          yield* free
        }
        assert.deepStrictEqual(yield* rows("SELECT tries FROM exports WHERE id = $1", id), [{ tries: ended * GRAVE + failed }])
        yield* attempt(id)
        assert.strictEqual(yield* status(ada), becomes)
        assert.deepStrictEqual(yield* failures, becomes === "failed" ? [{ noRoom: false, to: ada.user.email }] : [])
      }
    }))

  it.effect("that does not fit fails at its first try, and whoever asked for it is told; the day is free again", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const { id } = yield* request(ada)
      const [before, packs] = [yield* stored, yield* Packs]
      const full = Effect.map(packs.draft, (draft) => ({ ...draft, append: () => Effect.fail(noRoom()) }))
      const builds = yield* Effect.provideService(anotherProcess, Packs, { ...packs, draft: full })
      yield* builds.attempt(id)
      assert.deepStrictEqual([yield* status(ada), yield* packOf(id), yield* failures], ["failed", null, [{ noRoom: true, to: ada.user.email }]])
      assert.sameMembers(yield* stored, before)
      assert.strictEqual((yield* request(ada)).status, "queued")
    }))

  it.effect("is nobody's when its requester is no admin any more, or the workspace dark, by the time it is written", () =>
    Effect.gen(function*() {
      const meanwhile = [
        "UPDATE members SET role = 'member' WHERE workspace_id = $1",
        "DELETE FROM members WHERE workspace_id = $1",
        `WITH d AS (
          INSERT INTO deletions (id, target_type, target_id, requested_by, requested_at, erase_on)
          SELECT gen_random_uuid(), 'user', user_id, user_id, now(), now() FROM members WHERE workspace_id = $1 RETURNING id, target_id
        ) UPDATE users u SET deletion_id = d.id FROM d WHERE u.id = d.target_id`
      ]
      for (const happens of meanwhile) {
        const ada = yield* someone
        const { id } = yield* request(ada)
        const [before, mailsBefore] = [yield* stored, yield* mails]
        const free = yield* commentsHeld
        const building = yield* Effect.forkChild(attempt(id))
        yield* waiting(1)
        yield* rows(happens, ada.workspaceId)
        yield* free
        yield* Fiber.join(building)
        const [row] = yield* rows("SELECT failed_at IS NOT NULL AS failed, completed_at, pack_id, token_hash FROM exports WHERE id = $1", id)
        assert.deepStrictEqual(row, { failed: true, completed_at: null, pack_id: null, token_hash: null }, happens)
        assert.strictEqual(yield* mails, mailsBefore)
        assert.sameMembers(yield* stored, before)
      }
    }))

  it.effect("leaves out what a colleague's private folder takes in, or is deleted, before its turn has come", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const colleague = yield* someone
      const publishing = yield* Publishing
      const bytes = () => (async function*() {
        yield Buffer.from("some words")
      })()
      // The first waits for its comments; the next one is read by then.
      const slugs = ["next", "hidden", "deleted", "left"].map((name) => `${name}-${ada.user.id.slice(-12)}`)
      for (const slug of slugs) {
        // Their turns come by age.
        yield* TestClock.adjust(1)
        yield* publishing.put(ada.user, slug, { path: undefined, contentType: "text/plain", length: undefined, bytes: bytes() }, {})
      }
      const { id } = yield* request(ada)
      const free = yield* commentsHeld
      const building = yield* Effect.forkChild(attempt(id))
      yield* waiting(1)
      yield* rows(`WITH f AS (
        INSERT INTO folders (id, workspace_id, name, sharing, created_by, created_at, updated_at) VALUES (gen_random_uuid(), $1, 'Theirs', 'private', $2, now(), now()) RETURNING id
      ) UPDATE projects p SET folder_id = f.id FROM f WHERE p.slug = $3`, ada.workspaceId, colleague.user.id, slugs[1])
      yield* rows("UPDATE projects SET deleted_at = now() WHERE slug = $1", slugs[2])
      yield* free
      yield* Fiber.join(building)
      const [{ size }] = (yield* rows("SELECT size_bytes::int AS size FROM exports WHERE id = $1", id)) as unknown as readonly [{ readonly size: number }]
      const archive = yield* Packs.use((packs) => Effect.flatMap(packOf(id), (pack) => packs.slice(pack!, 0, size)))
      const names = [...(yield* Effect.promise(() => filesIn(Buffer.from(archive)))).keys()]
      assert.deepStrictEqual(slugs.map((slug) => names.some((name) => name.startsWith(`projects/${slug}/`))), [true, false, false, true])
    }))

  it.effect("is sent sixteen times at once, and the next in its turn", () =>
    Effect.gen(function*() {
      const { id } = yield* Effect.tap(Effect.flatMap(someone, request), ({ id }) => attempt(id))
      const [{ open }, tokens] = [yield* Exports, yield* Tokens]
      yield* rows("UPDATE exports SET token_hash = $2 WHERE id = $1", id, tokens.hash("known"))
      const begun: Array<number> = []
      const downloads = yield* Effect.forEach(Array.from({ length: 17 }), (_, n) =>
        Effect.forkChild(Effect.scoped(Effect.andThen(open(id, "known"), Effect.andThen(Effect.sync(() => begun.push(n)), Effect.never)))))
      const are = (count: number) => Effect.promise(() => eventually(`${count} have begun`, () => begun.length === count))
      yield* are(16)
      yield* Fiber.interrupt(downloads[begun[0]!]!)
      yield* are(17)
    }))

  it.effect("is kept for seven days to the millisecond, whatever collects packs, then its bytes go", () =>
    Effect.gen(function*() {
      const ada = yield* someone
      const { id } = yield* request(ada)
      yield* attempt(id)
      const [exports, tokens] = [yield* Exports, yield* Tokens]
      yield* rows("UPDATE exports SET token_hash = $2 WHERE id = $1", id, tokens.hash("known"))
      const opened = Effect.map(Effect.result(Effect.scoped(exports.open(id, "known"))), Result.isSuccess)
      const pack = (yield* packOf(id))!
      yield* Effect.provideService((yield* Collection).collectStrays(), Clock.Clock, tomorrow(yield* Clock.Clock))
      assert.include(yield* stored, pack)

      yield* TestClock.adjust(7 * 86_400_000 - 1)
      yield* sweepExportsOnce
      assert.isTrue(yield* opened)
      yield* TestClock.adjust(1)
      assert.isFalse(yield* opened)
      assert.strictEqual(yield* status(ada), "expired")
      assert.include(yield* stored, pack)
      assert.isAtLeast(yield* sweepExportsOnce, 1)
      assert.notInclude(yield* stored, pack)
      assert.deepStrictEqual([yield* sweepExportsOnce, yield* status(ada), yield* packOf(id)], [0, "expired", null])
    }))
})
