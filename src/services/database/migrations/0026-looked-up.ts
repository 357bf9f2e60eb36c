/** Indexes for finding the rows that refer to a deleted row, and the old rows that are due, without reading whole tables. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // The key names the project too, so deleting a version checks its own project alone; no other project could serve it, and now none can name it.
  yield* sql`ALTER TABLE versions ADD UNIQUE (project_id, id)`
  yield* sql`ALTER TABLE projects DROP CONSTRAINT projects_current_version`
  yield* sql`
    ALTER TABLE projects ADD CONSTRAINT projects_current_version
    FOREIGN KEY (id, current_version_id) REFERENCES versions (project_id, id)
    ON DELETE SET NULL (current_version_id) DEFERRABLE INITIALLY DEFERRED`

  // The indexes behind lists leave out deleted rows, revoked rows and replies; an erasure takes these along.
  yield* sql`CREATE INDEX projects_of_workspace ON projects (workspace_id)`
  yield* sql`CREATE INDEX comments_of_project ON comments (project_id)`
  yield* sql`CREATE INDEX share_links_of_project ON share_links (project_id)`
  yield* sql`CREATE INDEX oauth_families_of_user ON oauth_families (user_id)`
  yield* sql`DROP INDEX oauth_families_by_user`
  yield* sql`CREATE INDEX invites_of_email ON invites (email)`
  yield* sql`DROP INDEX invites_by_email`
  yield* sql`CREATE INDEX users_by_home ON users (home_workspace_id) WHERE home_workspace_id IS NOT NULL`

  // Most mails were sent long ago, and an erasure reads only the others; a sweep deletes old notices.
  yield* sql`CREATE INDEX mails_sealed ON mails (id) WHERE sealed IS NOT NULL`
  yield* sql`CREATE INDEX payment_notices_by_age ON payment_notices (taken_at)`
})
