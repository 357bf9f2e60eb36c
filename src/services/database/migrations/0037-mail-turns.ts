/**
 * When a mail is tried next, and which go first. Null for those that the release before enqueues, which may go on beside a new one: its jobs
 * deliver them until a new worker has such a job. An upgrade finds most mails sent, and their rows stay as they are.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE mails
      ADD COLUMN next_try_at    timestamptz,
      ADD COLUMN awaited        boolean NOT NULL DEFAULT false,
      -- By the database's clock: the worker that took it up is at it until then, unless it notes before how that ended.
      ADD COLUMN held_until     timestamptz,
      -- From when its day counts: its first try since it was enqueued, stood still, or was sent on its way again.
      ADD COLUMN first_tried_at timestamptz`
  // What waits is a few rows of very many; a tenth of all would have to change before it is counted anew by itself.
  yield* sql`ALTER TABLE mails SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000)`
  yield* sql`CREATE INDEX mails_due ON mails (awaited, next_try_at) WHERE sent_at IS NULL AND dead_at IS NULL`
})
