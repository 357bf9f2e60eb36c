/** Which deployment this database belongs to: it must not collect the packs of another. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE deployment (id uuid NOT NULL, one boolean PRIMARY KEY DEFAULT true CHECK (one))`
  // A dump carries the id along, so a restored database knows its packs again. Copies restored from a dump older than this
  // migration derive the same id, from when their database was made.
  yield* sql`
    INSERT INTO deployment (id)
    SELECT coalesce((SELECT md5('svc deployment ' || extract(epoch FROM created_at)::text)::uuid FROM migrations WHERE migration_id = 1), gen_random_uuid())`
})
