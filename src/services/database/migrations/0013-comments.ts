/** Comments, who is still to be told of them, and who has muted them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE comments (
      id          uuid PRIMARY KEY,
      project_id  uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      -- Of a reply: the comment that begins its thread.
      parent_id   uuid REFERENCES comments (id) ON DELETE CASCADE,
      version     integer NOT NULL,
      body        text NOT NULL CHECK (char_length(body) BETWEEN 1 AND 10000),
      anchor      jsonb,
      author_id   uuid REFERENCES users (id) ON DELETE SET NULL,
      edited      boolean NOT NULL DEFAULT false,
      created_at  timestamptz NOT NULL,
      updated_at  timestamptz NOT NULL,
      resolved_at timestamptz,
      resolved_by uuid REFERENCES users (id) ON DELETE SET NULL,
      CHECK (parent_id IS NULL OR (anchor IS NULL AND resolved_at IS NULL)),
      CHECK (resolved_by IS NULL OR resolved_at IS NOT NULL)
    )`
  yield* sql`CREATE INDEX comments_by_project ON comments (project_id, id DESC) WHERE parent_id IS NULL`
  yield* sql`CREATE INDEX comments_by_parent ON comments (parent_id, id) WHERE parent_id IS NOT NULL`
  yield* sql`CREATE INDEX comments_by_author ON comments (author_id) WHERE author_id IS NOT NULL`
  yield* sql`CREATE INDEX comments_by_resolver ON comments (resolved_by) WHERE resolved_by IS NOT NULL`

  // One row per person and comment, until the digest that tells them deletes it.
  yield* sql`
    CREATE TABLE comment_notices (
      user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      comment_id uuid NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
      noted_at   timestamptz NOT NULL,
      PRIMARY KEY (user_id, project_id, comment_id)
    )`
  yield* sql`CREATE INDEX comment_notices_by_project ON comment_notices (project_id)`
  yield* sql`CREATE INDEX comment_notices_by_comment ON comment_notices (comment_id)`

  yield* sql`
    CREATE TABLE comment_mutes (
      user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      PRIMARY KEY (user_id, project_id)
    )`
  yield* sql`CREATE INDEX comment_mutes_by_project ON comment_mutes (project_id)`
})
