/** Since when trials are enforced; null while none lapses. Ever since, unless a start under `open` says otherwise. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE deployment ADD COLUMN trials_enforced_since timestamptz DEFAULT 'epoch'`
  // Where trials are enforced, a mail told of one that ends; of none that ended, it tells that nothing lapsed, also where the upgrade
  // itself brings the change. So does an end that no worker noted for longer than one is off.
  const ended = sql`(subscription_status IS NULL OR subscription_ends_at IS NOT NULL) AND deletion_id IS NULL AND greatest(trial_ends_at, subscription_ends_at)`
  yield* sql`
    UPDATE deployment SET trials_enforced_since = NULL
    WHERE (NOT EXISTS (SELECT FROM trial_mails) AND EXISTS (SELECT FROM workspaces WHERE ${ended} < now()))
      OR EXISTS (
        SELECT FROM workspaces
        WHERE ${ended} < now() - interval '30 days' AND lapse_noted_for IS DISTINCT FROM greatest(trial_ends_at, subscription_ends_at)
      )`
})
