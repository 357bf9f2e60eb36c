/** Views in PostgreSQL: written in batches, read from each day's figures. */
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DayFigures, Loads } from "../../domain/analytics/model.ts"
import type { Batch } from "../../domain/analytics/store.ts"
import { ViewStore } from "../../domain/analytics/store.ts"
import { dateOf } from "../../domain/days.ts"
import type { Day } from "../../domain/days.ts"
import { visitorOf } from "../crypto/visitors.ts"
import { date } from "./rows.ts"
import { viewKeys } from "./view-keys.ts"
import type { Readers } from "./view-keys.ts"
import { dropUntil, makeRoom } from "./view-partitions.ts"

interface Row extends Loads {
  readonly readers: Readers
  readonly visitor: string
}

/**
 * Plain values as a PostgreSQL array literal: the driver takes ten times as long to write a thousand values one by one.
 * Nothing in it needs quotes; only the backslash of a `bytea` is doubled.
 */
const listed = <A>(values: ReadonlyArray<A>, word: (value: A) => string | number | null): string =>
  `{${values.map((value) => word(value) ?? "NULL").join(",")}}`

const bytea = ({ visitor }: Row): string => `\\\\x${visitor}`

/**
 * In milliseconds. A visitor new to this instance is mostly new to all, and inserting without a check takes two thirds of the
 * time. A statement that meets a known visitor fails and is sent again with the check, and so are those of the next minute:
 * visitors who come by several instances, or whom this one has forgotten, seldom come alone.
 */
const SHARED_FOR = 60_000

/** What a batch adds to each project and day. */
const summed = (rows: ReadonlyArray<Row>) => {
  const days = new Map<string, { readonly projectId: string; readonly day: Day; views: number; at: number }>()
  for (const { at, count, day, projectId } of rows) {
    const key = `${projectId} ${day}`
    const found = days.get(key)
    if (found === undefined) days.set(key, { projectId, day, views: count, at })
    else {
      found.views += count
      found.at = Math.max(found.at, at)
    }
  }
  return [...days.values()]
}

export const ViewStoreSql = Layer.effect(
  ViewStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const keys = yield* viewKeys(sql)
    /** Days that have a partition, as far as this instance knows. */
    const roomy = new Set<Day>()
    /** Until then, inserts check for visitors already in the table. */
    let sharedUntil = 0

    const ready = Effect.fnUntraced(function*({ loads }: Batch) {
      const days = [...new Set(loads.map((one) => one.day))].filter((day) => !roomy.has(day)).sort((a, b) => a - b)
      if (days.length === 0) return
      yield* makeRoom(sql, days)
      for (const day of days) roomy.add(day)
    })

    const add = Effect.fn("ViewStoreSql.add")(function*(batch: Batch, now: DateTime.Utc) {
      yield* ready(batch)
      const readersOf = yield* keys.readersOf(batch.loads)
      const rows: Array<Row> = []
      for (const one of batch.loads) {
        const readers = readersOf(one)
        if (readers !== undefined) rows.push({ ...one, readers, visitor: visitorOf(readers.key, one.address, one.userAgent) })
      }
      if (rows.length === 0) return
      const strangers = [...new Map(rows.filter(({ readers, visitor }) => !readers.met.has(visitor)).map((row) => [row.visitor, row])).values()]
      const days = summed(rows)
      // One statement, so all or nothing. Visitors and days are written in the same order everywhere: instances never
      // deadlock, and a visitor whom two of them meet at once is new to only one.
      const write = (met: "nobody" | "some") => sql`
        WITH batch AS (
          INSERT INTO view_batches (id, added_at) VALUES (${batch.id}::uuid, ${date(now)}) ON CONFLICT DO NOTHING RETURNING id
        ), raw AS (
          INSERT INTO views (project_id, at, visitor, share_link_id, loads)
          SELECT r.project_id, to_timestamp(r.at / 1000::float8), r.visitor, r.link, r.loads
          FROM batch, unnest(
            ${listed(rows, (row) => row.projectId)}::uuid[], ${listed(rows, (row) => row.at)}::int8[],
            ${listed(rows, bytea)}::bytea[], ${listed(rows, (row) => row.shareLinkId)}::uuid[], ${listed(rows, (row) => row.count)}::int4[]
          ) AS r (project_id, at, visitor, link, loads)
        ), met AS (
          INSERT INTO view_visitors (day, visitor, project_id)
          SELECT DATE '1970-01-01' + s.day, s.visitor, s.project_id
          FROM batch, unnest(
            ${listed(strangers, (row) => row.day)}::int4[], ${listed(strangers, (row) => row.visitor)}::uuid[],
            ${listed(strangers, (row) => row.projectId)}::uuid[]
          ) AS s (day, visitor, project_id)
          ORDER BY 2
          ${sql.literal(met === "some" ? "ON CONFLICT DO NOTHING" : "")} RETURNING day, project_id
        ), new AS (
          SELECT day, project_id, count(*) AS visitors FROM met GROUP BY day, project_id
        )
        INSERT INTO view_days AS d (project_id, day, views, unique_visitors, last_viewed_at)
        SELECT p.id, g.day, g.views, coalesce(n.visitors, 0), to_timestamp(g.at / 1000::float8)
        FROM batch, (
          SELECT s.project_id, DATE '1970-01-01' + s.day AS day, s.views, s.at FROM unnest(
            ${listed(days, (one) => one.projectId)}::uuid[], ${listed(days, (one) => one.day)}::int4[],
            ${listed(days, (one) => one.views)}::int8[], ${listed(days, (one) => one.at)}::int8[]
          ) AS s (project_id, day, views, at)
        ) g JOIN projects p ON p.id = g.project_id LEFT JOIN new n ON n.project_id = g.project_id AND n.day = g.day
        ORDER BY p.id, g.day
        ON CONFLICT (project_id, day) DO UPDATE SET
          views = d.views + excluded.views,
          unique_visitors = d.unique_visitors + excluded.unique_visitors,
          last_viewed_at = greatest(d.last_viewed_at, excluded.last_viewed_at)`
      const at = DateTime.toEpochMillis(now)
      if (at < sharedUntil) yield* write("some")
      else {
        yield* Effect.catchReason(write("nobody"), "SqlError", "UniqueViolation", () => {
          sharedUntil = at + SHARED_FOR
          return write("some")
        })
      }
      keys.remember(strangers)
    })

    return ViewStore.of({
      // The day's partition may have been dropped meanwhile, or a project deleted while its loads were written: the second try knows.
      add: (batch, now) =>
        Effect.orDie(Effect.retry(Effect.tapError(add(batch, now), () => Effect.sync(() => roomy.clear())), { times: 1 })),

      days: (projectId, first, last) =>
        Effect.orDie(sql<DayFigures>`
          SELECT day - DATE '1970-01-01' AS day, views::float8, unique_visitors::float8 AS "uniqueVisitors",
            (extract(epoch FROM last_viewed_at) * 1000)::float8 AS "lastViewedAt" FROM view_days
          WHERE project_id = ${projectId} AND day BETWEEN ${dateOf(first)}::date AND ${dateOf(last)}::date`),

      makeRoom: (days) => Effect.orDie(makeRoom(sql, days)),

      forget: Effect.fn("ViewStoreSql.forget")(function*({ readers, views }) {
        keys.forget(readers)
        yield* sql`DELETE FROM view_keys WHERE day <= ${dateOf(readers)}::date`
        yield* sql`DELETE FROM view_batches WHERE added_at < ${new Date(`${dateOf(readers + 1)}T00:00:00Z`)}`
        return (yield* dropUntil(sql, "view_visitors", readers)) + (yield* dropUntil(sql, "views", views))
      }, Effect.orDie)
    })
  })
)
