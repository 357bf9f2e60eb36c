/** Whether a version says its title itself. Of those of before it is not known: the next one is called as it always was. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE versions ADD COLUMN title_own boolean NOT NULL DEFAULT false`
})
