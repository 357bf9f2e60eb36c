/**
 * Whether somebody gave a project its title: of earlier ones only those titled by their slug are known not to have been given. And the
 * title that was read off each version, null for one without and for those of before.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE projects ADD COLUMN title_given boolean NOT NULL DEFAULT true`
  yield* sql`UPDATE projects SET title_given = false WHERE title = slug`
  yield* sql`ALTER TABLE versions ADD COLUMN title text`
})
