/** An account that is scheduled for erasure, set so beneath the API. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

export const toBeErased = (sql: SqlClient.SqlClient, user: string) =>
  Effect.orDie(sql`
    WITH d AS (
      INSERT INTO deletions (id, target_type, target_id, requested_by, requested_at, erase_on)
      VALUES (gen_random_uuid(), 'user', ${user}, ${user}, now(), now() + interval '30 days') RETURNING id
    ) UPDATE users SET deletion_id = d.id FROM d WHERE users.id = ${user}`)
