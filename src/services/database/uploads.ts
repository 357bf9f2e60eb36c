/** Staged uploads in PostgreSQL: what they are and where their chunks lie, never the bytes. */
import { Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { UserId } from "../../domain/accounts/model.ts"
import { Upload, UploadId } from "../../domain/uploads/model.ts"
import type { Chunk } from "../../domain/uploads/model.ts"
import { UploadStore } from "../../domain/uploads/store.ts"
import { anyRow, date, executed } from "./rows.ts"

const columns = `id, user_id AS "userId", workspace_id AS "workspaceId", slug, project_id AS "projectId", file_name AS "fileName", content_type AS "contentType",
  max_bytes::float8 AS "maxBytes", size_bytes::float8 AS "sizeBytes", created_at AS "createdAt", claimed_at AS "claimedAt"`

export const UploadStoreSql = Layer.effect(
  UploadStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    /** Over for whoever is no longer in its workspace. */
    const stands = sql.literal("EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = u.workspace_id AND m.user_id = u.user_id)")

    const found = (lock: string) => SqlSchema.findOneOption({
      Request: UploadId,
      Result: Upload,
      execute: (id) => sql`
        SELECT ${sql.literal(columns)} FROM uploads u
        WHERE id = ${id} AND ${stands} ${sql.literal(lock)}`
    })
    const [find, hold] = [found(""), found("FOR UPDATE OF u")]

    const openOf = SqlSchema.findAll({
      Request: Schema.Struct({ userId: UserId, since: Schema.DateTimeUtcFromDate }),
      Result: Upload.mapFields(Struct.pick(["createdAt", "id", "slug"])),
      execute: ({ since, userId }) => sql`
        SELECT id, slug, created_at AS "createdAt" FROM uploads u WHERE user_id = ${userId} AND created_at > ${since} AND ${stands} ORDER BY created_at, id`
    })

    /** One statement sees one snapshot: the chunks of the uploads it deletes are still there. */
    const deleted = (those: Fragment) =>
      Effect.orDie(Effect.map(
        sql<{ id: string; pack: string | null }>`
          WITH gone AS (DELETE FROM uploads WHERE ${those} RETURNING id)
          SELECT gone.id, c.pack_id AS pack FROM gone LEFT JOIN upload_chunks c ON c.upload_id = gone.id`,
        (rows) => ({ uploads: new Set(rows.map(({ id }) => id)).size, packs: rows.flatMap(({ pack }) => pack === null ? [] : [pack]) })
      ))

    return UploadStore.of({
      open: Effect.fn("UploadStoreSql.open")(function*(userId, workspaceId, since) {
        // Locks the workspace before the account, as every other program does: inserting the upload alone would lock it after.
        yield* sql`SELECT 1 FROM workspaces WHERE id = ${workspaceId} FOR KEY SHARE`
        yield* sql`SELECT id FROM users WHERE id = ${userId} FOR NO KEY UPDATE`
        return yield* openOf({ userId, since })
      }, Effect.orDie),
      begin: ({ contentType, createdAt, fileName, id, maxBytes, projectId, sizeBytes, slug, userId, workspaceId }) =>
        executed(sql`
          INSERT INTO uploads ${
          sql.insert({
            id,
            user_id: userId,
            workspace_id: workspaceId,
            slug,
            project_id: projectId,
            file_name: fileName,
            content_type: contentType,
            max_bytes: maxBytes,
            size_bytes: sizeBytes,
            created_at: date(createdAt)
          })
        }`),
      find: (id) => Effect.orDie(find(id)),
      hold: (id) => Effect.orDie(hold(id)),
      chunks: (id) =>
        Effect.orDie(sql<Chunk>`SELECT index, pack_id AS pack, length FROM upload_chunks WHERE upload_id = ${id} ORDER BY index`),
      keep: (id, { index, length, pack }) =>
        executed(sql`
          INSERT INTO upload_chunks (upload_id, index, pack_id, length) VALUES (${id}, ${index}, ${pack}, ${length})
          ON CONFLICT (upload_id, index) DO UPDATE SET pack_id = excluded.pack_id, length = excluded.length`),
      claim: (id, since, now) =>
        anyRow(sql`UPDATE uploads SET claimed_at = ${date(now)}
          WHERE id = ${id} AND (claimed_at IS NULL OR claimed_at <= ${date(since)}) RETURNING id`),
      release: (id, claimedAt) =>
        executed(sql`UPDATE uploads SET claimed_at = NULL WHERE id = ${id} AND claimed_at = ${date(claimedAt)}`),
      spend: (id, claimedAt) => anyRow(sql`DELETE FROM uploads WHERE id = ${id} AND claimed_at = ${date(claimedAt)} RETURNING id`),
      drop: (id) => Effect.map(deleted(sql`id = ${id}`), ({ packs }) => packs),
      forget: (cutoff, limit) => deleted(sql`id IN (SELECT id FROM uploads WHERE created_at <= ${date(cutoff)} ORDER BY created_at LIMIT ${limit})`)
    })
  })
)
