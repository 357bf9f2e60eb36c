/**
 * The statements of every visit and every batch of views find their rows by an index, with many projects, passes and days
 * in the tables; checked by the server's own count of scans, for the statements as they are really sent.
 */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { ViewStore } from "../../../src/domain/analytics/store.ts"
import { HostingStore } from "../../../src/domain/hosting/store.ts"
import { ProjectId } from "../../../src/domain/projects/model.ts"
import { ShareLinkStore } from "../../../src/domain/share-links/store.ts"
import { HostingStoreSql } from "../../../src/services/database/hosting.ts"
import { ShareLinkStoreSql } from "../../../src/services/database/share-links.ts"
import { ViewStoreSql } from "../../../src/services/database/views.ts"
import { freshDatabase } from "../../support/database.ts"

const PROJECTS = 10_000
const SCANNED = ["projects", "passes", "share_links", "view_days", "view_keys", "versions", "workspaces"]

const Stores = Layer.mergeAll(HostingStoreSql, ViewStoreSql, ShareLinkStoreSql).pipe(Layer.provideMerge(freshDatabase))

const idOf = (n: number) => ProjectId.make(`00000000-0000-4000-8000-${String(n).padStart(12, "0")}`)

/** Every row refers to others as in real use; constraints are not checked here, since other tests do that. */
const seeded = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const statements = [
    "SET LOCAL session_replication_role = replica",
    `INSERT INTO users (id, email, name, created_at) VALUES ('${idOf(0)}', 'ada@example.com', 'Ada', now())`,
    `INSERT INTO workspaces (id, name, plan, created_at) SELECT n_id, 'Home', 'studio', now() FROM ids WHERE n % 10 = 0`,
    `INSERT INTO projects (id, workspace_id, owner_id, slug, title, visibility, password, comments_enabled, html_display_mode, comment_access,
       comment_allowlist_inherit, indexable, current_version_id, created_at, updated_at)
     SELECT n_id, (SELECT i.n_id FROM ids i WHERE i.n = ids.n / 10 * 10), '${idOf(0)}', 'slug-' || n, 'Title', 'password', 'code', false, 'auto', 'members',
       false, false, n_id, now(), now() FROM ids`,
    `INSERT INTO versions (id, project_id, version, kind, entry, size_bytes, file_count, created_by, created_at, manifest)
     SELECT n_id, n_id, 1, 'site', 'index.html', 1, 1, '${idOf(0)}', now(), '{}' FROM ids`,
    `INSERT INTO share_links (id, project_id, label, hash, notify_on_first_open, created_by, created_at)
     SELECT n_id, n_id, 'Link', 'link-' || n, false, '${idOf(0)}', now() FROM ids`,
    `INSERT INTO passes (id, project_id, hash, via, access_epoch, share_link_id, frame_name, frame_hash, given_at)
     SELECT gen_random_uuid(), n_id, 'pass-' || n || '-' || m, 'link', 0, n_id, 'frame-' || n || '-' || m, 'key', now() FROM ids, generate_series(1, 2) m`,
    `INSERT INTO view_days (project_id, day, views, unique_visitors, last_viewed_at)
     SELECT n_id, current_date - m, 1, 1, now() FROM ids, generate_series(0, 2) m`,
    `INSERT INTO view_keys (project_id, day, key) SELECT n_id, current_date - 1, '\\x00' FROM ids`,
    "SET LOCAL session_replication_role = origin",
    "ANALYZE users, workspaces, projects, versions, share_links, passes, view_days, view_keys"
  ]
  yield* sql.unsafe(`CREATE TEMP TABLE ids AS SELECT n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid AS n_id FROM generate_series(0, ${PROJECTS - 1}) n`)
  yield* sql.unsafe("CREATE UNIQUE INDEX ON ids (n)")
  for (const statement of statements) yield* sql.unsafe(statement)
})

const scans = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string; readonly scans: number; readonly read: number }>`
    SELECT relname AS name, seq_scan::int4 AS scans, coalesce(idx_scan, 0)::int4 AS read FROM pg_stat_xact_user_tables WHERE relname = ANY(${SCANNED})`
  return Object.fromEntries(rows.map(({ name, ...counts }) => [name, counts]))
})

layer(Stores, { excludeTestServices: true })("hot statements at size", (it) => {
  // In one transaction, whose counts are available at once.
  it.effect("look their rows up, and scan no table", () =>
    SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.gen(function*() {
      yield* seeded
      const hosting = yield* HostingStore
      const views = yield* ViewStore
      const links = yield* ShareLinkStore
      const now = yield* DateTime.now
      const at = DateTime.toEpochMillis(now)
      const day = Math.floor(at / 86_400_000)
      yield* views.makeRoom([day])
      const before = yield* scans

      // More often than PostgreSQL plans a statement anew, so that the plan it keeps is among them.
      for (let turn = 1; turn <= 12; turn++) {
        const some = Array.from({ length: turn * 10 }, (_, n) => turn * 500 + n)
        const open = yield* hosting.visits(some.map((n) => ({ slug: `slug-${n}`, pass: null })))
        const gated = yield* hosting.visits(some.map((n) => ({ slug: `slug-${n}`, pass: `pass-${n}-2` })))
        const framed = yield* hosting.frameVisits(some.map((n) => ({ name: `frame-${n}-1`, key: "key" })))
        assert.isTrue([...open, ...gated, ...framed].every((visit) => visit?.site.version?.kind === "site"))
        assert.isTrue([...gated, ...framed].every((visit) => visit?.pass?.link !== null))
        const loads = some.map((n) => ({
          projectId: idOf(n), at, day, address: `192.0.2.${turn}`, userAgent: "Firefox", shareLinkId: null, count: 1
        }))
        yield* views.add({ id: randomUUID(), loads }, now)
        assert.strictEqual((yield* views.days(idOf(some[0]!), day, day))[0]?.views, 2)
        assert.strictEqual((yield* links.list(idOf(some[0]!))).length, 1)
      }

      const after = yield* scans
      for (const name of SCANNED) {
        assert.strictEqual(after[name]!.scans, before[name]!.scans, name)
        assert.isAbove(after[name]!.read, before[name]!.read, name)
      }
    }))))
})
