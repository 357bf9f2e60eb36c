/** Windows of rate limits. Unlogged: the counts that a crash loses start again within the next minute. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE UNLOGGED TABLE rate_limits (
      -- A hash of the limit's name and of whom it counts.
      key     text PRIMARY KEY,
      count   integer NOT NULL,
      -- What the latest try would have come to; above the limit where it was refused.
      asked   integer NOT NULL,
      ends_at timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX rate_limits_by_end ON rate_limits (ends_at)`
})
