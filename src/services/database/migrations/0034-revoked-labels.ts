/** Revoked share links forget whom they were for: nobody can see or delete one. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE share_links SET label = '' WHERE revoked_at IS NOT NULL AND label <> ''`
})
