/** Calls that may be sent again: who is running each, and its first answer, sealed. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE idempotent_calls (
      user_id   uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      -- SHA-256 of method and path.
      operation bytea NOT NULL,
      key       text NOT NULL,
      -- Of the one that runs it: another that took it over has its own.
      claim     uuid NOT NULL,
      -- When it was claimed, last said that it runs, or was answered.
      heard_at  timestamptz NOT NULL,
      answer    text,
      PRIMARY KEY (user_id, operation, key)
    )`
  yield* sql`CREATE INDEX idempotent_calls_by_age ON idempotent_calls (heard_at)`
})
