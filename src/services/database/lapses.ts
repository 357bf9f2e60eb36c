/** Workspaces whose end has passed and is not in the audit log yet, in PostgreSQL. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { LapseStore } from "../../domain/billing/store.ts"
import type { WorkspaceId } from "../../domain/workspaces/model.ts"
import { anyRow, date, idsOf } from "./rows.ts"

/** Worded as the condition of the index over these rows. */
const unnoted = `lapse_noted_for IS DISTINCT FROM greatest(trial_ends_at, subscription_ends_at)
  AND (subscription_status IS NULL OR subscription_ends_at IS NOT NULL)`

export const LapseStoreSql = Layer.effect(
  LapseStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const waits = sql.literal(unnoted)

    return LapseStore.of({
      ended: (now, limit) =>
        idsOf(sql<{ id: WorkspaceId }>`
          SELECT id FROM workspaces
          WHERE ${waits} AND greatest(trial_ends_at, subscription_ends_at) <= ${date(now)} AND deletion_id IS NULL
          ORDER BY greatest(trial_ends_at, subscription_ends_at), id LIMIT ${limit}`),
      claim: (id, now) =>
        anyRow(sql`
          UPDATE workspaces SET lapse_noted_for = greatest(trial_ends_at, subscription_ends_at)
          WHERE id = ${id} AND ${waits} AND greatest(trial_ends_at, subscription_ends_at) <= ${date(now)} AND deletion_id IS NULL
          RETURNING id`)
    })
  })
)
