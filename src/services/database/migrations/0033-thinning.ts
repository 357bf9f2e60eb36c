/** Packs that lose some of their bytes: which are to be looked at, what of them is dead, and how often they were thinned. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE packs
      -- Since when a version that named it is gone while another one still names it.
      ADD COLUMN loosened_at timestamptz,
      -- The length of the stored object, once size_bytes is less: the bytes that versions name.
      ADD COLUMN stored_bytes bigint,
      -- [{offset, length}] in order: bytes that are wiped, or are to be wiped a while after thinning_since.
      ADD COLUMN dead json,
      ADD COLUMN thinning_since timestamptz,
      ADD COLUMN thinnings integer NOT NULL DEFAULT 0`
  // What was pruned or deleted before this may have left dead bytes in any pack; the worker looks at some of them every hour.
  yield* sql`UPDATE packs SET loosened_at = created_at WHERE unnamed_since IS NULL`
  yield* sql`CREATE INDEX packs_loosened ON packs (loosened_at) WHERE loosened_at IS NOT NULL`
  yield* sql`CREATE INDEX packs_thinning ON packs (thinning_since) WHERE thinning_since IS NOT NULL`
})
