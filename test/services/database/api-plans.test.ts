/**
 * What the API asks on its most frequent ways, and what the sweepers take, is found by an index with five thousand rows in
 * every table. Told by the server's own count of scans, of the statements as they are sent.
 */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { UserId } from "../../../src/domain/accounts/model.ts"
import { AccountStore } from "../../../src/domain/accounts/store.ts"
import { ApiTokenStore } from "../../../src/domain/api-tokens/store.ts"
import { AuditStore } from "../../../src/domain/audit/store.ts"
import { CommentId } from "../../../src/domain/comments/model.ts"
import { CommentStore } from "../../../src/domain/comments/store.ts"
import { FolderStore } from "../../../src/domain/folders/store.ts"
import { FolderId } from "../../../src/domain/folders/model.ts"
import { PassStore } from "../../../src/domain/hosting/store.ts"
import { IdempotencyKey } from "../../../src/domain/idempotency/model.ts"
import { IdempotencyStore } from "../../../src/domain/idempotency/store.ts"
import { InviteStore } from "../../../src/domain/invites/store.ts"
import { PackStore } from "../../../src/domain/projects/collection.ts"
import { ProjectId } from "../../../src/domain/projects/model.ts"
import { ProjectStore, VersionStore } from "../../../src/domain/projects/store.ts"
import { UploadId } from "../../../src/domain/uploads/model.ts"
import { UploadStore } from "../../../src/domain/uploads/store.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { WorkspaceStore } from "../../../src/domain/workspaces/store.ts"
import { AccountStoreSql } from "../../../src/services/database/accounts.ts"
import { ApiTokenStoreSql } from "../../../src/services/database/api-tokens.ts"
import { AuditStoreSql } from "../../../src/services/database/audit.ts"
import { CommentStoreSql } from "../../../src/services/database/comments.ts"
import { FolderStoreSql } from "../../../src/services/database/folders.ts"
import { IdempotencyStoreSql } from "../../../src/services/database/idempotency.ts"
import { InviteStoreSql } from "../../../src/services/database/invites.ts"
import { PackStoreSql } from "../../../src/services/database/packs.ts"
import { PassStoreSql } from "../../../src/services/database/passes.ts"
import { ProjectStoreSql } from "../../../src/services/database/projects.ts"
import { UploadStoreSql } from "../../../src/services/database/uploads.ts"
import { VersionStoreSql } from "../../../src/services/database/versions.ts"
import { WorkspaceStoreSql } from "../../../src/services/database/workspaces.ts"
import { freshDatabase } from "../../support/database.ts"

const ROWS = 5_000

const Stores = Layer.mergeAll(
  AccountStoreSql, ApiTokenStoreSql, AuditStoreSql, CommentStoreSql, FolderStoreSql, IdempotencyStoreSql, InviteStoreSql, PackStoreSql, PassStoreSql,
  ProjectStoreSql, UploadStoreSql, VersionStoreSql, WorkspaceStoreSql
).pipe(Layer.provideMerge(freshDatabase))

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

/** Row n of each belongs to row n of the others; every tenth is a workspace, with ten of everything. */
const TABLES: Readonly<Record<string, string>> = {
  users: "(id, email, name, created_at) SELECT i, 'user-' || n || '@example.com', 'Ada', now() FROM ids",
  workspaces: "(id, name, plan, created_at) SELECT i, 'Home', 'studio', now() FROM ids",
  members: "(workspace_id, user_id, role, joined_at) SELECT w, i, 'admin', now() FROM ids",
  api_tokens: "(id, user_id, label, prefix, hash, created_at) SELECT i, i, 'Token', 'svc_', 'token-' || n, now() FROM ids",
  folders: "(id, workspace_id, name, sharing, created_by, created_at, updated_at) SELECT i, w, 'Folder', 'team', i, now(), now() FROM ids",
  projects: `(id, workspace_id, owner_id, folder_id, slug, title, visibility, comments_enabled, html_display_mode, comment_access, comment_allowlist_inherit,
    indexable, version, current_version_id, created_at, updated_at)
    SELECT i, w, i, i, 'slug-' || n, 'Title', 'public', false, 'auto', 'members', false, false, 1, i, now(), now() FROM ids`,
  versions: "(id, project_id, version, kind, entry, size_bytes, file_count, created_by, created_at, manifest) SELECT i, i, 1, 'site', 'index.html', 1, 1, i, now(), '{}' FROM ids",
  packs: "(id, workspace_id, size_bytes, created_at, unnamed_since) SELECT i, w, 1, now(), CASE WHEN n % 100 = 0 THEN now() - n * interval '1 minute' END FROM ids",
  version_packs: "(version_id, pack_id) SELECT i, i FROM ids",
  contents: `(workspace_id, hash, pack_id, "offset", length) SELECT w, 'hash-' || n, i, 0, 1 FROM ids`,
  comments: "(id, project_id, version, body, author_id, created_at, updated_at) SELECT i, i, 1, 'Hello', i, now(), now() FROM ids",
  invites: "(id, workspace_id, email, role, token_hash, invited_by, created_at, expires_at) SELECT i, w, 'guest-' || n || '@example.com', 'member', 'invite-' || n, i, now(), now() + interval '1 day' FROM ids",
  audit_entries: "(id, workspace_id, at, actor_id, action, target) SELECT i, w, now(), i, 'project.deleted', json_build_object('type', 'project', 'id', i) FROM ids",
  idempotent_calls: "(user_id, operation, key, claim, heard_at) SELECT i, sha256('POST /v1/projects'), 'key-' || n, i, now() - n * interval '1 minute' FROM ids",
  uploads: "(id, user_id, workspace_id, slug, max_bytes, created_at) SELECT i, i, w, 'slug', 1, now() - n * interval '1 minute' FROM ids",
  upload_chunks: "(upload_id, index, pack_id, length) SELECT i, 0, i, 1 FROM ids",
  passes: "(id, project_id, hash, via, access_epoch, frame_name, frame_hash, given_at) SELECT i, i, 'pass-' || n, 'doorcode', 0, 'frame-' || n, 'key', now() - n * interval '1 minute' FROM ids",
  spent_keys: "(hash, spent_at) SELECT 'key-' || n, now() - n * interval '1 minute' FROM ids"
}

const seeded = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("SET LOCAL session_replication_role = replica")
  yield* sql.unsafe(`
    CREATE TEMP TABLE ids AS SELECT n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid AS i,
      ('00000000-0000-4000-8000-' || lpad((n / 10 * 10)::text, 12, '0'))::uuid AS w FROM generate_series(0, ${ROWS - 1}) n`)
  for (const [table, rows] of Object.entries(TABLES)) yield* sql.unsafe(`INSERT INTO ${table} ${rows}`)
  yield* sql.unsafe("SET LOCAL session_replication_role = origin")
  yield* sql.unsafe(`ANALYZE ${Object.keys(TABLES).join(", ")}`)
})

const scans = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string; readonly scans: number; readonly read: number }>`
    SELECT relname AS name, seq_scan::int4 AS scans, coalesce(idx_scan, 0)::int4 AS read FROM pg_stat_xact_user_tables WHERE relname = ANY(${Object.keys(TABLES)})`
  return Object.fromEntries(rows.map(({ name, ...counts }) => [name, counts]))
})

layer(Stores, { timeout: "60 seconds", excludeTestServices: true })("the API's statements at size", (it) => {
  // In one transaction, whose counts are at hand at once; of each sweep, only its oldest few are due.
  it.effect("look their rows up, and scan no table", () =>
    SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.gen(function*() {
      yield* seeded
      const [accounts, tokens, audit, comments, folders] = [yield* AccountStore, yield* ApiTokenStore, yield* AuditStore, yield* CommentStore, yield* FolderStore]
      const [calls, invites, packs, passes, projects] = [yield* IdempotencyStore, yield* InviteStore, yield* PackStore, yield* PassStore, yield* ProjectStore]
      const [uploads, versions, workspaces] = [yield* UploadStore, yield* VersionStore, yield* WorkspaceStore]
      const now = yield* DateTime.now
      const ago = (minutes: number) => DateTime.subtract(now, { minutes })
      const seen: Record<string, unknown> = {}
      const before = yield* scans

      // Oftener than PostgreSQL plans a statement anew, so that the plan it keeps is among them.
      for (let turn = 1; turn <= 8; turn++) {
        const n = turn * 600 + 7
        const [user, workspace, project, id] = [UserId.make(uuid(n)), WorkspaceId.make(uuid(n - n % 10)), ProjectId.make(uuid(n)), uuid(n)]
        const page = { after: undefined, limit: 20 }
        const call = { userId: user, operation: "POST /v1/projects", key: IdempotencyKey.make(`key-${n}`) }
        const limits = { now, silentSince: ago(ROWS * 2), forgottenSince: ago(ROWS * 2) }
        seen["token"] = yield* tokens.authenticate(`token-${n}`)
        seen["tokens"] = yield* tokens.list(user)
        seen["account"] = [yield* accounts.find(user), yield* accounts.byEmail(`user-${n}@example.com`)]
        seen["memberships"] = yield* workspaces.memberships(user)
        seen["seats"] = yield* workspaces.seatsTaken(workspace, now)
        seen["members"] = [yield* workspaces.members(workspace), yield* workspaces.member(workspace, user), yield* workspaces.hasMember(workspace, `user-${n}@example.com`)]
        seen["project"] = yield* projects.reach(`slug-${n}`, user)
        assert.strictEqual((yield* projects.list(workspace, user, { folderId: undefined, query: undefined, after: undefined, limit: 20 })).length, 10)
        assert.strictEqual((yield* projects.list(workspace, user, { folderId: FolderId.make(id), query: "tit", after: uuid(ROWS), limit: 20 })).length, 1)
        seen["versions"] = [yield* versions.list(project), yield* versions.find(project, 1), yield* versions.contents(workspace, [`hash-${n}`], ago(1))]
        seen["folders"] = [yield* folders.reach(FolderId.make(id), user), yield* folders.count(workspace), yield* folders.list(workspace, user, page)]
        assert.strictEqual((yield* comments.list(project, { status: "open", ...page })).length, 1)
        seen["comments"] = [yield* comments.thread(CommentId.make(id)), yield* comments.find(CommentId.make(id)), yield* comments.since(project, ago(10), 20)]
        assert.strictEqual((yield* invites.list(workspace)).length, 10)
        seen["invites"] = [yield* invites.byToken(`invite-${n}`), yield* invites.live(workspace, `guest-${n}@example.com`), yield* invites.pendingFor(`guest-${n}@example.com`, now)]
        assert.strictEqual((yield* audit.list(workspace, page)).length, 10)
        seen["calls"] = [yield* calls.claim(call, id, limits), yield* calls.answered(call, ago(1))]
        seen["uploads"] = [yield* uploads.find(UploadId.make(id)), yield* uploads.chunks(UploadId.make(id)), yield* uploads.open(user, ago(1))]
        yield* passes.spend(`fresh-${n}`, now)

        // What is due falls behind as the sweeps go on.
        const due = ago(ROWS - turn * 10)
        assert.isAbove(yield* calls.sweep(due, 500), 0)
        assert.isAbove((yield* uploads.forget(due, 500)).length, 0)
        assert.isAbove(yield* passes.sweep({ passes: due, keys: due }), 0)
        yield* packs.forget(ago(ROWS - turn * 100), 500)
      }
      assert.isFalse(Object.values(seen).some((found) => JSON.stringify(found).includes(`"_tag":"None"`) && found !== seen["calls"]), JSON.stringify(seen))

      const after = yield* scans
      const scanned = Object.keys(TABLES).filter((name) => after[name]!.scans > before[name]!.scans)
      assert.deepStrictEqual(scanned, [])
      for (const name of Object.keys(TABLES)) assert.isAbove(after[name]!.read, before[name]!.read, name)
    }))))
})
