/** Views in PostgreSQL: written a batch at a time, read from the figures of each day. */
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Day, DayFigures } from "../../domain/analytics/model.ts"
import { dateOf } from "../../domain/analytics/rules.ts"
import type { Batch } from "../../domain/analytics/store.ts"
import { ViewStore } from "../../domain/analytics/store.ts"
import { visitorOf } from "../crypto/visitors.ts"
import { viewKeys } from "./view-keys.ts"
import { dropUntil, makeRoom } from "./view-partitions.ts"

export const ViewStoreSql = Layer.effect(
  ViewStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const keysOf = yield* viewKeys(sql)
    const date = DateTime.toDateUtc
    /** Days that have room, as far as this instance knows. */
    const roomy = new Set<Day>()

    const ready = Effect.fnUntraced(function*({ loads }: Batch) {
      const days = [...new Set(loads.map((one) => one.day))].filter((day) => !roomy.has(day)).sort((a, b) => a - b)
      if (days.length === 0) return
      yield* makeRoom(sql, days)
      for (const day of days) roomy.add(day)
    })

    const add = Effect.fn("ViewStoreSql.add")(function*(batch: Batch, now: DateTime.Utc) {
      yield* ready(batch)
      const keyOf = yield* keysOf(batch.loads)
      const rows = batch.loads.flatMap((one) => {
        const key = keyOf(one)
        return key === undefined ? [] : [{ ...one, visitor: visitorOf(key, one.address, one.userAgent) }]
      })
      if (rows.length === 0) return
      // One statement, so all or nothing. Visitors and days are taken in one order everywhere: instances never wait
      // for each other in a ring, and a visitor whom two of them meet at once is new to one of them.
      yield* sql`
        WITH batch AS (
          INSERT INTO view_batches (id, added_at) VALUES (${batch.id}::uuid, ${date(now)}) ON CONFLICT DO NOTHING RETURNING id
        ), given AS MATERIALIZED (
          SELECT g.project_id, DATE '1970-01-01' + g.day AS day, to_timestamp(g.at / 1000.0) AS at, g.visitor,
            nullif(g.link, '')::uuid AS link, g.loads
          FROM batch, unnest(
            ${rows.map((row) => row.projectId)}::uuid[], ${rows.map((row) => row.day)}::int4[], ${rows.map((row) => BigInt(row.at))}::int8[],
            ${rows.map((row) => row.visitor)}::bytea[], ${rows.map((row) => row.shareLinkId ?? "")}::text[], ${rows.map((row) => row.count)}::int4[]
          ) AS g (project_id, day, at, visitor, link, loads)
        ), raw AS (
          INSERT INTO views (project_id, at, visitor, share_link_id, loads) SELECT project_id, at, visitor, link, loads FROM given
        ), met AS (
          INSERT INTO view_visitors (day, project_id, visitor)
          SELECT DISTINCT day, project_id, visitor FROM given ORDER BY day, project_id, visitor
          ON CONFLICT DO NOTHING RETURNING day, project_id
        ), new AS (
          SELECT day, project_id, count(*) AS visitors FROM met GROUP BY day, project_id
        ), summed AS (
          SELECT project_id, day, sum(loads) AS views, max(at) AS at FROM given GROUP BY project_id, day
        )
        INSERT INTO view_days AS d (project_id, day, views, unique_visitors, last_viewed_at)
        SELECT s.project_id, s.day, s.views, coalesce(n.visitors, 0), s.at
        FROM summed s JOIN projects p ON p.id = s.project_id LEFT JOIN new n ON n.project_id = s.project_id AND n.day = s.day
        ORDER BY s.project_id, s.day
        ON CONFLICT (project_id, day) DO UPDATE SET
          views = d.views + excluded.views,
          unique_visitors = d.unique_visitors + excluded.unique_visitors,
          last_viewed_at = greatest(d.last_viewed_at, excluded.last_viewed_at)`
    })

    return ViewStore.of({
      // A day's room may have gone meanwhile, and a project just as its loads were written: the second try knows.
      add: (batch, now) =>
        Effect.orDie(Effect.retry(Effect.tapError(add(batch, now), () => Effect.sync(() => roomy.clear())), { times: 1 })),

      days: (projectId, first, last) =>
        Effect.orDie(sql<DayFigures>`
          SELECT day - DATE '1970-01-01' AS day, views::float8, unique_visitors::float8 AS "uniqueVisitors",
            (extract(epoch FROM last_viewed_at) * 1000)::float8 AS "lastViewedAt" FROM view_days
          WHERE project_id = ${projectId} AND day BETWEEN ${dateOf(first)}::date AND ${dateOf(last)}::date`),

      makeRoom: (days) => Effect.orDie(makeRoom(sql, days)),

      forget: Effect.fn("ViewStoreSql.forget")(function*({ readers, views }) {
        yield* sql`DELETE FROM view_keys WHERE day <= ${dateOf(readers)}::date`
        yield* sql`DELETE FROM view_batches WHERE added_at < ${new Date(`${dateOf(readers + 1)}T00:00:00Z`)}`
        return (yield* dropUntil(sql, "view_visitors", readers)) + (yield* dropUntil(sql, "views", views))
      }, Effect.orDie)
    })
  })
)
