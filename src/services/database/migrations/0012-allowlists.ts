/** Who may comment: addresses at every level, and the access that a new project starts with. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Read and replaced as a whole, in the order given.
  yield* sql`ALTER TABLE projects ADD COLUMN comment_emails text[] NOT NULL DEFAULT '{}' CHECK (cardinality(comment_emails) <= 500)`
  yield* sql`
    ALTER TABLE folders
      ADD COLUMN comment_emails text[] NOT NULL DEFAULT '{}' CHECK (cardinality(comment_emails) <= 500),
      ADD COLUMN comment_allowlist_inherit boolean NOT NULL DEFAULT true,
      -- Null: as in the workspace.
      ADD COLUMN comment_access text CHECK (comment_access IN ('members', 'allowlist', 'anyone'))`
  yield* sql`
    ALTER TABLE workspaces
      ADD COLUMN comment_emails text[] NOT NULL DEFAULT '{}' CHECK (cardinality(comment_emails) <= 500),
      ADD COLUMN comment_access text NOT NULL DEFAULT 'allowlist' CHECK (comment_access IN ('members', 'allowlist', 'anyone'))`
})
