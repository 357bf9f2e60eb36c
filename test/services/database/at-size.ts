/**
 * Five thousand rows in every table that grows, and the server's own count of the scans that a program causes, for the
 * statements as they are really sent.
 */
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { JobsEmbedded } from "../../../src/services/jobs/engine.ts"
import { freshDatabase } from "../../support/database.ts"

export const ROWS = 5_000

export const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

/** Row n of each table belongs to row n of the others; every tenth row is a workspace, with ten of everything. Higher rows are older. */
const TABLES: Readonly<Record<string, string>> = {
  users: "(id, email, name, email_verified_at, created_at) SELECT i, 'user-' || n || '@example.com', 'Ada', CASE WHEN n % 100 <> 99 THEN now() END, now() FROM ids",
  workspaces: "(id, name, plan, trial_ends_at, project_count, storage_bytes, created_at) SELECT i, 'Home', 'studio', now() - n * interval '1 minute', 10, 10, now() FROM ids",
  members: "(workspace_id, user_id, role, joined_at) SELECT w, i, 'admin', now() FROM ids",
  email_tokens: "(hash, user_id, purpose, expires_at) SELECT 'mailed-' || n, i, 'magic-link', now() + (2500 - n) * interval '1 minute' FROM ids",
  api_tokens: "(id, user_id, label, prefix, hash, created_at) SELECT i, i, 'Token', 'svc_', 'token-' || n, now() FROM ids",
  folders: "(id, workspace_id, name, sharing, created_by, created_at, updated_at) SELECT i, w, 'Folder', 'team', i, now(), now() FROM ids",
  projects: `(id, workspace_id, owner_id, folder_id, slug, title, visibility, comments_enabled, html_display_mode, comment_access, comment_allowlist_inherit,
    indexable, version, current_version_id, created_at, updated_at, deleted_at)
    SELECT i, w, i, i, 'slug-' || n, 'Title', 'public', false, 'auto', 'members', false, false, 1, i, now(), now(),
      CASE WHEN n % 100 = 50 THEN now() - n * interval '1 minute' END FROM ids`,
  freed_slugs: `(slug, workspace_id, freed_at) SELECT 'freed-' || n, '${uuid(0)}', now() - n * interval '1 second' FROM ids`,
  versions: "(id, project_id, version, kind, entry, size_bytes, file_count, created_by, created_at, manifest) SELECT i, i, 1, 'site', 'index.html', 1, 1, i, now(), '{}' FROM ids",
  packs: `(id, workspace_id, size_bytes, created_at, unnamed_since, loosened_at, thinning_since) SELECT i, w, 1, now(), CASE WHEN n % 100 = 0 THEN now() - n * interval '1 minute' END,
    CASE WHEN n % 100 = 1 THEN now() - n * interval '1 minute' END, CASE WHEN n % 100 = 2 THEN now() - n * interval '1 minute' END FROM ids`,
  version_packs: "(version_id, pack_id) SELECT i, i FROM ids",
  contents: `(workspace_id, hash, pack_id, "offset", length) SELECT w, 'hash-' || n, i, 0, 1 FROM ids`,
  comments: "(id, project_id, version, body, author_id, created_at, updated_at) SELECT i, i, 1, 'Hello', i, now(), now() FROM ids",
  comment_notices: "(user_id, project_id, comment_id, noted_at) SELECT i, i, i, now() FROM ids",
  comment_mutes: "(user_id, project_id) SELECT i, i FROM ids WHERE n % 2 = 0",
  invites: "(id, workspace_id, email, role, token_hash, invited_by, created_at, expires_at) SELECT i, w, 'guest-' || n || '@example.com', 'member', 'invite-' || n, i, now(), now() + interval '1 day' FROM ids",
  audit_entries: "(id, workspace_id, at, actor_id, action, target) SELECT i, w, now(), i, 'project.deleted', json_build_object('type', 'project', 'id', i) FROM ids",
  idempotent_calls: "(user_id, operation, key, claim, heard_at) SELECT i, sha256('POST /v1/projects'), 'key-' || n, i, now() - n * interval '1 minute' FROM ids",
  uploads: "(id, user_id, workspace_id, slug, max_bytes, created_at) SELECT i, i, w, 'slug', 1, now() - n * interval '1 minute' FROM ids",
  upload_chunks: "(upload_id, index, pack_id, length) SELECT i, 0, i, 1 FROM ids",
  share_links: "(id, project_id, label, hash, notify_on_first_open, created_by, created_at) SELECT i, i, 'Link', 'link-' || n, true, i, now() FROM ids",
  passes: "(id, project_id, hash, via, access_epoch, user_id, session_epoch, signed_in_at, frame_name, frame_hash, given_at) SELECT i, i, 'pass-' || n, 'member', 0, i, 0, now(), 'frame-' || n, 'key', now() - n * interval '1 minute' FROM ids",
  spent_keys: "(hash, spent_at) SELECT 'key-' || n, now() - n * interval '1 minute' FROM ids",
  view_days: "(project_id, day, views, unique_visitors, last_viewed_at) SELECT i, current_date, 1, 1, now() FROM ids",
  rate_limits: "(key, count, asked, ends_at) SELECT 'limit-' || n, 1, 1, now() + (2500 - n) * interval '1 minute' FROM ids",
  device_grants: `(id, device_hash, user_code, client, address, requested_at, expires_at, token_id)
    SELECT i, 'device-' || n, 'code-' || n, 'svc', '192.0.2.7', now(), now() + (1440 - n) * interval '1 minute', CASE WHEN n % 2 = 0 THEN i END FROM ids`,
  oauth_clients: `(id, name, redirect_uris, grant_types, created_at) SELECT 'client-' || n, 'Agent', '[]', '[]', now() FROM ids`,
  oauth_codes: `(hash, id, user_id, client_id, client_name, redirect_uri, challenge, resource, expires_at)
    SELECT 'code-' || n, i, i, 'client-' || n, 'Agent', 'http://localhost', 'challenge', 'mcp', now() + (4000 - n) * interval '1 minute' FROM ids`,
  oauth_families: "(id, user_id, client_id, client_name, resource, created_at) SELECT i, i, 'client-' || n, 'Agent', 'mcp', now() - n * interval '1 minute' FROM ids",
  oauth_tokens: "(hash, family_id, kind, expires_at) SELECT kind || '-' || n, i, kind, now() + interval '1 day' FROM ids, unnest('{access,refresh}'::text[]) kind WHERE n < 4900",
  exports: `(id, workspace_id, requested_by, requested_at, completed_at, pack_id, size_bytes, hash, token_hash)
    SELECT i, w, i, now() - n * interval '1 day', now() - n * interval '1 minute', i, 1, 'hash', 'export-' || n FROM ids`,
  mails: `(id, kind, sealed, enqueued_at, awaited, next_try_at, sent_at, dead_at)
    SELECT i, 'Welcome', CASE WHEN n % 100 < 2 THEN 'sealed' END, now(), n % 200 < 100, CASE WHEN n % 100 = 1 THEN now() - interval '1 day' END, CASE WHEN n % 100 > 1 THEN now() END, CASE WHEN n % 100 = 0 THEN now() END FROM ids`,
  customers: "(workspace_id, id, attempt, read_at, created_at) SELECT i, 'cus_' || n, i, now() - n * interval '1 minute', now() FROM ids",
  payment_notices: "(id, kind, taken_at) SELECT 'evt_' || n, 'invoice.paid', now() - n * interval '1 minute' FROM ids",
  trial_mails: "(workspace_id, kind, ends_at, claimed_at) SELECT i, 'ending', now(), now() FROM ids"
}

/** The job engine's own tables, made as it starts: every hundredth job is unfinished, on a shard that nobody here works on. */
const JOBS: Readonly<Record<string, string>> = {
  cluster_messages: `(id, message_id, shard_id, entity_type, entity_id, kind, tag, payload, headers, processed, request_id, last_reply_id)
    SELECT n, 'job-' || n, 'elsewhere:1', 'Workflow/DeliverMail', 'mail-' || n, 0, 'run', '{}', '{}', n % 100 <> 0, n, CASE WHEN n % 100 <> 0 THEN n END FROM ids`,
  cluster_replies: `(id, kind, request_id, payload, acked) SELECT n, 0, n, '{"_tag":"Success","value":{"_tag":"Complete"}}', true FROM ids WHERE n % 100 <> 0`
}

const ALL = { ...TABLES, ...JOBS }

const seeded = SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.gen(function*() {
  yield* sql.unsafe("SET LOCAL session_replication_role = replica")
  yield* sql.unsafe(`
    CREATE TEMP TABLE ids ON COMMIT DROP AS SELECT n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid AS i,
      ('00000000-0000-4000-8000-' || lpad((n / 10 * 10)::text, 12, '0'))::uuid AS w FROM generate_series(0, ${ROWS - 1}) n`)
  for (const [table, rows] of Object.entries(ALL)) yield* sql.unsafe(`INSERT INTO ${table} ${rows}`)
  yield* sql.unsafe(`ANALYZE ${Object.keys(ALL).join(", ")}`)
})))

export const DatabaseAtSize = Layer.effectDiscard(seeded).pipe(Layer.provideMerge(JobsEmbedded), Layer.provideMerge(freshDatabase))

const counted = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string; readonly scans: number; readonly read: number }>`
    SELECT relname AS name, seq_scan::int4 AS scans, coalesce(idx_scan, 0)::int4 AS read FROM pg_stat_xact_user_tables`
  return new Map(rows.map(({ name, ...counts }) => [name, counts]))
})

/** Runs a program in one transaction, whose counts are available at once: it must read these tables by an index, and scan none. */
export const looksUp = <E, R>(tables: ReadonlyArray<string>, program: Effect.Effect<void, E, R>) =>
  SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.gen(function*() {
    const before = yield* counted
    yield* program
    const after = yield* counted
    const grew = (name: string, of: "scans" | "read") => (after.get(name)?.[of] ?? 0) > (before.get(name)?.[of] ?? 0)
    assert.deepStrictEqual(Object.keys(ALL).filter((name) => grew(name, "scans")), [], "scanned")
    assert.deepStrictEqual(tables.filter((name) => !grew(name, "read")), [], "not read")
  })))
