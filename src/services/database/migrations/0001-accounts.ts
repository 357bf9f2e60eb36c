/** People, the workspaces they belong to, and the tokens that speak for them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE workspaces (
      id             uuid PRIMARY KEY,
      name           text NOT NULL,
      plan           text NOT NULL CHECK (plan IN ('starter', 'studio', 'agency')),
      trial_ends_at  timestamptz,
      -- Kept, not counted: changed by the statements that add and remove projects and packs.
      project_count  integer NOT NULL DEFAULT 0 CHECK (project_count >= 0),
      storage_bytes  bigint NOT NULL DEFAULT 0 CHECK (storage_bytes >= 0),
      created_at     timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE users (
      id                uuid PRIMARY KEY,
      email             text NOT NULL UNIQUE,
      name              text NOT NULL,
      password_hash     text,
      idp_sub           text UNIQUE,
      email_verified_at timestamptz,
      session_epoch     integer NOT NULL DEFAULT 0,
      home_workspace_id uuid REFERENCES workspaces (id) ON DELETE SET NULL,
      created_at        timestamptz NOT NULL
    )`

  yield* sql`
    CREATE TABLE members (
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      role         text NOT NULL CHECK (role IN ('admin', 'member')),
      is_owner     boolean NOT NULL DEFAULT false,
      joined_at    timestamptz NOT NULL,
      PRIMARY KEY (workspace_id, user_id)
    )`
  yield* sql`CREATE INDEX members_by_user ON members (user_id, joined_at)`

  yield* sql`
    CREATE TABLE email_tokens (
      hash       text PRIMARY KEY,
      user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      purpose    text NOT NULL,
      expires_at timestamptz NOT NULL,
      used_at    timestamptz
    )`
  yield* sql`CREATE INDEX email_tokens_by_user ON email_tokens (user_id)`

  yield* sql`
    CREATE TABLE api_tokens (
      id           uuid PRIMARY KEY,
      user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      label        text NOT NULL,
      prefix       text NOT NULL,
      hash         text NOT NULL UNIQUE,
      created_at   timestamptz NOT NULL,
      last_used_at timestamptz
    )`
  yield* sql`CREATE INDEX api_tokens_by_user ON api_tokens (user_id, id DESC)`
})
