/** Rendered documents in PostgreSQL: compressed, one per version, deleted with it. */
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { promisify } from "node:util"
import { zstdCompress, zstdDecompress } from "node:zlib"
import type { Heading, Rendered } from "../../domain/ports/renderer.ts"
import type { VersionId } from "../../domain/projects/model.ts"
import { RenderingStore } from "../../domain/renderings/store.ts"
import { date, dateOrNull } from "./rows.ts"

interface Row {
  readonly html: Uint8Array
  readonly headings: ReadonlyArray<Heading>
  readonly title: string | null
  readonly late: boolean
}

const [pack, unpack] = [promisify(zstdCompress), promisify(zstdDecompress)]

export const RenderingStoreSql = Layer.effect(
  RenderingStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = Effect.fn("RenderingStoreSql.find")(function*(version: VersionId, edition: number, now: DateTime.Utc) {
      const [row] = yield* sql<Row>`
        SELECT html, headings, title, kept_until IS NOT NULL AS late FROM renderings
        WHERE version_id = ${version} AND renderer >= ${edition} AND (kept_until IS NULL OR kept_until > ${date(now)})`
      if (row === undefined) return Option.none<Rendered>()
      const html = yield* Effect.promise(() => unpack(row.html))
      return Option.some<Rendered>({ html: html.toString(), headings: row.headings, title: row.title, ...(row.late && { short: "late" }) })
    }, Effect.orDie)

    return RenderingStore.of({
      find,
      keep: Effect.fn("RenderingStoreSql.keep")(function*(version, edition, rendered, { now, until }) {
        const html = yield* Effect.promise(() => pack(rendered.html))
        const kept = yield* sql`
          INSERT INTO renderings (version_id, renderer, html, headings, title, made_at, kept_until)
          SELECT id, ${edition}, ${html}, ${JSON.stringify(rendered.headings)}::jsonb, ${rendered.title}, ${date(now)}, ${dateOrNull(until)}::timestamptz
          FROM versions WHERE id = ${version} FOR KEY SHARE
          ON CONFLICT (version_id) DO UPDATE
            SET renderer = excluded.renderer, html = excluded.html, headings = excluded.headings, title = excluded.title,
              made_at = excluded.made_at, kept_until = excluded.kept_until
            WHERE renderings.renderer < excluded.renderer OR (renderings.renderer = excluded.renderer
              AND (renderings.kept_until <= excluded.made_at OR (renderings.kept_until IS NOT NULL AND excluded.kept_until IS NULL)))
          RETURNING version_id`
        return kept.length > 0 ? rendered : Option.getOrElse(yield* find(version, edition, now), () => rendered)
      }, Effect.orDie)
    })
  })
)
