/** A version's excerpt: how it begins, in plain words. Earlier versions have none. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE versions ADD COLUMN excerpt text`
})
