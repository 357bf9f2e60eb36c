/** Versions, and the packs that hold their bytes, in PostgreSQL. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { Manifest } from "../../domain/hosting/model.ts"
import type { Range } from "../../domain/ports/packs.ts"
import { StoredVersion, Version } from "../../domain/projects/model.ts"
import { meets } from "../../domain/projects/packs/ranges.ts"
import { VersionStore } from "../../domain/projects/store.ts"
import type { Content, NewVersion } from "../../domain/projects/store.ts"
import { date } from "./rows.ts"

/**
 * Packs that versions which go named (`id`, and whether another version names it yet). Those that none names any more stop counting, and
 * wait to be collected; the others are marked, as some of their bytes may be dead.
 */
const released = (sql: SqlClient.SqlClient, packs: Fragment, now: DateTime.Utc) => {
  const at = date(now)
  return sql`
    UPDATE packs p SET
      unnamed_since = CASE WHEN NOT r.named THEN ${at}::timestamptz END,
      loosened_at = CASE WHEN r.named THEN ${at}::timestamptz ELSE p.loosened_at END
    FROM (${packs}) r
    WHERE p.id = r.id AND p.unnamed_since IS NULL AND (NOT r.named OR p.loosened_at IS NULL)
    RETURNING p.size_bytes, r.named`
}

export const releasePacks = (sql: SqlClient.SqlClient, workspaceId: string, packs: ReadonlyArray<string>, now: DateTime.Utc) => {
  const named = sql`SELECT id, EXISTS (SELECT 1 FROM version_packs vp WHERE vp.pack_id = id) AS named FROM unnest(${packs}::uuid[]) AS id`
  return packs.length === 0 ? Effect.void : sql`
    WITH released AS (${released(sql, named, now)})
    UPDATE workspaces SET storage_bytes = storage_bytes - (SELECT coalesce(sum(size_bytes), 0) FROM released WHERE NOT named)
    WHERE id = ${workspaceId}`
}

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
      Result: StoredVersion,
      execute: ({ projectId, version }) => sql`
        SELECT id, kind, entry, title, title_own AS "titleOwn", created_at AS "createdAt" FROM versions WHERE project_id = ${projectId} AND version = ${version}`
    })

    /** Packs among these of whose dead bytes the manifest names some. */
    const withDead = Effect.fn("VersionStoreSql.withDead")(function*(manifest: Manifest, packs: ReadonlyArray<string>) {
      if (packs.length === 0) return []
      const rows = yield* sql<{ id: string; dead: ReadonlyArray<Range> | null }>`SELECT id, dead FROM packs WHERE id = ANY(${packs}::uuid[])`
      const assets = Object.groupBy(Object.values(manifest), ({ pack }) => pack)
      return rows.filter(({ dead, id }) => meets(assets[id] ?? [], dead ?? [])).map(({ id }) => id)
    })

    /**
     * Holds packs of earlier publishes until commit, and counts them again if they had stopped counting. None if one of them is
     * gone, or was thinned of bytes that were found in it. Found bytes that wait to be wiped are named again: the pack is marked, and
     * waits anew.
     */
    const holdPacks = Effect.fn("VersionStoreSql.holdPacks")(
      function*({ createdAt, found, manifest, workspaceId }: NewVersion, packs: ReadonlyArray<string>) {
        if (packs.length === 0) return Option.some(0)
        const held = yield* sql<{ id: string; bytes: number; thinnings: number; unnamed: boolean; waits: boolean }>`
          SELECT id, size_bytes::float8 AS bytes, thinnings, unnamed_since IS NOT NULL AS unnamed, thinning_since IS NOT NULL AS waits
          FROM packs WHERE id = ANY(${packs}::uuid[]) ORDER BY id FOR KEY SHARE`
        const isThinned = ({ id, thinnings }: (typeof held)[number]) => found.has(id) && found.get(id) !== thinnings
        const taken = new Set(yield* withDead(manifest, held.filter((pack) => isThinned(pack) || (pack.waits && found.has(pack.id))).map(({ id }) => id)))
        if (held.length < packs.length || held.some((pack) => isThinned(pack) && taken.has(pack.id))) return Option.none<number>()
        // Of a revived pack only some bytes may be named: the mark has them counted anew.
        const changed = held.filter(({ id, unnamed }) => unnamed || taken.has(id))
        if (changed.length === 0) return Option.some(0)
        const bytes = changed.reduce((sum, pack) => sum + (pack.unnamed ? pack.bytes : 0), 0)
        const at = date(createdAt)
        yield* sql`
          WITH named AS (
            UPDATE packs SET unnamed_since = NULL, loosened_at = coalesce(loosened_at, ${at}),
              thinning_since = CASE WHEN id = ANY(${[...taken]}::uuid[]) THEN ${at}::timestamptz ELSE thinning_since END
            WHERE id = ANY(${changed.map(({ id }) => id)}::uuid[])
          )
          UPDATE workspaces SET storage_bytes = storage_bytes + ${bytes}::int8 WHERE id = ${workspaceId} AND ${bytes}::int8 <> 0`
        return Option.some(bytes)
      }
    )

    return VersionStore.of({
      contents: Effect.fn("VersionStoreSql.contents")(function*(workspaceId, hashes, revivable) {
        const rows = yield* sql<Content & { readonly hash: string }>`
          SELECT c.hash, c.pack_id AS pack, c."offset"::float8 AS "offset", c.length::float8 AS length, p.thinnings
          FROM contents c JOIN packs p ON p.id = c.pack_id
          WHERE c.workspace_id = ${workspaceId} AND c.hash = ANY(${hashes})
            AND (p.unnamed_since IS NULL OR p.unnamed_since > ${date(revivable)})`
        return new Map(rows.map(({ hash, ...content }) => [hash, content]))
      }, Effect.orDie),

      add: Effect.fn("VersionStoreSql.add")(function*(version, { atMost, upTo }) {
        const { createdAt, pack, workspaceId } = version
        const at = date(createdAt)
        const named = [...new Set(Object.values(version.manifest).map((asset) => asset.pack))]
        const revived = yield* holdPacks(version, named.filter((id) => id !== pack?.id))
        if (Option.isNone(revived)) return revived
        const contents = pack?.contents ?? []
        const manifest = JSON.stringify(version.manifest)
        yield* Effect.yieldNow
        const says = version.beginsAs === null
          ? sql`${version.title}, ${version.titleOwn}, ${version.excerpt}`
          : sql`(SELECT title FROM versions WHERE id = ${version.beginsAs}), ${version.titleOwn}, (SELECT excerpt FROM versions WHERE id = ${version.beginsAs})`
        const ofDoomed = sql`
          SELECT vp.pack_id AS id, true AS named FROM doomed JOIN version_packs vp ON vp.version_id = doomed.id
          WHERE vp.pack_id = ANY(${named}::uuid[])
          UNION ALL
          SELECT vp.pack_id, other.there IS NOT NULL FROM doomed JOIN version_packs vp ON vp.version_id = doomed.id
          LEFT JOIN LATERAL (
            SELECT true AS there FROM version_packs o WHERE o.pack_id = vp.pack_id AND o.version_id NOT IN (SELECT id FROM doomed) LIMIT 1
          ) other ON true
          WHERE vp.pack_id <> ALL(${named}::uuid[])`
        // One statement sees one snapshot: the pack names of doomed versions are still there and this version's are not yet,
        // so both are given explicitly.
        const rows = yield* sql<{ gained: number }>`
          WITH pack AS (
            INSERT INTO packs (id, workspace_id, size_bytes, created_at)
            SELECT ${pack?.id ?? null}::uuid, ${workspaceId}::uuid, ${pack?.sizeBytes ?? 0}::int8, ${at}::timestamptz
            WHERE ${pack !== null}::boolean
          ), known AS (
            INSERT INTO contents (workspace_id, pack_id, hash, "offset", length)
            SELECT ${workspaceId}::uuid, ${pack?.id ?? null}::uuid, body.*
            FROM unnest(
              ${contents.map((body) => body.hash)}::text[],
              ${contents.map((body) => body.offset)}::int8[],
              ${contents.map((body) => body.length)}::int8[]
            ) AS body (hash)
            ORDER BY body.hash
            -- Bytes of a pack that is about to go are found where they are from now on.
            ON CONFLICT (workspace_id, hash) DO UPDATE SET pack_id = excluded.pack_id, "offset" = excluded."offset", length = excluded.length
            WHERE EXISTS (SELECT 1 FROM packs p WHERE p.id = contents.pack_id AND p.unnamed_since IS NOT NULL)
          ), version AS (
            INSERT INTO versions (id, project_id, version, kind, entry, size_bytes, file_count, created_by, created_at, manifest, title, title_own, excerpt)
            VALUES (
              ${version.id}, ${version.projectId}, ${version.version}, ${version.kind}, ${version.entry}, ${version.sizeBytes},
              ${Object.keys(version.manifest).length}, ${version.createdBy}, ${at}, ${manifest}::json,
              ${says}
            )
          ), named AS (
            INSERT INTO version_packs (version_id, pack_id) SELECT ${version.id}::uuid, unnest(${named}::uuid[])
          ), doomed AS (
            DELETE FROM versions WHERE id IN (
              SELECT id FROM versions WHERE project_id = ${version.projectId} AND version <= ${upTo}::int ORDER BY version LIMIT ${atMost})
            RETURNING id
          ), released AS (${released(sql, ofDoomed, createdAt)}), gained AS (
            SELECT ${pack?.sizeBytes ?? 0}::int8 - coalesce(sum(size_bytes), 0) AS bytes FROM released WHERE NOT named
          ), counted AS (
            UPDATE workspaces SET storage_bytes = storage_bytes + gained.bytes FROM gained WHERE id = ${workspaceId} AND gained.bytes <> 0
          )
          UPDATE projects SET version = ${version.version}, current_version_id = ${version.id}, updated_at = ${at}, published_at = ${at}
          WHERE id = ${version.projectId} RETURNING (SELECT bytes::float8 FROM gained) AS gained`
        return Option.some(revived.value + rows[0]!.gained)
      }, Effect.orDie),

      list: (projectId) => Effect.orDie(list(projectId)),
      find: (projectId, version) => Effect.orDie(find({ projectId, version }))
    })
  })
)
