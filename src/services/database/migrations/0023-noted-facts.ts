/** What is noted once: that a workspace lapsed, that somebody paid twice, that an erasure was begun today. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // The end whose lapse is in the audit log. Ends before this migration never get there: they are old news.
  yield* sql`ALTER TABLE workspaces ADD COLUMN lapse_noted_for timestamptz`
  yield* sql`
    UPDATE workspaces SET lapse_noted_for = greatest(trial_ends_at, subscription_ends_at)
    WHERE greatest(trial_ends_at, subscription_ends_at) < now()`
  yield* sql`
    CREATE INDEX workspaces_lapse_unnoted ON workspaces (greatest(trial_ends_at, subscription_ends_at))
    WHERE lapse_noted_for IS DISTINCT FROM greatest(trial_ends_at, subscription_ends_at)
      AND (subscription_status IS NULL OR subscription_ends_at IS NOT NULL)`

  // A hash of the URL of the checkout page that somebody was sent to last.
  yield* sql`ALTER TABLE customers ADD COLUMN checkout_page text`

  // Subscriptions paid for beside the one that counts: to be ended and refunded.
  yield* sql`
    CREATE TABLE surplus_subscriptions (
      -- As Stripe names it.
      id           text PRIMARY KEY,
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      noted_at     timestamptz NOT NULL,
      ended_at     timestamptz
    )`
  yield* sql`CREATE INDEX surplus_subscriptions_by_workspace ON surplus_subscriptions (workspace_id)`

  // The UTC day of the latest job: a stuck erasure is begun again once a day and holds up no other.
  yield* sql`ALTER TABLE deletions ADD COLUMN set_out_on date`
})
