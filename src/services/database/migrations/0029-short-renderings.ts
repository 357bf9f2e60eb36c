/** Renderings that came out short are kept for a while. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE renderings ADD COLUMN kept_until timestamptz`
})
