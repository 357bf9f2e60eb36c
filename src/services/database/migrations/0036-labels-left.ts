/** An index of revoked share links that kept their label: an instance of the release before, which forgets none, may go on beside a new one. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX share_links_labels_left ON share_links (id) WHERE revoked_at IS NOT NULL AND label <> ''`
})
