/** Which deployment this database is of: the packs of another one are not its own to collect. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE deployment (id uuid NOT NULL, one boolean PRIMARY KEY DEFAULT true CHECK (one))`
  // A dump carries it along, so what is restored from one knows its packs again; one from before this comes to the same id,
  // by when its database was made.
  yield* sql`
    INSERT INTO deployment (id)
    SELECT coalesce((SELECT md5('svc deployment ' || extract(epoch FROM created_at)::text)::uuid FROM migrations WHERE migration_id = 1), gen_random_uuid())`
})
