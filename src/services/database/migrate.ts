/** Migrates the database to this code's schema, one instance at a time: the others wait. Refuses what newer code has migrated. */
import { Effect, Schedule } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { reasonOf } from "../innermost.ts"
import { StartRefused } from "../start-refused.ts"
import { withoutLimits } from "./client.ts"
import { LOCKS } from "./locks.ts"
import { migrations } from "./migrations/index.ts"

const TABLE = "migrations"

const run = Migrator.make({})({ loader: migrations, table: TABLE })

const newest = Effect.map(migrations, (all) => Math.max(...all.map(([id]) => id)))

/** The last migration of this table that the database has seen; 0 if it is empty. */
export const reached = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, table: string) {
  const [found] = yield* sql<{ there: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS there`
  if (found?.there !== true) return 0
  const [last] = yield* sql<{ id: number | null }>`SELECT max(migration_id) AS id FROM ${sql(table)}`
  return last?.id ?? 0
})

/**
 * Needed by every start, also by one that has nothing to migrate: the tables of jobs, and those of views by day, are made as they
 * are needed. A schema that the user may not even look into is not the current one, so the first that `search_path` names is told.
 */
const mayCreate = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [right] = yield* sql<{ may: boolean | null; schema: string | null; who: string }>`
    SELECT has_schema_privilege(current_schema(), 'CREATE') AS may, quote_ident(current_user) AS who,
      quote_ident(coalesce(current_schema(), (
        SELECT nspname FROM unnest(string_to_array(current_setting('search_path'), ',')) WITH ORDINALITY AS path (named, place)
        JOIN pg_namespace ON pg_namespace.oid = to_regnamespace(btrim(replace(named, '"$user"', quote_ident(current_user))))
        ORDER BY place LIMIT 1
      ))) AS schema`
  if (right === undefined || right.may === true) return
  return yield* new StartRefused({
    message: right.schema === null
      ? `search_path names no schema that the database’s user ${right.who} may use; correct it, or create the schema.`
      : `The database’s user ${right.who} may not create tables in the schema ${right.schema}; as the owner of the database run: ` +
        `GRANT USAGE, CREATE ON SCHEMA ${right.schema} TO ${right.who};`
  })
})

/** Needed by every start: it also writes down what it is configured with. */
const mayWrite = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [server] = yield* sql<{ closed: boolean }>`SELECT current_setting('transaction_read_only')::boolean AS closed`
  if (server?.closed !== true) return
  return yield* new StartRefused({
    message: "The database takes no writes: it is a standby, or default_transaction_read_only is on. Name its primary in SVC_DATABASE_URL, or turn that off."
  })
})

const inTurn = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [lock] = yield* sql<{ ours: boolean }>`SELECT pg_try_advisory_xact_lock(${LOCKS.migrations}) AS ours`
  if (lock?.ours === true) return
  yield* Effect.logInfo("waiting to migrate: another instance is at it")
  yield* sql`SELECT pg_advisory_xact_lock(${LOCKS.migrations})`
})

const tellIfHeld = (sql: SqlClient.SqlClient) =>
  sql.withTransaction(sql`LOCK TABLE migrations IN ACCESS EXCLUSIVE MODE NOWAIT`).pipe(
    Effect.catchReason("SqlError", "LockTimeoutError", () => Effect.logWarning("waiting to migrate: another session, such as a pg_dump, holds the tables"))
  )

const refused = (error: Error) =>
  error instanceof StartRefused ? error : new StartRefused({ message: `The database was not migrated (${reasonOf(error)}); correct that, and start again.` })

/** A request to a release that still runs may hold what a migration waits for, and wait for what that holds: PostgreSQL ends either, whole. */
const isDeadlock = (error: Error): boolean =>
  SqlError.isSqlError(error) ? error.reason._tag === "DeadlockError" : error.cause instanceof Error && isDeadlock(error.cause)

/**
 * Whoever writes then waits before the migrations begin, and not for what they hold by then; readers go on. In the order in which the
 * tables were made, which is mostly the one in which requests come to them.
 */
const holdWriters = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [ours] = yield* sql<{ tables: string | null }>`
    SELECT string_agg(quote_ident(relname), ', ' ORDER BY oid) AS tables FROM pg_class
    WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p') AND NOT relispartition
      AND NOT starts_with(relname, 'cluster_') AND pg_has_role(relowner, 'USAGE')`
  if (typeof ours?.tables === "string") yield* sql`LOCK TABLE ${sql.literal(ours.tables)} IN EXCLUSIVE MODE`
})

const attempt = (sql: SqlClient.SqlClient, before: Effect.Effect<void, SqlError.SqlError> = Effect.void) =>
  sql.withTransaction(Effect.gen(function*() {
    yield* withoutLimits(sql)
    yield* mayCreate(sql)
    yield* mayWrite(sql)
    yield* inTurn(sql)
    const [from, to] = [yield* reached(sql, TABLE), yield* newest]
    if (from > to) {
      return yield* new StartRefused({
        message: `The database is at migration ${from}, and this release knows none after ${to}; start the release that migrated it, or a newer one.`
      })
    }
    // The migrator locks its table in any case, and would wait for a dump with nothing to do.
    if (from === to) return []
    if (from > 0) yield* Effect.andThen(Effect.annotateLogs(Effect.logInfo("migrating the database"), { from, to }), tellIfHeld(sql))
    yield* before
    return yield* run
  }))

export const migrate = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const again = Effect.logWarning("migrating again: another session and the migration waited for each other").pipe(
    Effect.andThen(attempt(sql, holdWriters(sql))),
    Effect.retry({ while: isDeadlock, schedule: Schedule.spaced("500 millis"), times: 9 })
  )
  return yield* Effect.catchIf(attempt(sql), isDeadlock, () => again)
}).pipe(Effect.mapError(refused), Effect.withSpan("migrate"))
