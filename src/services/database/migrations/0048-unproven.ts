/** Accounts whose address nobody proved: those that stay so are erased. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX users_unproven ON users (id) WHERE email_verified_at IS NULL AND deletion_id IS NULL`
})
