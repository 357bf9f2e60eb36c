/** Share links, the passes that gates give, and the hosts that frames live on. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE share_links (
      id                   uuid PRIMARY KEY,
      project_id           uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      label                text NOT NULL,
      hash                 text NOT NULL UNIQUE,
      expires_at           timestamptz,
      notify_on_first_open boolean NOT NULL,
      view_count           bigint NOT NULL DEFAULT 0,
      first_opened_at      timestamptz,
      created_by           uuid NOT NULL REFERENCES users (id),
      created_at           timestamptz NOT NULL,
      revoked_at           timestamptz
    )`
  yield* sql`CREATE INDEX share_links_by_project ON share_links (project_id, id) WHERE revoked_at IS NULL`

  // Incremented whenever the visibility or the doorcode changes, which ends the passes given for the doorcode.
  yield* sql`ALTER TABLE projects ADD COLUMN access_epoch integer NOT NULL DEFAULT 0`
  // Whether the project's own host ever served author HTML to a browser: its script may live on in an open tab.
  yield* sql`ALTER TABLE projects ADD COLUMN served_raw boolean NOT NULL DEFAULT false`
  // The host of the project's public frame: 26 symbols of base32hex; the default uses only sixteen different ones (104 bits).
  yield* sql`
    ALTER TABLE projects ADD COLUMN frame_name text NOT NULL UNIQUE
    DEFAULT left(translate(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 26)`

  yield* sql`
    CREATE TABLE passes (
      id            uuid PRIMARY KEY,
      project_id    uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      hash          text NOT NULL UNIQUE,
      via           text NOT NULL CHECK (via IN ('doorcode', 'member', 'link')),
      access_epoch  integer NOT NULL,
      user_id       uuid REFERENCES users (id) ON DELETE CASCADE,
      session_epoch integer,
      share_link_id uuid REFERENCES share_links (id) ON DELETE CASCADE,
      frame_name    text NOT NULL UNIQUE,
      frame_hash    text NOT NULL,
      given_at      timestamptz NOT NULL,
      CHECK ((via = 'member') = (user_id IS NOT NULL)),
      CHECK ((via = 'member') = (session_epoch IS NOT NULL)),
      CHECK ((via = 'link') = (share_link_id IS NOT NULL))
    )`
  yield* sql`CREATE INDEX passes_by_project ON passes (project_id)`
  yield* sql`CREATE INDEX passes_by_user ON passes (user_id) WHERE user_id IS NOT NULL`
  yield* sql`CREATE INDEX passes_by_link ON passes (share_link_id) WHERE share_link_id IS NOT NULL`
  yield* sql`CREATE INDEX passes_by_age ON passes (given_at)`

  // Keys that open once: whoever inserts one first has used it.
  yield* sql`CREATE TABLE spent_keys (hash text PRIMARY KEY, spent_at timestamptz NOT NULL)`
  yield* sql`CREATE INDEX spent_keys_by_age ON spent_keys (spent_at)`
})
