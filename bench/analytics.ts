/** Views in numbers: reading the figures of a hot project, writing batches, and dropping a day. */
import { randomBytes, randomUUID } from "node:crypto"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dateOf, dayOf } from "../src/domain/days.ts"
import type { Batch } from "../src/domain/analytics/store.ts"
import { ViewStore } from "../src/domain/analytics/store.ts"
import type { ProjectId } from "../src/domain/projects/model.ts"
import { ViewStoreSql } from "../src/services/database/views.ts"
import type { Bench } from "./bench.ts"
import { interleaved, median, timed } from "./pairs.ts"
import { atLeast, atMost, milliseconds, paired, percentile, perSecond } from "./report.ts"
import { startService } from "./service.ts"
import type { Service } from "./service.ts"

export const DAYS = 30
const BATCH = 1_000

/** `views` loads of one project over the last days; each day has a thirtieth of its loads as visitors. */
export const seedViews = async (service: Service, project: string, views: number, days: ReadonlyArray<number>) => {
  const each = Math.floor(views / days.length)
  for (const day of days) {
    const date = dateOf(day)
    await service.sql(`
      INSERT INTO views (project_id, at, visitor, share_link_id, loads)
      SELECT $1::uuid, $2::timestamptz + n * interval '1 millisecond' * $3::float8, decode(md5((n % $4::int)::text), 'hex'), NULL, 1
      FROM generate_series(0, $5::int - 1) AS n`, [project, `${date} 00:00:00+00`, 86_000_000 / each, Math.ceil(each / 30), each])
    await service.sql(`
      INSERT INTO view_days (project_id, day, views, unique_visitors, last_viewed_at)
      SELECT project_id, $2::date, sum(loads), count(DISTINCT visitor), max(at) FROM views
      WHERE project_id = $1::uuid AND at >= $3::timestamptz AND at < $3::timestamptz + interval '1 day' GROUP BY project_id
      ON CONFLICT (project_id, day) DO UPDATE SET views = excluded.views`, [project, date, `${date} 00:00:00+00`])
  }
}

const published = async (service: Service, slug: string): Promise<ProjectId> => {
  await service.ask(`/v1/projects/${slug}`, { method: "PUT", headers: { "content-type": "text/html" }, body: Buffer.from("<h1>Hello</h1>") })
  return (JSON.parse((await service.ask(`/v1/projects/${slug}`)).text) as { readonly id: ProjectId }).id
}

/** Rows that scans of any kind have read in the whole database, as this connection sees it. */
const readRows = async (service: Service): Promise<number> => {
  await service.sql("SELECT pg_stat_force_next_flush()")
  const [row] = await service.sql("SELECT tup_returned::float8 AS read FROM pg_stat_database WHERE datname = current_database()")
  return Number(row!["read"])
}

export const analytics: Bench = async ({ note, quick, tell }) => {
  const service = await startService()
  const [many, few] = quick ? [1_000_000, 10_000] : [10_000_000, 100_000]
  const [hot, cold] = [await published(service, "hot"), await published(service, "cold")]
  const today = dayOf(Date.now())
  const days = Array.from({ length: DAYS }, (_, back) => today - back)
  const store = await service.run(Effect.scoped(Effect.provide(ViewStore, ViewStoreSql)))
  await service.run(store.makeRoom(days))
  tell(`laying down ${many / 1e6} M views`)
  await seedViews(service, hot, many, days)
  await seedViews(service, cold, few, days)
  await service.sql("ANALYZE views, view_days")

  tell("reading")
  const read = (slug: string) => () => timed(() => service.ask(`/v1/projects/${slug}/analytics`))
  for (const slug of ["hot", "cold"]) for (let n = 0; n < 100; n++) await read(slug)()
  const waits = await interleaved(quick ? 200 : 1_000, { hot: read("hot"), cold: read("cold") })
  const raw = await timed(() => service.sql(`
    SELECT (at AT TIME ZONE 'UTC')::date AS day, sum(loads), count(DISTINCT visitor) FROM views
    WHERE project_id = $1::uuid AND at >= $2::timestamptz GROUP BY 1`, [hot, `${dateOf(today - DAYS + 1)} 00:00:00+00`]))
  const slow = percentile(waits.hot, 0.99)

  tell("writing")
  const projects: Array<ProjectId> = []
  for (let n = 0; n < 20; n++) projects.push(await published(service, `many-${n}`))
  await service.sql("CREATE TABLE plain_views (project_id uuid NOT NULL, at timestamptz NOT NULL, visitor bytea NOT NULL, share_link_id uuid)")
  let reader = 0
  /** A thousand readers, each of whom comes to one project. */
  const batch = (from: number): Batch => ({
    id: randomUUID(),
    loads: Array.from({ length: BATCH }, (_, n) => ({
      projectId: projects[n % projects.length]!, at: Date.now(), day: today, address: `reader ${from + n}`,
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", shareLinkId: null, count: 1
    }))
  })
  const write = (of: () => number) => async () => {
    const one = batch(of())
    return BATCH * 1_000 / await timed(() => service.run(Effect.flatMap(DateTime.now, (now) => store.add(one, now))))
  }
  const plain = async () => {
    const rows = Array.from({ length: BATCH }, (_, n) => [projects[n % projects.length]!, new Date(), randomBytes(16)] as const)
    return BATCH * 1_000 / await timed(() =>
      service.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`
        INSERT INTO plain_views (project_id, at, visitor)
        SELECT * FROM unnest(${rows.map((row) => row[0])}::uuid[], ${rows.map((row) => row[1])}::timestamptz[], ${rows.map((row) => row[2])}::bytea[])`)))
  }
  const contenders = { known: write(() => 0), strangers: write(() => reader += BATCH), plain }
  await interleaved(5, contenders)
  const written = await interleaved(quick ? 15 : 60, contenders)

  tell("dropping a day")
  const old = today - 401
  await service.run(store.makeRoom([old - 1, old]))
  const dayFull = quick ? 1_000_000 : 10_000_000
  await seedViews(service, cold, dayFull, [old])
  const tenth = dayFull / 10
  await service.sql(`CREATE TABLE copied AS SELECT * FROM views WHERE at >= $1::timestamptz AND at < $2::timestamptz LIMIT ${tenth}`, [`${dateOf(old)} 00:00:00+00`, `${dateOf(old + 1)} 00:00:00+00`])
  const before = await readRows(service)
  const dropped = await timed(() => service.run(store.forget({ readers: 0, views: old })))
  const scanned = await readRows(service) - before
  const deleted = await timed(() => service.sql("DELETE FROM copied"))

  note(`${many / 1e6} M raw views of one project over ${DAYS} days, ${few / 1e3} k of another; batches of ${BATCH} loads over ${projects.length} projects, in this process; the same from the raw rows took ${raw.toFixed(0)} ms`)
  return [
    { bench: "analytics", what: `GET 30 days at ${many / 1e6} M views, p99`, ours: milliseconds([slow]), peer: `p50 ${milliseconds(waits.hot)}`, ratios: [slow], unit: "ms", goal: atMost(10) },
    { bench: "analytics", what: "the same, p50", ours: milliseconds(waits.hot), peer: `at ${few / 1e3} k ${milliseconds(waits.cold)}`, ratios: [median(waits.hot) / median(waits.cold)], unit: "×", goal: atMost(1.2) },
    paired("analytics", "views written, readers known", perSecond, written.known, ["plain inserts", written.plain], atLeast(0.5)),
    paired("analytics", "views written, every reader new", perSecond, written.strangers, ["plain inserts", written.plain], atLeast(0.5)),
    { bench: "analytics", what: `dropping a day of ${dayFull / 1e6} M views`, ours: milliseconds([dropped]), peer: `DELETE of a tenth ${milliseconds([deleted])}`, ratios: [dropped / deleted], unit: "×", goal: atMost(1) },
    { bench: "analytics", what: "rows read meanwhile, the catalogue's included", ours: String(scanned), peer: `of ${dayFull / 1e6} M`, ratios: [scanned], unit: "rows", goal: atMost(10_000) }
  ]
}
