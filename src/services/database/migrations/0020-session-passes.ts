/** A member's pass names the session it came from, so that it ends with it. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE passes ADD COLUMN signed_in_at timestamptz`
  yield* sql`UPDATE passes SET signed_in_at = given_at WHERE via = 'member'`
  yield* sql`ALTER TABLE passes ADD CHECK ((via = 'member') = (signed_in_at IS NOT NULL))`
})
