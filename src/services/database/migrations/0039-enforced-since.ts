/** Since when trials are enforced; null while none lapses. Ever since, unless a start under `open` says otherwise. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE deployment ADD COLUMN trials_enforced_since timestamptz DEFAULT 'epoch'`
  // Where trials were enforced, a worker noted each end within minutes. One that it left for a week tells that nothing lapsed, also
  // where the upgrade itself brings the change.
  yield* sql`
    UPDATE deployment SET trials_enforced_since = NULL WHERE EXISTS (
      SELECT FROM workspaces
      WHERE lapse_noted_for IS DISTINCT FROM greatest(trial_ends_at, subscription_ends_at)
        AND (subscription_status IS NULL OR subscription_ends_at IS NOT NULL)
        AND greatest(trial_ends_at, subscription_ends_at) < now() - interval '7 days' AND deletion_id IS NULL
    )`
})
