/** Invitations into workspaces. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE invites (
      id               uuid PRIMARY KEY,
      workspace_id     uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      email            text NOT NULL,
      role             text NOT NULL CHECK (role IN ('admin', 'member')),
      grants_ownership boolean NOT NULL DEFAULT false,
      token_hash       text NOT NULL UNIQUE,
      invited_by       uuid REFERENCES users (id) ON DELETE SET NULL,
      created_at       timestamptz NOT NULL,
      expires_at       timestamptz NOT NULL,
      accepted_at      timestamptz
    )`
  // One live invite per address and workspace; an expired one counts as live until another replaces it.
  yield* sql`CREATE UNIQUE INDEX invites_live ON invites (workspace_id, email) WHERE accepted_at IS NULL`
  yield* sql`CREATE INDEX invites_by_email ON invites (email) WHERE accepted_at IS NULL`
  yield* sql`CREATE INDEX invites_by_inviter ON invites (invited_by)`
})
