/** The project that alone has held a freed slug, to which nothing of another one's can have been left there; null where that is not known. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE freed_slugs ADD COLUMN only_holder_id uuid REFERENCES projects (id) ON DELETE SET NULL`
  yield* sql`CREATE INDEX freed_slugs_by_only_holder ON freed_slugs (only_holder_id) WHERE only_holder_id IS NOT NULL`
})
