/**
 * Views: each raw one, by day; the visitors seen, for two days; and the figures of each project and day. A worker makes the
 * partitions ahead; a missing one is made on demand.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  // Random, made when first needed, deleted 48 hours after its day; until then it tells visitors apart.
  yield* sql`
    CREATE TABLE view_keys (
      project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      day        date NOT NULL,
      key        bytea NOT NULL,
      PRIMARY KEY (project_id, day)
    )`
  yield* sql`CREATE INDEX view_keys_by_day ON view_keys (day)`

  // No foreign keys: a row costs one write, and a day is deleted by dropping its partition.
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

  // Batches already written, so that one sent again is not counted twice.
  yield* sql`CREATE TABLE view_batches (id uuid PRIMARY KEY, added_at timestamptz NOT NULL)`
  yield* sql`CREATE INDEX view_batches_by_age ON view_batches (added_at)`
})
