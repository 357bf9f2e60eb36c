/** The project that had the address when a staged upload to it began: by the time it is finished, another may have it, or none. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE uploads ADD COLUMN project_id uuid`
})
