/** What agents were let in long ago, oldest first: those of no tokens any more are swept. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX oauth_families_by_creation ON oauth_families (created_at)`
})
