/** Deletions: what is to be erased and when, what waits until then, and what stays afterwards. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Only ids and dates: this row stays after the erasure, so it references nobody.
  yield* sql`
    CREATE TABLE deletions (
      id           uuid PRIMARY KEY,
      target_type  text NOT NULL CHECK (target_type IN ('user', 'workspace')),
      target_id    uuid NOT NULL,
      requested_by uuid NOT NULL,
      requested_at timestamptz NOT NULL,
      erase_on     timestamptz NOT NULL,
      restored_by  uuid,
      restored_at  timestamptz,
      -- From here on there is no way back.
      begun_at     timestamptz,
      erased_at    timestamptz,
      CHECK (restored_at IS NULL OR begun_at IS NULL),
      CHECK (erased_at IS NULL OR begun_at IS NOT NULL)
    )`
  yield* sql`CREATE UNIQUE INDEX deletions_live ON deletions (target_type, target_id) WHERE restored_at IS NULL AND erased_at IS NULL`
  yield* sql`CREATE INDEX deletions_due ON deletions (erase_on) WHERE restored_at IS NULL AND erased_at IS NULL`

  // The deletion that takes this row: deleting an account takes along the workspaces that nobody else is in.
  yield* sql`ALTER TABLE users ADD COLUMN deletion_id uuid REFERENCES deletions (id)`
  yield* sql`ALTER TABLE workspaces ADD COLUMN deletion_id uuid REFERENCES deletions (id)`
  yield* sql`CREATE INDEX users_by_deletion ON users (deletion_id) WHERE deletion_id IS NOT NULL`
  yield* sql`CREATE INDEX workspaces_by_deletion ON workspaces (deletion_id) WHERE deletion_id IS NOT NULL`

  // Members of a workspace that is to be erased wait here, so that every query for members finds none.
  yield* sql`
    CREATE TABLE parted_members (
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      role         text NOT NULL,
      is_owner     boolean NOT NULL,
      joined_at    timestamptz NOT NULL,
      PRIMARY KEY (workspace_id, user_id)
    )`
  yield* sql`CREATE INDEX parted_members_by_user ON parted_members (user_id)`

  // A freed slug outlives its workspace: browsers may still hold its pages, which the next project there makes them drop.
  yield* sql`ALTER TABLE freed_slugs ALTER COLUMN workspace_id DROP NOT NULL`
  yield* sql`ALTER TABLE freed_slugs DROP CONSTRAINT freed_slugs_workspace_id_fkey`
  yield* sql`
    ALTER TABLE freed_slugs ADD CONSTRAINT freed_slugs_workspace_id_fkey
    FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE SET NULL`
  yield* sql`CREATE INDEX freed_slugs_by_workspace ON freed_slugs (workspace_id)`

  // What an account made in the workspaces of others outlives it, so it must be found by its maker.
  yield* sql`CREATE INDEX folders_by_maker ON folders (created_by)`
  yield* sql`CREATE INDEX projects_by_owner ON projects (owner_id)`
  yield* sql`CREATE INDEX versions_by_maker ON versions (created_by)`
  yield* sql`CREATE INDEX share_links_by_maker ON share_links (created_by)`
})
