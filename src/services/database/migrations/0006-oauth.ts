/** OAuth clients, codes, and families of tokens that end together. Tokens are stored only as hashes. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE oauth_clients (
      id            text PRIMARY KEY,
      name          text NOT NULL,
      -- JSON lists: read and written whole.
      redirect_uris text NOT NULL,
      grant_types   text NOT NULL,
      client_uri    text,
      logo_uri      text,
      created_at    timestamptz NOT NULL
    )`

  // A client_id may be the URL of a metadata document, so it references no table.
  yield* sql`
    CREATE TABLE oauth_codes (
      hash         text PRIMARY KEY,
      id           uuid NOT NULL UNIQUE,
      user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      client_id    text NOT NULL,
      client_name  text NOT NULL,
      redirect_uri text NOT NULL,
      challenge    text NOT NULL,
      resource     text NOT NULL,
      expires_at   timestamptz NOT NULL,
      used_at      timestamptz
    )`
  yield* sql`CREATE INDEX oauth_codes_by_user ON oauth_codes (user_id)`
  yield* sql`CREATE INDEX oauth_codes_by_end ON oauth_codes (expires_at)`

  yield* sql`
    CREATE TABLE oauth_families (
      id           uuid PRIMARY KEY,
      user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      client_id    text NOT NULL,
      client_name  text NOT NULL,
      resource     text NOT NULL,
      created_at   timestamptz NOT NULL,
      last_used_at timestamptz,
      revoked_at   timestamptz
    )`
  yield* sql`CREATE INDEX oauth_families_by_user ON oauth_families (user_id) WHERE revoked_at IS NULL`

  yield* sql`
    CREATE TABLE oauth_tokens (
      hash       text PRIMARY KEY,
      family_id  uuid NOT NULL REFERENCES oauth_families (id) ON DELETE CASCADE,
      kind       text NOT NULL CHECK (kind IN ('access', 'refresh')),
      expires_at timestamptz NOT NULL,
      used_at    timestamptz
    )`
  yield* sql`CREATE INDEX oauth_tokens_by_family ON oauth_tokens (family_id, expires_at)`
})
