/**
 * Views: as they came, by day; who is known to have come, for two days; and the figures of each project and day.
 * Their partitions are made ahead by a worker, and on demand where one is missing.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Random, made on first need, destroyed 48 hours after its day: until then it tells one visitor from another.
  yield* sql`
    CREATE TABLE view_keys (
      project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      day        date NOT NULL,
      key        bytea NOT NULL,
      PRIMARY KEY (project_id, day)
    )`
  yield* sql`CREATE INDEX view_keys_by_day ON view_keys (day)`

  // No foreign keys here: a row costs one write, and a day goes by dropping its partition.
  yield* sql`
    CREATE TABLE views (
      project_id    uuid NOT NULL,
      at            timestamptz NOT NULL,
      visitor       bytea NOT NULL,
      share_link_id uuid,
      loads         integer NOT NULL
    ) PARTITION BY RANGE (at)`
  yield* sql`
    CREATE TABLE view_visitors (
      day        date NOT NULL,
      project_id uuid NOT NULL,
      visitor    bytea NOT NULL,
      PRIMARY KEY (day, project_id, visitor)
    ) PARTITION BY RANGE (day)`

  yield* sql`
    CREATE TABLE view_days (
      project_id      uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      day             date NOT NULL,
      views           bigint NOT NULL,
      unique_visitors bigint NOT NULL,
      last_viewed_at  timestamptz NOT NULL,
      PRIMARY KEY (project_id, day)
    )`

  // Batches that are in, so that one tried again is not counted twice.
  yield* sql`CREATE TABLE view_batches (id uuid PRIMARY KEY, added_at timestamptz NOT NULL)`
  yield* sql`CREATE INDEX view_batches_by_age ON view_batches (added_at)`
})
