/** Freed slugs of a workspace in the order in which they were freed: only the latest of them are kept for it. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX freed_slugs_by_moment ON freed_slugs (workspace_id, freed_at)`
  yield* sql`DROP INDEX freed_slugs_by_workspace`
})
