/** Which deployment this database is of: the packs of another one are not its own to collect. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE deployment (id uuid NOT NULL, one boolean PRIMARY KEY DEFAULT true CHECK (one))`
  // A dump carries it along, so what is restored from one knows its packs again.
  yield* sql`INSERT INTO deployment (id) VALUES (gen_random_uuid())`
})
