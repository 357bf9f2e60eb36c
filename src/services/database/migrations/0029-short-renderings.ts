/** Renderings that fell short for a passing reason, such as lack of time, are kept only for a while. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE renderings ADD COLUMN kept_until timestamptz`
})
