/** Who pays, what was charged, and which mails about an end were sent. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // The status and end of the subscription charged last; beside the trial, since every request to a project reads both.
  yield* sql`
    ALTER TABLE workspaces
      ADD COLUMN subscription_status  text CHECK (subscription_status IN ('active', 'past_due')),
      ADD COLUMN subscription_ends_at timestamptz,
      ADD CONSTRAINT only_what_began_ends CHECK (subscription_ends_at IS NULL OR subscription_status IS NOT NULL)`
  yield* sql`CREATE INDEX workspaces_by_end ON workspaces (greatest(trial_ends_at, subscription_ends_at))`

  yield* sql`
    CREATE TABLE customers (
      workspace_id       uuid PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
      -- As Stripe names it; null until it did.
      id                 text UNIQUE,
      -- The key under which it is asked for: all who ask at once ask for one.
      attempt            uuid NOT NULL,
      subscription_id    text,
      current_period_end timestamptz,
      -- How often it was set out to read it, and the latest of these that was put down.
      readings           integer NOT NULL DEFAULT 0,
      answered           integer NOT NULL DEFAULT 0,
      read_at            timestamptz NOT NULL,
      checkout_at        timestamptz,
      created_at         timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX customers_by_reading ON customers (read_at)`

  yield* sql`
    CREATE TABLE payment_notices (
      -- As Stripe names the event.
      id       text PRIMARY KEY,
      kind     text NOT NULL,
      taken_at timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE trial_mails (
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      kind         text NOT NULL,
      -- The end it is about: another end is another mail.
      ends_at      timestamptz NOT NULL,
      claimed_at   timestamptz NOT NULL,
      PRIMARY KEY (workspace_id, kind, ends_at)
    )`
})
