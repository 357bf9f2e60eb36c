/** An index of deleted projects by when they were deleted, so that a sweep reads nothing else. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX projects_deleted ON projects (deleted_at) WHERE deleted_at IS NOT NULL`
})
