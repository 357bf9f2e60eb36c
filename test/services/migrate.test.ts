/** `migrate` as operators run it: on an empty database, again, from several machines at once, beside a dump, and where it is refused. */
import { Deferred, Effect, Fiber, Latch, Layer, Logger, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, it } from "vitest"
import { DatabaseRemote, withoutLimits } from "../../src/services/database/client.ts"
import { LOCKS } from "../../src/services/database/locks.ts"
import { migrate } from "../../src/services/database/migrate.ts"
import { JobsShared } from "../../src/services/jobs/engine.ts"
import { freshDatabaseFacts } from "../support/database.ts"
import type { ConnectionFacts } from "../support/database.ts"
import { locked } from "../support/locked.ts"
import { clearAway, eventually, launch } from "../support/program.ts"

afterAll(clearAway)

const urlOf = ({ database, host, username }: ConnectionFacts) => `postgres://${username}@localhost/${database}?host=${host}`

const inside = <A, E>(url: string, program: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  program.pipe(Effect.provide(DatabaseRemote(Redacted.make(url))), Effect.orDie)

const empty = SqlClient.SqlClient.use((sql) => sql`DROP SCHEMA public CASCADE`.pipe(Effect.andThen(sql`CREATE SCHEMA public`)))

/** Every column of every table, and which migrations were run. */
const shape = SqlClient.SqlClient.use((sql) =>
  Effect.all([
    sql`SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
    sql`SELECT migration_id, name FROM migrations ORDER BY 1`
  ])
)

const launched = (url: string) => launch("migrate", { SVC_DATABASE_URL: url, SVC_SECRET: "k".repeat(32), SVC_SMTP_URL: "smtp://127.0.0.1:1" })

const migrations = (url: string, times: number) =>
  Effect.promise(() => Promise.all(Array.from({ length: times }, () => launched(url).ended)))

it("migrates an empty database once, however many do it at once, and again without a change", () =>
  Effect.gen(function*() {
    const url = urlOf(yield* freshDatabaseFacts)
    const wanted = yield* inside(url, shape)
    yield* inside(url, empty)
    for (const { code, stderr, stdout } of yield* migrations(url, 2)) {
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.match(stdout, /^(?:.*waiting to migrate: another instance is at it\n)?$/)
    }
    assert.deepStrictEqual(yield* inside(url, shape), wanted)
    for (const { code } of yield* migrations(url, 1)) assert.strictEqual(code, 0)
    assert.deepStrictEqual(yield* inside(url, shape), wanted)
  }).pipe(Effect.scoped, Effect.runPromise))

it("does not end as if it were done where it is stopped while it waits for its turn", () =>
  Effect.gen(function*() {
    const url = urlOf(yield* freshDatabaseFacts)
    yield* inside(url, Effect.gen(function*() {
      const free = yield* locked(`SELECT pg_advisory_xact_lock(${LOCKS.migrations})`)
      const migrating = launched(url)
      yield* Effect.promise(() => eventually("it waits for its turn", () => migrating.stdout().includes("waiting to migrate")))
      const { code, stderr } = yield* Effect.promise(() => migrating.end())
      assert.deepStrictEqual([code, stderr], [130, "svc: stopped before it was done.\n"])
      yield* free
    }))
  }).pipe(Effect.scoped, Effect.runPromise))

/** Takes back what the newest migrations changed. */
const older = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`ALTER TABLE packs DROP COLUMN loosened_at, DROP COLUMN stored_bytes, DROP COLUMN dead, DROP COLUMN thinning_since, DROP COLUMN thinnings`,
    sql`ALTER TABLE projects DROP COLUMN title_given`,
    sql`ALTER TABLE versions DROP COLUMN title, DROP COLUMN title_own`,
    sql`DROP INDEX share_links_labels_left`,
    sql`DROP INDEX invites_by_expiry`,
    sql`DROP INDEX users_unproven`,
    sql`DROP INDEX oauth_families_by_creation`,
    sql`DROP INDEX freed_slugs_by_moment`,
    sql`CREATE INDEX freed_slugs_by_workspace ON freed_slugs (workspace_id)`,
    sql`ALTER TABLE mails DROP COLUMN next_try_at, DROP COLUMN awaited, DROP COLUMN held_until, DROP COLUMN first_tried_at`,
    sql`ALTER TABLE IF EXISTS deployment DROP COLUMN idp_issuer, DROP COLUMN trials_enforced_since`,
    sql`ALTER TABLE users DROP COLUMN idp_issuer, ADD CONSTRAINT users_idp_sub_key UNIQUE (idp_sub)`,
    sql`DROP TABLE thumbnails`,
    sql`ALTER TABLE share_links DROP COLUMN last_opened_at`,
    sql`ALTER TABLE uploads DROP COLUMN size_bytes, DROP COLUMN project_id`,
    sql`ALTER TABLE customers DROP COLUMN payment_coming`,
    sql`ALTER TABLE freed_slugs DROP COLUMN only_holder_id`
  ])

it("marks the packs of before, which may hold bytes that no version names, unless they go whole, and the titles that nobody gave; composes titles", () =>
  Effect.gen(function*() {
    const url = urlOf(yield* freshDatabaseFacts)
    const made = SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.all([
      sql`SET LOCAL session_replication_role = replica`,
      sql`INSERT INTO packs (id, workspace_id, size_bytes, created_at, unnamed_since)
        SELECT gen_random_uuid(), gen_random_uuid(), 1, now(), CASE WHEN n = 1 THEN now() END FROM generate_series(1, 3) n`,
      sql`INSERT INTO projects (id, workspace_id, owner_id, slug, title, visibility, comments_enabled, html_display_mode, comment_access, comment_allowlist_inherit, indexable, created_at, updated_at)
        SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), slug, title, 'public', false, 'auto', 'members', true, false, now(), now()
        FROM (VALUES ('plain', 'plain'), ('named', normalize('Précis', NFD)), ('grown', repeat(U&'\\0958', 200))) AS titled (slug, title)`,
      older(sql), sql`DELETE FROM migrations WHERE migration_id >= 33`
    ])))
    yield* inside(url, Effect.andThen(made, migrate))
    const marked = SqlClient.SqlClient.use((sql) => sql`SELECT 1 FROM packs WHERE (loosened_at IS NULL) = (unnamed_since IS NOT NULL)`)
    assert.lengthOf(yield* inside(url, marked), 3)
    const given = SqlClient.SqlClient.use((sql) => sql`SELECT slug, title, title_given AS given FROM projects ORDER BY slug`)
    assert.deepStrictEqual(yield* inside(url, given), [
      { slug: "grown", title: "\u0958".repeat(200), given: true }, { slug: "named", title: "Précis", given: true }, { slug: "plain", title: "plain", given: false }
    ])
  }).pipe(Effect.scoped, Effect.runPromise))

it("knows of share links of before when the last time was, where it was the only one", () =>
  Effect.gen(function*() {
    const url = urlOf(yield* freshDatabaseFacts)
    const made = SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.all([
      sql`SET LOCAL session_replication_role = replica`,
      sql`INSERT INTO share_links (id, project_id, label, hash, notify_on_first_open, created_by, created_at, view_count, first_opened_at)
        SELECT gen_random_uuid(), gen_random_uuid(), 'Acme', n::text, false, gen_random_uuid(), now(), n, CASE WHEN n > 0 THEN timestamptz '2026-03-14' END FROM generate_series(0, 2) n`,
      older(sql), sql`DELETE FROM migrations WHERE migration_id >= 33`
    ])))
    yield* inside(url, Effect.andThen(made, migrate))
    const known = SqlClient.SqlClient.use((sql) => sql`SELECT view_count::int AS opens, last_opened_at = first_opened_at AS known FROM share_links ORDER BY view_count`)
    assert.deepStrictEqual(yield* inside(url, known), [{ opens: 0, known: null }, { opens: 1, known: true }, { opens: 2, known: null }])
  }).pipe(Effect.scoped, Effect.runPromise))

it("tells of a database of before whether its trials were enforced, by whether somebody was told, and every end noted, but for those of a while", () =>
  Effect.gen(function*() {
    const url = urlOf(yield* freshDatabaseFacts)
    const begun = (days: number, noted: string, told: boolean) => SqlClient.SqlClient.use((sql) => Effect.andThen(
      Effect.all([
        sql`DELETE FROM workspaces`,
        sql`INSERT INTO workspaces (id, name, plan, created_at, trial_ends_at) VALUES (gen_random_uuid(), 'Home', 'studio', now(), date_trunc('day', now()) - ${days} * interval '1 day')`,
        sql`UPDATE workspaces SET lapse_noted_for = ${sql.literal(noted)}`,
        sql`INSERT INTO trial_mails (workspace_id, kind, ends_at, claimed_at) SELECT id, 'ended', trial_ends_at, now() FROM workspaces WHERE ${told}`,
        older(sql), sql`DELETE FROM migrations WHERE migration_id >= 33`
      ]),
      Effect.andThen(migrate, sql<{ since: Date | null }>`SELECT trials_enforced_since AS since FROM deployment`)
    ))
    const cases = [[-1, "NULL", false], [1, "NULL", true], [10, "NULL", true], [40, "trial_ends_at", true], [1, "NULL", false], [40, "trial_ends_at", false], [40, "NULL", true]] as const
    const since = Effect.forEach(cases, ([days, noted, told]) => Effect.map(begun(days, noted, told), ([row]) => row!.since))
    const [epoch, open] = [new Date(0), null]
    assert.deepStrictEqual(yield* inside(url, since), [epoch, epoch, epoch, epoch, open, open, open])
  }).pipe(Effect.scoped, Effect.runPromise))

it("gives a database of before an id that a copy of it comes to as well, however often it is brought up", () =>
  Effect.gen(function*() {
    const [url, other] = [urlOf(yield* freshDatabaseFacts), urlOf(yield* freshDatabaseFacts)]
    const id = SqlClient.SqlClient.use((sql) => sql`SELECT id FROM deployment`)
    const wound = SqlClient.SqlClient.use((sql) =>
      Effect.all([sql`DROP TABLE deployment`, sql`ALTER TABLE versions DROP COLUMN excerpt`, older(sql), sql`DELETE FROM migrations WHERE migration_id >= 30`]))
    const before = yield* inside(url, id)
    yield* inside(url, Effect.andThen(wound, migrate))
    assert.deepStrictEqual(yield* inside(url, id), before)
    // A database migrated at another moment is another deployment.
    yield* inside(other, SqlClient.SqlClient.use((sql) => sql`UPDATE migrations SET created_at = now() + interval '1 microsecond'`))
    yield* inside(other, Effect.andThen(wound, migrate))
    assert.notDeepEqual(yield* inside(other, id), before)
  }).pipe(Effect.scoped, Effect.runPromise))

const hearing = (lines: Array<string>) => Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])

/** A session that reads every table until it is let go, as pg_dump does. */
const dumping = <A, E, R>(url: string, meanwhile: (letGo: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const [taken, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const reading = SqlClient.SqlClient.use((sql) =>
      sql.withTransaction(withoutLimits(sql).pipe(
        Effect.andThen(sql`LOCK TABLE migrations, packs, cluster_migrations, cluster_runner_migrations IN ACCESS SHARE MODE`),
        Effect.andThen(Deferred.succeed(taken, undefined)),
        Effect.andThen(Deferred.await(over))
      )))
    const dump = yield* Effect.forkChild(inside(url, reading))
    yield* Deferred.await(taken)
    const done = yield* meanwhile(Effect.asVoid(Deferred.succeed(over, undefined)))
    yield* Deferred.succeed(over, undefined)
    yield* Fiber.join(dump)
    return done
  })

it("does not wait for a dump when there is nothing to migrate, and says so before it waits for one", () =>
  Effect.gen(function*() {
    const url = urlOf(yield* freshDatabaseFacts)
    const jobs = inside(url, Effect.scoped(Layer.build(JobsShared)))
    yield* jobs
    assert.deepStrictEqual(yield* dumping(url, () => Effect.timeout(Effect.andThen(jobs, inside(url, migrate)), "30 seconds")), [])
    yield* inside(url, SqlClient.SqlClient.use((sql) => Effect.andThen(older(sql), sql`DELETE FROM migrations WHERE migration_id >= 33`)))
    const lines: Array<string> = []
    const ran = yield* dumping(url, (letGo) =>
      Effect.gen(function*() {
        const migrating = yield* Effect.forkChild(inside(url, migrate).pipe(Effect.provide(hearing(lines))))
        yield* Effect.promise(() => eventually("it waits", () => lines.length === 2))
        yield* letGo
        return yield* Fiber.join(migrating)
      }))
    assert.deepStrictEqual(lines, ["migrating the database", "waiting to migrate: another session, such as a pg_dump, holds the tables"])
    assert.deepStrictEqual(ran.map(([id]) => id).slice(0, 1), [33])
  }).pipe(Effect.scoped, Effect.runPromise))

/** Until a session waits for a table in this mode. */
const waited = (table: string, mode: string) =>
  SqlClient.SqlClient.use((sql) =>
    sql`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = ${table}::regclass AND mode = ${mode}`.pipe(
      Effect.repeat({ until: (found) => found.length > 0, schedule: Schedule.spaced("10 millis"), times: 24_000 })
    ))

it("begins again where it and a request waited for each other, and then holds those that write until it is done", () =>
  Effect.gen(function*() {
    const url = urlOf(yield* freshDatabaseFacts)
    const lines: Array<string> = []
    // Whoever looks for deadlocks first is ended: here the migration.
    const migrating = migrate.pipe(Effect.provide([DatabaseRemote(Redacted.make(`${url}&options=-c%20deadlock_timeout%3D50ms`)), hearing(lines)]))
    const ran = yield* inside(url, Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.andThen(older(sql), sql`DELETE FROM migrations WHERE migration_id >= 33`)
      const letOn = yield* locked("LOCK TABLE share_links IN SHARE MODE")
      const [begun, packs, over] = [Latch.makeUnsafe(), Latch.makeUnsafe(), Latch.makeUnsafe()]
      const request = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* withoutLimits(sql)
        yield* sql`SET LOCAL deadlock_timeout = '1min'`
        yield* sql`LOCK TABLE projects IN ROW EXCLUSIVE MODE`
        yield* begun.open
        yield* packs.await
        yield* sql`LOCK TABLE packs IN ROW EXCLUSIVE MODE`
        yield* over.await
      })))
      yield* begun.await
      const migration = yield* Effect.forkChild(migrating)
      yield* waited("share_links", "RowExclusiveLock")
      yield* packs.open
      yield* waited("packs", "RowExclusiveLock")
      yield* letOn
      yield* waited("projects", "ExclusiveLock")
      yield* over.open
      yield* Fiber.join(request)
      return yield* Fiber.join(migration)
    }))
    assert.deepStrictEqual(ran.map(([id]) => id).slice(0, 1), [33])
    assert.deepStrictEqual(lines, ["migrating the database", "migrating again: another session and the migration waited for each other", "migrating the database"])
  }).pipe(Effect.scoped, Effect.runPromise))

it("refuses a database that newer code has migrated, naming both", () =>
  Effect.gen(function*() {
    const url = urlOf(yield* freshDatabaseFacts)
    yield* inside(url, SqlClient.SqlClient.use((sql) => sql`INSERT INTO migrations (migration_id, name) VALUES (9000, 'of tomorrow')`))
    const { message } = yield* Effect.flip(migrate).pipe(Effect.provide(DatabaseRemote(Redacted.make(url))))
    assert.match(message, /^The database is at migration 9000, and this release knows none after \d+; start the release that migrated it, or a newer one\.$/)
  }).pipe(Effect.scoped, Effect.runPromise))

it("refuses a database that takes no writes in one line that says so, also where there is nothing to migrate: the start would fail at its first write", () =>
  Effect.gen(function*() {
    const url = urlOf(yield* freshDatabaseFacts)
    const readOnly = Effect.provide(migrate, DatabaseRemote(Redacted.make(`${url}&options=-c%20default_transaction_read_only%3Don`)))
    for (const before of [Effect.void, inside(url, empty)]) {
      yield* before
      assert.match((yield* Effect.flip(readOnly)).message, /^The database takes no writes: [^\n]+ Name its primary in SVC_DATABASE_URL, [^\n]+\.$/)
    }
  }).pipe(Effect.scoped, Effect.runPromise))

it("refuses a user without the rights in one line, with the statement that grants them", () =>
  Effect.gen(function*() {
    const facts = yield* freshDatabaseFacts
    const username = `${facts.database}-app`
    const lines: Array<string> = []
    const refusedBy = (url: string) =>
      Effect.map(Effect.flip(migrate).pipe(Effect.provide([DatabaseRemote(Redacted.make(url)), hearing(lines)])), ({ message }) => message)
    const told = refusedBy(urlOf({ ...facts, username }))
    yield* inside(urlOf(facts), SqlClient.SqlClient.use((sql) => sql`CREATE ROLE ${sql(username)} LOGIN`))
    yield* inside(urlOf(facts), empty)
    const message = yield* told
    const grant = /: (GRANT USAGE, CREATE ON SCHEMA public TO "[\w-]+";)$/.exec(message)?.[1]
    assert.include(message, `The database’s user "${username}" may not create tables in the schema public; `)
    yield* inside(urlOf(facts), SqlClient.SqlClient.use((sql) => sql.unsafe(grant ?? message)))
    // A schema of its own, once it is there, is told in the same way.
    const elsewhere = (path: string) => refusedBy(`${urlOf({ ...facts, username })}&options=-c%20search_path%3D${encodeURIComponent(path)}`)
    const nowhere = `search_path names no schema that the database’s user "${username}" may use; correct it, or create the schema.`
    for (const path of ["app", '""', '"Not-there"']) assert.strictEqual(yield* elsewhere(path), nowhere)
    yield* inside(urlOf(facts), SqlClient.SqlClient.use((sql) => sql`CREATE SCHEMA app`))
    assert.match(yield* elsewhere('"$user",APP'), /in the schema app; .* ON SCHEMA app TO /)
    // Tables that belong to somebody else are another matter, and one line too: nobody is waited for.
    yield* inside(urlOf(facts), SqlClient.SqlClient.use((sql) => sql`CREATE TABLE migrations (migration_id int, name text, created_at timestamptz)`))
    assert.strictEqual(yield* told, "The database was not migrated (permission denied for table migrations); correct that, and start again.")
    yield* inside(urlOf(facts), SqlClient.SqlClient.use((sql) => Effect.andThen(sql`INSERT INTO migrations VALUES (1)`, sql`GRANT SELECT ON migrations TO ${sql(username)}`)))
    assert.strictEqual(yield* told, "The database was not migrated (permission denied for table migrations); correct that, and start again.")
    assert.deepStrictEqual(lines, ["migrating the database"])
    yield* inside(urlOf(facts), SqlClient.SqlClient.use((sql) => sql`DROP TABLE migrations`))
    yield* Effect.provide(migrate, DatabaseRemote(Redacted.make(urlOf({ ...facts, username }))))
    yield* inside(urlOf(facts), SqlClient.SqlClient.use((sql) => sql`DROP OWNED BY ${sql(username)}`.pipe(Effect.andThen(sql`DROP ROLE ${sql(username)}`))))
  }).pipe(Effect.scoped, Effect.runPromise))
