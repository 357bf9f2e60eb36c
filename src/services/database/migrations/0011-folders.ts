/** Folders record when they changed, and what lies in one is found by an index that its foreign key can use too. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE folders ADD COLUMN updated_at timestamptz`
  yield* sql`UPDATE folders SET updated_at = created_at`
  yield* sql`ALTER TABLE folders ALTER COLUMN updated_at SET NOT NULL`

  // A deleted project lies in no folder.
  yield* sql`UPDATE projects SET folder_id = NULL WHERE deleted_at IS NOT NULL`
  yield* sql`DROP INDEX projects_by_folder`
  yield* sql`CREATE INDEX projects_by_folder ON projects (folder_id) WHERE folder_id IS NOT NULL`
})
