/** The daily partitions of the views: made ahead or on demand, dropped as a whole. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { dateOf, DAY_MS } from "../../domain/days.ts"
import type { Day } from "../../domain/days.ts"
import { LOCKS } from "./locks.ts"

const BOUNDS = { views: (day: Day) => `${dateOf(day)} 00:00:00+00`, view_visitors: dateOf } as const

export type Partitioned = keyof typeof BOUNDS

const TABLES = Object.keys(BOUNDS) as Array<Partitioned>

const nameOf = (table: Partitioned, day: Day): string => `${table}_${dateOf(day).replaceAll("-", "")}`

/** A partition's name ends in its day. */
const DATED = /_(\d{4})(\d\d)(\d\d)$/

const dayNamed = (name: string): Day | undefined => {
  const [, year, month, date] = DATED.exec(name) ?? []
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(date)) / DAY_MS
}

const partitions = (sql: SqlClient.SqlClient, table: Partitioned) =>
  Effect.map(
    sql<{ name: string }>`SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = ${table}::regclass`,
    (rows) => rows.map((row) => row.name)
  )

/**
 * An advisory lock lets one instance at a time do this. A table is made by itself and then attached, which may happen while a dump or
 * a long query reads the others; `PARTITION OF` would have to wait for its end, and all who write views behind it.
 */
export const makeRoom = (sql: SqlClient.SqlClient, days: ReadonlyArray<Day>) =>
  sql.withTransaction(Effect.gen(function*() {
    yield* sql`SELECT pg_advisory_xact_lock(${LOCKS.partitions})`
    for (const table of TABLES) {
      const there = new Set(yield* partitions(sql, table))
      for (const day of days.filter((day) => !there.has(nameOf(table, day)))) {
        const [from, to] = [BOUNDS[table](day), BOUNDS[table](day + 1)]
        yield* sql.unsafe(`CREATE TABLE ${nameOf(table, day)} (LIKE ${table} INCLUDING ALL)`)
        yield* sql.unsafe(`ALTER TABLE ${table} ATTACH PARTITION ${nameOf(table, day)} FOR VALUES FROM ('${from}') TO ('${to}')`)
      }
    }
  }))

/**
 * Deletes the raw views of these projects, a day at a time: the table has no index but its partitions by day, and a statement
 * over all of it would time out.
 */
export const dropViews = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, projects: ReadonlyArray<string>) {
  const days = yield* sql<{ from: Date; to: Date }>`
    SELECT DISTINCT day::timestamp AT TIME ZONE 'UTC' AS "from", (day + 1)::timestamp AT TIME ZONE 'UTC' AS "to"
    FROM view_days WHERE project_id = ANY(${projects}::uuid[]) ORDER BY 1`
  yield* Effect.forEach(days, ({ from, to }) =>
    sql`DELETE FROM views WHERE at >= ${from} AND at < ${to} AND project_id = ANY(${projects}::uuid[])`, { discard: true })
})

/** Drops every day up to `last`; answers how many partitions. None while a dump or a long query reads the table: the next hour tries again. */
export const dropUntil = (sql: SqlClient.SqlClient, table: Partitioned, last: Day) =>
  sql.withTransaction(Effect.gen(function*() {
    yield* sql`SELECT pg_advisory_xact_lock(${LOCKS.partitions})`
    // Whoever writes views waits behind it meanwhile.
    yield* sql`SELECT set_config('lock_timeout', '500ms', true)`
    const gone = (yield* partitions(sql, table)).filter((name) => (dayNamed(name) ?? Infinity) <= last)
    for (const name of gone) yield* sql.unsafe(`DROP TABLE ${name}`)
    return gone.length
  })).pipe(
    Effect.catchReason("SqlError", "LockTimeoutError", () =>
      Effect.as(Effect.annotateLogs(Effect.logWarning("old days stay an hour longer, since somebody reads them"), { table }), 0))
  )
