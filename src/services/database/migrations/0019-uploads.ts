/** Staged uploads: those in progress, and the packs that hold their chunks. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE uploads (
      id           uuid PRIMARY KEY,
      user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      slug         text NOT NULL,
      file_name    text,
      content_type text,
      max_bytes    bigint NOT NULL,
      created_at   timestamptz NOT NULL,
      -- When somebody last began to publish it.
      claimed_at   timestamptz
    )`
  yield* sql`CREATE INDEX uploads_of_user ON uploads (user_id, created_at)`
  yield* sql`CREATE INDEX uploads_by_age ON uploads (created_at)`
  yield* sql`CREATE INDEX uploads_of_workspace ON uploads (workspace_id)`

  yield* sql`
    CREATE TABLE upload_chunks (
      upload_id uuid NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
      index     integer NOT NULL CHECK (index >= 0),
      pack_id   uuid NOT NULL,
      length    integer NOT NULL CHECK (length > 0),
      PRIMARY KEY (upload_id, index)
    )`
})
