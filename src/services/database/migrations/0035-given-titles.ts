/** Whether somebody gave a project its title. Of earlier ones only those titled by their slug are known not to have been given. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE projects ADD COLUMN title_given boolean NOT NULL DEFAULT true`
  yield* sql`UPDATE projects SET title_given = false WHERE title = slug`
})
