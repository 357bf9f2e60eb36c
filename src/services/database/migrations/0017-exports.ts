/** Exports of workspaces. Their state is derived from these facts. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE exports (
      id           uuid PRIMARY KEY,
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      requested_by uuid REFERENCES users (id) ON DELETE SET NULL,
      requested_at timestamptz NOT NULL,
      begun_at     timestamptz,
      tries        integer NOT NULL DEFAULT 0,
      completed_at timestamptz,
      failed_at    timestamptz,
      -- Where the archive lies, or is about to; null before the first try and once its bytes are gone.
      pack_id      uuid UNIQUE,
      size_bytes   bigint,
      hash         text,
      token_hash   text,
      CHECK (completed_at IS NULL OR failed_at IS NULL),
      CHECK (completed_at IS NULL OR (size_bytes IS NOT NULL AND hash IS NOT NULL AND token_hash IS NOT NULL))
    )`
  yield* sql`CREATE INDEX exports_by_workspace ON exports (workspace_id, requested_at DESC)`
  yield* sql`CREATE INDEX exports_by_requester ON exports (requested_by) WHERE requested_by IS NOT NULL`
  yield* sql`CREATE INDEX exports_kept ON exports (completed_at) WHERE pack_id IS NOT NULL`
  yield* sql`CREATE UNIQUE INDEX exports_under_way ON exports (workspace_id) WHERE completed_at IS NULL AND failed_at IS NULL`
  yield* sql`CREATE UNIQUE INDEX exports_one_a_day ON exports (workspace_id, ((requested_at AT TIME ZONE 'UTC')::date)) WHERE failed_at IS NULL`
})
