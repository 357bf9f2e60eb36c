/** Projects, their versions, and the packs their bytes lie in. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE folders (
      id           uuid PRIMARY KEY,
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      name         text NOT NULL,
      sharing      text NOT NULL CHECK (sharing IN ('private', 'team')),
      created_by   uuid NOT NULL REFERENCES users (id),
      created_at   timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX folders_by_workspace ON folders (workspace_id)`

  yield* sql`
    CREATE TABLE projects (
      id                        uuid PRIMARY KEY,
      workspace_id              uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      owner_id                  uuid NOT NULL REFERENCES users (id),
      folder_id                 uuid REFERENCES folders (id),
      slug                      text NOT NULL,
      title                     text NOT NULL,
      visibility                text NOT NULL CHECK (visibility IN ('public', 'password', 'private')),
      password                  text,
      comments_enabled          boolean NOT NULL,
      html_display_mode         text NOT NULL CHECK (html_display_mode IN ('auto', 'framed', 'raw')),
      comment_access            text NOT NULL CHECK (comment_access IN ('members', 'allowlist', 'anyone')),
      comment_allowlist_inherit boolean NOT NULL,
      indexable                 boolean NOT NULL,
      expires_at                timestamptz,
      succeeds                  boolean NOT NULL DEFAULT false,
      version                   integer NOT NULL DEFAULT 0,
      current_version_id        uuid,
      created_at                timestamptz NOT NULL,
      updated_at                timestamptz NOT NULL,
      published_at              timestamptz,
      deleted_at                timestamptz,
      CHECK (visibility <> 'password' OR password IS NOT NULL)
    )`
  // The one namespace of addresses; a deleted project keeps its row and frees its slug.
  yield* sql`CREATE UNIQUE INDEX projects_slug ON projects (slug) WHERE deleted_at IS NULL`
  yield* sql`CREATE INDEX projects_by_workspace ON projects (workspace_id, id DESC) WHERE deleted_at IS NULL`
  yield* sql`CREATE INDEX projects_by_folder ON projects (folder_id) WHERE deleted_at IS NULL`

  // Freed slugs, and the workspace that each is reserved for at first.
  yield* sql`
    CREATE TABLE freed_slugs (
      slug         text PRIMARY KEY,
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      freed_at     timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE versions (
      id         uuid PRIMARY KEY,
      project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      version    integer NOT NULL,
      kind       text NOT NULL CHECK (kind IN ('site', 'pdf', 'markdown', 'text', 'image', 'video', 'data')),
      entry      text NOT NULL,
      size_bytes bigint NOT NULL,
      file_count integer NOT NULL,
      created_by uuid NOT NULL REFERENCES users (id),
      created_at timestamptz NOT NULL,
      -- path -> {pack, offset, length, hash, type}; json, not jsonb: it is written and read whole, never searched.
      manifest   json NOT NULL,
      UNIQUE (project_id, version)
    )`
  yield* sql`
    ALTER TABLE projects ADD CONSTRAINT projects_current_version
    FOREIGN KEY (current_version_id) REFERENCES versions (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED`

  yield* sql`
    CREATE TABLE packs (
      id              uuid PRIMARY KEY,
      workspace_id    uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      size_bytes      bigint NOT NULL,
      created_at      timestamptz NOT NULL,
      -- Since when no version names it; collected a while later.
      unnamed_since   timestamptz
    )`
  yield* sql`CREATE INDEX packs_unnamed ON packs (unnamed_since) WHERE unnamed_since IS NOT NULL`
  yield* sql`CREATE INDEX packs_by_workspace ON packs (workspace_id)`

  yield* sql`
    CREATE TABLE version_packs (
      version_id uuid NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
      pack_id    uuid NOT NULL REFERENCES packs (id),
      PRIMARY KEY (version_id, pack_id)
    )`
  yield* sql`CREATE INDEX version_packs_by_pack ON version_packs (pack_id)`

  // Identical bytes are stored once per workspace.
  yield* sql`
    CREATE TABLE contents (
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      hash         text NOT NULL,
      pack_id      uuid NOT NULL REFERENCES packs (id) ON DELETE CASCADE,
      "offset"     bigint NOT NULL,
      length       bigint NOT NULL,
      PRIMARY KEY (workspace_id, hash)
    )`
  yield* sql`CREATE INDEX contents_by_pack ON contents (pack_id)`
})
