/** Thumbnails in PostgreSQL: one per version at most, deleted with it. */
import { DateTime, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ThumbnailStore } from "../../domain/thumbnails/store.ts"
import type { StoredThumbnail } from "../../domain/thumbnails/store.ts"
import { date, executed, firstOf } from "./rows.ts"

/** Of the version `v`. */
export const thumbnailColumns = `
  (SELECT json_build_object('width', t.width, 'height', t.height) FROM thumbnails t WHERE t.version_id = v.id AND t.image IS NOT NULL) AS thumbnail,
  (SELECT t.drawn_at FROM thumbnails t WHERE t.version_id = v.id) AS "drawnAt"`

export const ThumbnailStoreSql = Layer.effect(
  ThumbnailStore,
  SqlClient.SqlClient.useSync((sql) => ({
    find: (project, version) =>
      firstOf(
        sql<StoredThumbnail>`
          SELECT t.version_id AS "versionId", t.image FROM versions v JOIN thumbnails t ON t.version_id = v.id
          WHERE v.project_id = ${project} AND v.version = ${version} AND t.image IS NOT NULL`,
        (found) => found
      ),
    drawn: (version, as) =>
      firstOf(
        sql<{ readonly drawnAt: Date; readonly small: boolean; readonly picture: Uint8Array | null }>`
          SELECT drawn_at AS "drawnAt", image IS NOT NULL AS small, ${sql.literal(as === "whole" ? "whole" : "image")} AS picture
          FROM thumbnails WHERE version_id = ${version}`,
        ({ drawnAt, ...found }) => ({ ...found, drawnAt: DateTime.fromDateUnsafe(drawnAt) })
      ),
    keep: (version, drawn, now) => {
      const { height, image, whole, width } = drawn === "none" ? { image: null, width: null, height: null, whole: null } : drawn
      return executed(sql`
        INSERT INTO thumbnails (version_id, image, width, height, whole, drawn_at)
        SELECT id, ${image}::bytea, ${width}::int4, ${height}::int4, ${whole}::bytea, ${date(now)} FROM versions WHERE id = ${version} FOR KEY SHARE
        ON CONFLICT (version_id) DO UPDATE
          SET (image, width, height, whole, drawn_at) = (excluded.image, excluded.width, excluded.height, excluded.whole, excluded.drawn_at)
          WHERE thumbnails.image IS NULL OR (thumbnails.whole IS NULL AND excluded.whole IS NOT NULL)`)
    }
  }))
)
