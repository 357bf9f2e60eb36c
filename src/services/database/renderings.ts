/** Rendered documents, in PostgreSQL: compressed, one a version, gone with it. */
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { promisify } from "node:util"
import { zstdCompress, zstdDecompress } from "node:zlib"
import type { Heading, Rendered } from "../../domain/ports/renderer.ts"
import type { VersionId } from "../../domain/projects/model.ts"
import { RenderingStore } from "../../domain/renderings/store.ts"

interface Row {
  readonly html: Uint8Array
  readonly headings: ReadonlyArray<Heading>
  readonly title: string | null
}

const [pack, unpack] = [promisify(zstdCompress), promisify(zstdDecompress)]

export const RenderingStoreSql = Layer.effect(
  RenderingStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = Effect.fn("RenderingStoreSql.find")(function*(version: VersionId, edition: number) {
      const [row] = yield* sql<Row>`SELECT html, headings, title FROM renderings WHERE version_id = ${version} AND renderer >= ${edition}`
      if (row === undefined) return Option.none<Rendered>()
      const html = yield* Effect.promise(() => unpack(row.html))
      return Option.some<Rendered>({ html: html.toString(), headings: row.headings, title: row.title })
    }, Effect.orDie)

    return RenderingStore.of({
      find,
      keep: Effect.fn("RenderingStoreSql.keep")(function*(version, edition, rendered, now) {
        const html = yield* Effect.promise(() => pack(rendered.html))
        const kept = yield* sql`
          INSERT INTO renderings (version_id, renderer, html, headings, title, made_at)
          SELECT id, ${edition}, ${html}, ${JSON.stringify(rendered.headings)}::jsonb, ${rendered.title}, ${DateTime.toDateUtc(now)}
          FROM versions WHERE id = ${version} FOR KEY SHARE
          ON CONFLICT (version_id) DO UPDATE
            SET renderer = excluded.renderer, html = excluded.html, headings = excluded.headings, title = excluded.title, made_at = excluded.made_at
            WHERE renderings.renderer < excluded.renderer
          RETURNING version_id`
        return kept.length > 0 ? rendered : Option.getOrElse(yield* find(version, edition), () => rendered)
      }, Effect.orDie)
    })
  })
)
