/** Documents rendered once and kept with their version. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE renderings (
      version_id uuid PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
      -- Which edition of the renderer made it.
      renderer   integer NOT NULL,
      -- Zstandard, so not compressed again.
      html       bytea NOT NULL,
      headings   jsonb NOT NULL,
      title      text,
      made_at    timestamptz NOT NULL
    )`
  yield* sql`ALTER TABLE renderings ALTER COLUMN html SET STORAGE EXTERNAL`
})
