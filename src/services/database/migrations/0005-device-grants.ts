/** Devices that ask to be signed in. Their state is derived from these facts. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE device_grants (
      id           uuid PRIMARY KEY,
      device_hash  text NOT NULL UNIQUE,
      user_code    text NOT NULL UNIQUE,
      client       text NOT NULL,
      address      text NOT NULL,
      client_id    text,
      requested_at timestamptz NOT NULL,
      expires_at   timestamptz NOT NULL,
      polled_at    timestamptz,
      user_id      uuid REFERENCES users (id) ON DELETE CASCADE,
      approved_at  timestamptz,
      denied_at    timestamptz,
      consumed_at  timestamptz,
      -- What it became; gone once that token is revoked.
      token_id     uuid UNIQUE REFERENCES api_tokens (id) ON DELETE CASCADE,
      CHECK (approved_at IS NULL OR denied_at IS NULL),
      CHECK (consumed_at IS NULL OR approved_at IS NOT NULL)
    )`
  yield* sql`CREATE INDEX device_grants_by_end ON device_grants (expires_at) WHERE token_id IS NULL`
  yield* sql`CREATE INDEX device_grants_by_user ON device_grants (user_id) WHERE user_id IS NOT NULL`
})
