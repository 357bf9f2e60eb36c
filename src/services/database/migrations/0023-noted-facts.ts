/** What is noted once: that a workspace lapsed, that somebody paid twice, that an erasure was set out on today. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // The end for which the lapse is in the audit log; those before this day never were, and are old news.
  yield* sql`ALTER TABLE workspaces ADD COLUMN lapse_noted_for timestamptz`
  yield* sql`
    UPDATE workspaces SET lapse_noted_for = greatest(trial_ends_at, subscription_ends_at)
    WHERE greatest(trial_ends_at, subscription_ends_at) < now()`
  yield* sql`
    CREATE INDEX workspaces_lapse_unnoted ON workspaces (greatest(trial_ends_at, subscription_ends_at))
    WHERE lapse_noted_for IS DISTINCT FROM greatest(trial_ends_at, subscription_ends_at)
      AND (subscription_status IS NULL OR subscription_ends_at IS NOT NULL)`

  // The page that somebody was sent to last, by the hash of its address.
  yield* sql`ALTER TABLE customers ADD COLUMN checkout_page text`

  // Paid for beside another that counts: to be ended and given back.
  yield* sql`
    CREATE TABLE surplus_subscriptions (
      -- As Stripe names it.
      id           text PRIMARY KEY,
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      noted_at     timestamptz NOT NULL,
      ended_at     timestamptz
    )`
  yield* sql`CREATE INDEX surplus_subscriptions_by_workspace ON surplus_subscriptions (workspace_id)`

  // The UTC day of the latest job: one that is stuck is set out on once a day and keeps nobody waiting.
  yield* sql`ALTER TABLE deletions ADD COLUMN set_out_on date`
})
