/** When a share link was last opened. Of one that was opened once this is known; of others not before their next time. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE share_links ADD COLUMN last_opened_at timestamptz`
  yield* sql`UPDATE share_links SET last_opened_at = first_opened_at WHERE view_count = 1`
})
