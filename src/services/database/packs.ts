/** Which packs are known, and which may be deleted, in PostgreSQL. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { PackStore } from "../../domain/projects/store.ts"
import { counted, date, idsOf } from "./rows.ts"

export const PackStoreSql = Layer.effect(
  PackStore,
  SqlClient.SqlClient.useSync((sql) => ({
    // A publish that is about to name one of these packs holds its row, so the row is skipped, not waited for. A pack's
    // contents are locked in the order in which a publish of the same bytes writes them, so that the two never deadlock.
    forget: (cutoff, limit) =>
      idsOf(sql<{ id: string }>`
        WITH doomed AS (
          SELECT p.id FROM packs p
          WHERE p.unnamed_since < ${date(cutoff)}
            AND NOT EXISTS (SELECT 1 FROM version_packs vp WHERE vp.pack_id = p.id)
          ORDER BY p.unnamed_since LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ), held AS (
          SELECT 1 FROM contents c WHERE c.pack_id IN (SELECT id FROM doomed) ORDER BY c.hash FOR UPDATE
        )
        DELETE FROM packs WHERE id IN (SELECT id FROM doomed) AND (SELECT count(*) FROM held) >= 0 RETURNING id`),
    known: (ids) =>
      Effect.map(
        idsOf(sql<{ id: string }>`
          WITH asked AS (SELECT unnest(${uuidsIn(ids)}::uuid[]) AS id)
          SELECT p.id FROM asked JOIN packs p USING (id)
          UNION ALL SELECT e.pack_id FROM asked JOIN exports e ON e.pack_id = asked.id`),
        (found) => new Set(found)
      ),
    marks: (ids) =>
      Effect.orDie(Effect.map(
        sql<{ id: string; mark: string | null }>`
          WITH asked AS (SELECT unnest(${uuidsIn(ids)}::uuid[]) AS id)
          SELECT p.id, nullif(concat_ws(' ', p.thinnings, p.thinning_since), '0') AS mark FROM asked JOIN packs p USING (id)
          UNION ALL SELECT e.pack_id, NULL FROM asked JOIN exports e ON e.pack_id = asked.id`,
        (rows) => new Map(rows.map(({ id, mark }) => [id, mark]))
      )),
    count: counted(sql<{ count: number }>`SELECT count(*)::int AS count FROM packs`),
    deployment: Effect.orDie(Effect.map(sql<{ id: string }>`SELECT id::text FROM deployment`, ([row]) => row!.id))
  }))
)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const uuidsIn = (ids: ReadonlyArray<string>) => ids.filter((id) => UUID.test(id))
