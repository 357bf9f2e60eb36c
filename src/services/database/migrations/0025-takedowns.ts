/** Projects that the operator of the service took off the web. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE projects ADD COLUMN taken_down_at timestamptz`
  yield* sql`CREATE INDEX projects_taken_down ON projects (id) WHERE taken_down_at IS NOT NULL`
})
