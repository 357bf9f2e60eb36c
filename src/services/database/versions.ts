/** Versions, and which packs their bytes lie in, in PostgreSQL. */
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Kind, Version, VersionId } from "../../domain/projects/model.ts"
import { GUARD } from "../../domain/projects/collection.ts"
import { VersionStore } from "../../domain/projects/store.ts"
import type { Content } from "../../domain/projects/store.ts"

/** Packs among these that nothing names any more stop counting, and wait to be collected. */
export const releasePacks = (sql: SqlClient.SqlClient, workspaceId: string, packs: ReadonlyArray<string>, now: DateTime.Utc) =>
  packs.length === 0 ? Effect.void : sql`
    WITH unnamed AS (
      UPDATE packs p SET unnamed_since = ${DateTime.toDateUtc(now)}
      WHERE p.id = ANY(${packs}::uuid[]) AND p.unnamed_since IS NULL
        AND NOT EXISTS (SELECT 1 FROM version_packs vp WHERE vp.pack_id = p.id)
      RETURNING size_bytes
    )
    UPDATE workspaces SET storage_bytes = storage_bytes - (SELECT coalesce(sum(size_bytes), 0) FROM unnamed) WHERE id = ${workspaceId}`

export const VersionStoreSql = Layer.effect(
  VersionStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const list = SqlSchema.findAll({
      Request: Schema.String,
      Result: Version,
      execute: (projectId) => sql`
        SELECT v.id, v.version, v.kind, v.size_bytes::float8 AS "sizeBytes", v.file_count AS "fileCount", v.created_at AS "createdAt",
          json_build_object('id', u.id, 'name', u.name) AS "createdBy", (p.current_version_id = v.id) IS TRUE AS current
        FROM versions v JOIN users u ON u.id = v.created_by JOIN projects p ON p.id = v.project_id
        WHERE v.project_id = ${projectId} ORDER BY v.version DESC`
    })

    const find = SqlSchema.findOneOption({
      Request: Schema.Struct({ projectId: Schema.String, version: Schema.Int }),
      Result: Schema.Struct({ id: VersionId, kind: Kind, entry: Schema.String, createdAt: Schema.DateTimeUtcFromDate }),
      execute: ({ projectId, version }) => sql`
        SELECT id, kind, entry, created_at AS "createdAt" FROM versions WHERE project_id = ${projectId} AND version = ${version}`
    })

    /** Packs of earlier publishes: still there, held until commit, and counted again if they had stopped counting. */
    const holdPacks = Effect.fn("VersionStoreSql.holdPacks")(function*(workspaceId: string, packs: ReadonlyArray<string>) {
      if (packs.length === 0) return true
      const held = yield* sql`SELECT id FROM packs WHERE id = ANY(${packs}::uuid[]) ORDER BY id FOR KEY SHARE`
      if (held.length < packs.length) return false
      yield* sql`
        WITH named AS (
          UPDATE packs SET unnamed_since = NULL WHERE id = ANY(${packs}::uuid[]) AND unnamed_since IS NOT NULL RETURNING size_bytes
        )
        UPDATE workspaces SET storage_bytes = storage_bytes + named.bytes
        FROM (SELECT sum(size_bytes) AS bytes FROM named) named WHERE id = ${workspaceId} AND named.bytes IS NOT NULL`
      return true
    })

    return VersionStore.of({
      contents: Effect.fn("VersionStoreSql.contents")(function*(workspaceId, hashes, now) {
        const safeSince = DateTime.toDateUtc(DateTime.subtract(now, { minutes: GUARD.minutes / 2 }))
        const rows = yield* sql<Content & { readonly hash: string }>`
          SELECT c.hash, c.pack_id AS pack, c."offset"::float8 AS "offset", c.length::float8 AS length
          FROM contents c JOIN packs p ON p.id = c.pack_id
          WHERE c.workspace_id = ${workspaceId} AND c.hash = ANY(${hashes})
            AND (p.unnamed_since IS NULL OR p.unnamed_since > ${safeSince})`
        return new Map(rows.map(({ hash, ...content }) => [hash, content]))
      }, Effect.orDie),

      add: Effect.fn("VersionStoreSql.add")(function*(version) {
        const { createdAt, pack, workspaceId } = version
        const at = DateTime.toDateUtc(createdAt)
        const named = [...new Set(Object.values(version.manifest).map((asset) => asset.pack))]
        if (!(yield* holdPacks(workspaceId, named.filter((id) => id !== pack?.id)))) return false
        if (pack !== null) {
          yield* sql`
            WITH pack AS (
              INSERT INTO packs (id, workspace_id, size_bytes, created_at)
              VALUES (${pack.id}, ${workspaceId}, ${pack.sizeBytes}, ${at})
            ), counted AS (
              UPDATE workspaces SET storage_bytes = storage_bytes + ${pack.sizeBytes} WHERE id = ${workspaceId}
            )
            INSERT INTO contents (workspace_id, pack_id, hash, "offset", length)
            SELECT ${workspaceId}::uuid, ${pack.id}::uuid, *
            FROM unnest(
              ${pack.contents.map((body) => body.hash)}::text[],
              ${pack.contents.map((body) => body.offset)}::int8[],
              ${pack.contents.map((body) => body.length)}::int8[]
            )
            ON CONFLICT DO NOTHING`
        }
        yield* sql`
          WITH version AS (
            INSERT INTO versions (id, project_id, version, kind, entry, size_bytes, file_count, created_by, created_at, manifest)
            VALUES (
              ${version.id}, ${version.projectId}, ${version.version}, ${version.kind}, ${version.entry}, ${version.sizeBytes},
              ${Object.keys(version.manifest).length}, ${version.createdBy}, ${at}, ${JSON.stringify(version.manifest)}::json
            )
          ), named AS (
            INSERT INTO version_packs (version_id, pack_id) SELECT ${version.id}::uuid, unnest(${named}::uuid[])
          )
          UPDATE projects SET version = ${version.version}, current_version_id = ${version.id}, updated_at = ${at}, published_at = ${at}
          WHERE id = ${version.projectId}`
        return true
      }, Effect.orDie),

      prune: Effect.fn("VersionStoreSql.prune")(function*(project, keep, now) {
        const doomed = yield* sql<{ id: string }>`
          SELECT id FROM versions WHERE project_id = ${project.id} ORDER BY version DESC OFFSET ${keep}`
        if (doomed.length === 0) return
        const ids = doomed.map((version) => version.id)
        const packs = yield* sql<{ id: string }>`
          SELECT DISTINCT pack_id AS id FROM version_packs WHERE version_id = ANY(${ids}::uuid[])`
        yield* sql`DELETE FROM versions WHERE id = ANY(${ids}::uuid[])`
        yield* releasePacks(sql, project.workspaceId, packs.map((pack) => pack.id), now)
      }, Effect.orDie),

      list: (projectId) => Effect.orDie(list(projectId)),
      find: (projectId, version) => Effect.orDie(find({ projectId, version }))
    })
  })
)
