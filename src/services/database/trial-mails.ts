/** Which mails about an end are due, and which were sent, in PostgreSQL. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { User } from "../../domain/accounts/model.ts"
import { TrialMailStore } from "../../domain/billing/store.ts"
import type { WorkspaceId } from "../../domain/workspaces/model.ts"
import { anyRow, date, idsOf } from "./rows.ts"

export const TrialMailStoreSql = Layer.effect(
  TrialMailStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const told = sql.literal(
      "members m JOIN users u ON u.id = m.user_id WHERE m.role = 'admin' AND u.email_verified_at IS NOT NULL AND u.deletion_id IS NULL"
    )

    return TrialMailStore.of({
      waiting: (stages, enforcedSince, limit) =>
        idsOf(sql<{ id: WorkspaceId }>`
          SELECT DISTINCT w.id
          FROM unnest(
              ${stages.map(({ kind }) => kind)}::text[], ${stages.map(({ after }) => date(after))}::timestamptz[],
              ${stages.map(({ upTo }) => date(upTo))}::timestamptz[], ${stages.map(({ ofTrial }) => ofTrial)}::boolean[]
            ) AS s (kind, after, up_to, of_trial)
            CROSS JOIN (SELECT ${date(enforcedSince)}::timestamptz AS since) AS e
            -- What ended before trials were enforced lapsed then, and is in a stage with all else that did.
            JOIN workspaces w ON greatest(w.trial_ends_at, w.subscription_ends_at) > CASE WHEN e.since > s.after THEN '-infinity' ELSE s.after END
              AND greatest(w.trial_ends_at, w.subscription_ends_at) <= s.up_to AND e.since <= s.up_to
              AND (w.subscription_status IS NULL OR (w.subscription_ends_at IS NOT NULL AND (NOT s.of_trial OR w.subscription_ends_at < w.trial_ends_at)))
          WHERE w.deletion_id IS NULL AND NOT EXISTS (
            SELECT 1 FROM trial_mails m
            WHERE m.workspace_id = w.id AND m.kind = s.kind
              -- Moments are milliseconds everywhere else.
              AND m.ends_at = date_trunc('milliseconds', greatest(w.trial_ends_at, w.subscription_ends_at, e.since))
          )
          -- One look each, and no join of everybody with everything.
          AND (SELECT true FROM ${told} AND m.workspace_id = w.id LIMIT 1)
          LIMIT ${limit}`),

      claim: (workspaceId, kind, end, now) =>
        anyRow(sql`
          INSERT INTO trial_mails (workspace_id, kind, ends_at, claimed_at)
          SELECT w.id, ${kind}::text, ${date(end)}::timestamptz, ${date(now)}::timestamptz
          FROM workspaces w WHERE w.id = ${workspaceId} AND w.deletion_id IS NULL
          ON CONFLICT DO NOTHING RETURNING workspace_id`),

      admins: (workspaceId) =>
        Effect.orDie(sql<Pick<User, "email" | "name">>`
          SELECT u.email, u.name FROM ${told} AND m.workspace_id = ${workspaceId}
          ORDER BY m.joined_at, u.id`)
    })
  })
)
