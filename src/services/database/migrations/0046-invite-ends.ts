/** Invitations in the order in which they expire, by which they are swept. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX invites_by_expiry ON invites (expires_at)`
})
