/** What a staged upload was announced to come to, compared with what has arrived when it is finished. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE uploads ADD COLUMN size_bytes bigint`
})
