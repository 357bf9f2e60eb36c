/** Pictures that browsers do not show, drawn in full beside their thumbnails. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // WebP, so not compressed again; null for pictures that browsers show, and for what cannot be drawn.
  yield* sql`ALTER TABLE thumbnails ADD COLUMN whole bytea`
  yield* sql`ALTER TABLE thumbnails ALTER COLUMN whole SET STORAGE EXTERNAL`
})
