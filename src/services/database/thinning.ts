/** Packs that lost some of their bytes, in PostgreSQL. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { LoosePack, MarkedPack, NamedBody, Naming } from "../../domain/projects/packs/thinning-store.ts"
import { ThinningStore } from "../../domain/projects/packs/thinning-store.ts"
import { anyRow, date, executed, instant } from "./rows.ts"
import type { RowOf } from "./rows.ts"

const MARKED = `p.id, p.workspace_id AS "workspaceId", coalesce(p.stored_bytes, p.size_bytes)::float8 AS length, p.dead IS NULL AS untouched`

const LOOSE = `${MARKED}, p.size_bytes::float8 AS "countedBytes", coalesce(p.dead, '[]'::json) AS dead, p.thinning_since AS "thinningSince", p.thinnings`

const looseOf = (row: RowOf<LoosePack>): LoosePack => ({
  id: row.id,
  workspaceId: row.workspaceId,
  length: row.length,
  untouched: row.untouched,
  countedBytes: row.countedBytes,
  dead: row.dead,
  thinningSince: instant(row.thinningSince),
  thinnings: row.thinnings
})

export const ThinningStoreSql = Layer.effect(
  ThinningStore,
  SqlClient.SqlClient.useSync((sql) => {
    const marked = sql.literal(MARKED)
    return {
      loosened: (limit) =>
        Effect.orDie(sql<MarkedPack>`
          SELECT ${marked} FROM packs p WHERE p.loosened_at IS NOT NULL AND p.unnamed_since IS NULL ORDER BY p.loosened_at LIMIT ${limit}`),
      due: (before, limit) =>
        Effect.orDie(sql<MarkedPack>`
          SELECT ${marked} FROM packs p WHERE p.thinning_since < ${date(before)} AND p.unnamed_since IS NULL
          ORDER BY p.thinning_since LIMIT ${limit}`),
      hold: (packs) =>
        Effect.orDie(Effect.map(
          sql<RowOf<LoosePack>>`
            SELECT ${sql.literal(LOOSE)} FROM packs p WHERE p.id = ANY(${packs}::uuid[]) AND p.unnamed_since IS NULL ORDER BY p.id FOR NO KEY UPDATE`,
          (rows) => rows.map(looseOf)
        )),
      naming: (packs) =>
        Effect.orDie(sql<Naming>`
          SELECT pack_id AS pack, version_id AS version FROM version_packs WHERE pack_id = ANY(${packs}::uuid[]) ORDER BY version_id, pack_id`),
      bodies: (version, packs) =>
        Effect.orDie(sql<NamedBody>`
          SELECT DISTINCT a.value->>'pack' AS pack, (a.value->>'offset')::float8 AS "offset", (a.value->>'length')::float8 AS length, a.value->>'hash' AS hash
          FROM versions v CROSS JOIN LATERAL json_each(v.manifest) a WHERE v.id = ${version} AND a.value->>'pack' = ANY(${packs}::text[])`),
      unmark: (packs) => executed(sql`UPDATE packs SET loosened_at = NULL WHERE id = ANY(${packs}::uuid[])`),
      // A publish that looks contents up later finds no dead body; `thinnings` tells one that looked them up before.
      settle: ({ id, workspaceId }, { dead, living, marked: again, thinnings, thinningSince }, now) => {
        const at = date(now)
        return executed(sql`
          WITH living AS (
            SELECT * FROM unnest(${living.map(({ offset }) => offset)}::int8[], ${living.map(({ length }) => length)}::int8[]) AS l ("offset", length)
          ), forgotten AS (
            DELETE FROM contents c WHERE c.pack_id = ${id} AND c.length > 0
              AND NOT EXISTS (SELECT 1 FROM living l WHERE l."offset" = c."offset" AND l.length = c.length)
          ), counted AS (
            SELECT size_bytes AS before, (SELECT coalesce(sum(length), 0)::int8 FROM living) AS bytes FROM packs WHERE id = ${id}
          ), used AS (
            UPDATE workspaces SET storage_bytes = storage_bytes + c.bytes - c.before FROM counted c WHERE id = ${workspaceId} AND c.bytes <> c.before
          )
          UPDATE packs SET size_bytes = c.bytes, stored_bytes = coalesce(stored_bytes, size_bytes), dead = ${JSON.stringify(dead)}::json,
            thinnings = ${thinnings}, thinning_since = ${thinningSince === undefined ? sql`thinning_since` : sql`${date(thinningSince)}`},
            loosened_at = CASE WHEN ${again}::boolean THEN ${at}::timestamptz END
          FROM counted c WHERE id = ${id}`)
      },
      thinned: (id, thinnings) =>
        anyRow(sql`
          WITH thinned AS (UPDATE packs SET thinning_since = NULL WHERE id = ${id} AND thinnings = ${thinnings})
          SELECT 1 FROM packs WHERE id = ${id}`),
      postpone: (id, now) =>
        executed(sql`UPDATE packs SET thinning_since = ${date(now)} WHERE id = ${id} AND thinning_since IS NOT NULL`)
    }
  })
)
