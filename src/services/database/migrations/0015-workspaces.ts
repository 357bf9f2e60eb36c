/** The audit log, and workspaces that nobody has paid for yet. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Set on a workspace made without a trial, until its first charge.
  yield* sql`ALTER TABLE workspaces ADD COLUMN needs_charge boolean NOT NULL DEFAULT false`
  // Who made it, unless it came with their signup: an account may make only so many.
  yield* sql`ALTER TABLE workspaces ADD COLUMN made_by uuid REFERENCES users (id) ON DELETE SET NULL`
  yield* sql`CREATE INDEX workspaces_by_maker ON workspaces (made_by) WHERE made_by IS NOT NULL`

  yield* sql`
    CREATE TABLE audit_entries (
      id           uuid PRIMARY KEY,
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      at           timestamptz NOT NULL,
      -- Null once that account is gone, and for what happens by itself.
      actor_id     uuid REFERENCES users (id) ON DELETE SET NULL,
      action       text NOT NULL,
      -- {type, id} and plain facts such as a role; never contents, addresses, labels or codes.
      target       jsonb NOT NULL
    )`
  yield* sql`CREATE INDEX audit_entries_by_workspace ON audit_entries (workspace_id, id DESC)`
  yield* sql`CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id) WHERE actor_id IS NOT NULL`

  yield* sql`CREATE INDEX invites_by_workspace ON invites (workspace_id, id DESC)`
})
