/** Documents drawn small, once, and kept with their version. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE thumbnails (
      version_id uuid PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
      -- WebP, so not compressed again; null where the version cannot be drawn.
      image      bytea,
      width      smallint,
      height     smallint,
      drawn_at   timestamptz NOT NULL,
      CHECK (num_nulls(image, width, height) IN (0, 3))
    )`
  yield* sql`ALTER TABLE thumbnails ALTER COLUMN image SET STORAGE EXTERNAL`
})
