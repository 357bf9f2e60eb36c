/** Deletions in PostgreSQL: what they take out of reach, and what brings it back. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Workflow, WorkflowEngine } from "effect/workflow"
import { DeletionId } from "../../domain/erasure/model.ts"
import type { Stake } from "../../domain/erasure/model.ts"
import { DeletionStore } from "../../domain/erasure/store.ts"
import { Role, Workspace, WorkspaceId } from "../../domain/workspaces/model.ts"

/** The job: erases what is due. Another each day, should one come to nothing. */
export const EraseTarget = Workflow.make("EraseTarget", {
  payload: { deletionId: DeletionId, day: Schema.String },
  success: Schema.Void,
  idempotencyKey: ({ day, deletionId }) => `${deletionId}/${day}`
})

/** The job: has the subscription of a workspace end with its period, or go on, by how the workspace stands when it runs. */
export const SettleRenewal = Workflow.make("SettleRenewal", {
  payload: { workspaceId: WorkspaceId, round: Schema.String },
  success: Schema.Void,
  idempotencyKey: ({ round, workspaceId }) => `${workspaceId}/${round}`
})

/** Begun in one round. */
const BATCH = 200

const StakeRow = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  role: Role,
  isOwner: Schema.Boolean,
  members: Schema.Int,
  admins: Schema.Int,
  projects: Schema.Int,
  published: Schema.Int,
  storageBytes: Schema.Number,
  trialEndsAt: Workspace.fields.trialEndsAt,
  subscriptionStatus: Workspace.fields.subscriptionStatus,
  subscriptionEndsAt: Workspace.fields.subscriptionEndsAt
})

export const DeletionStoreSql = Layer.effect(
  DeletionStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const engine = yield* WorkflowEngine.WorkflowEngine
    const date = DateTime.toDateUtc

    const stakes = SqlSchema.findAll({
      Request: Schema.Struct({ userId: Schema.String, now: Schema.DateTimeUtcFromDate }),
      Result: StakeRow,
      execute: ({ now, userId }) => sql`
        SELECT w.id, w.name, m.role, m.is_owner AS "isOwner", w.project_count AS projects, w.storage_bytes::float8 AS "storageBytes",
          w.trial_ends_at AS "trialEndsAt", w.subscription_status AS "subscriptionStatus", w.subscription_ends_at AS "subscriptionEndsAt",
          (SELECT count(*)::int FROM members o WHERE o.workspace_id = w.id) AS members,
          (SELECT count(*)::int FROM members o JOIN users u ON u.id = o.user_id
            WHERE o.workspace_id = w.id AND o.role = 'admin' AND u.deletion_id IS NULL) AS admins,
          (SELECT count(*)::int FROM projects p WHERE p.workspace_id = w.id AND p.deleted_at IS NULL
            AND p.current_version_id IS NOT NULL AND (p.expires_at IS NULL OR p.expires_at > ${now})) AS published
        FROM members m JOIN workspaces w ON w.id = m.workspace_id
        WHERE m.user_id = ${userId} ORDER BY m.joined_at, w.id`
    })

    const settleRenewals = (workspaces: ReadonlyArray<WorkspaceId>, round: string) =>
      Effect.forEach(workspaces, (workspaceId) => SettleRenewal.execute({ workspaceId, round }, { discard: true }), { discard: true }).pipe(
        Effect.provideService(WorkflowEngine.WorkflowEngine, engine)
      )

    return DeletionStore.of({
      stakes: (userId, now) => Effect.orDie(Effect.map(stakes({ userId, now }), (rows): ReadonlyArray<Stake> => rows)),

      // Workspaces before accounts, in one order, as everybody locks them.
      hold: Effect.fn("DeletionStoreSql.hold")(function*(userId) {
        const workspaces = yield* sql<{ id: WorkspaceId }>`
          SELECT w.id FROM workspaces w WHERE w.id IN (SELECT workspace_id FROM members WHERE user_id = ${userId})
          ORDER BY w.id FOR UPDATE`
        const held = yield* sql`SELECT 1 FROM users WHERE id = ${userId} AND deletion_id IS NULL FOR UPDATE`
        return held.length === 0 ? Option.none() : Option.some(workspaces.map(({ id }) => id))
      }, Effect.orDie),

      schedule: Effect.fn("DeletionStoreSql.schedule")(function*({ eraseOn, id, requestedAt, requestedBy, targetId, targetType }, workspaces) {
        yield* sql`
          INSERT INTO deletions (id, target_type, target_id, requested_by, requested_at, erase_on)
          VALUES (${id}, ${targetType}, ${targetId}, ${requestedBy}, ${date(requestedAt)}, ${date(eraseOn)})`
        if (targetType === "user") {
          yield* sql`UPDATE users SET deletion_id = ${id}, session_epoch = session_epoch + 1 WHERE id = ${targetId}`
        }
        yield* sql`UPDATE workspaces SET deletion_id = ${id} WHERE id = ANY(${workspaces}::uuid[])`
        yield* sql`
          WITH parted AS (
            DELETE FROM members WHERE workspace_id = ANY(${workspaces}::uuid[]) RETURNING workspace_id, user_id, role, is_owner, joined_at
          )
          INSERT INTO parted_members (workspace_id, user_id, role, is_owner, joined_at) SELECT * FROM parted`
        yield* settleRenewals(workspaces, id)
      }, Effect.orDie),

      restore: Effect.fn("DeletionStoreSql.restore")(function*({ id, type }, by, now) {
        const found = yield* sql<{ id: string }>`
          UPDATE deletions SET restored_at = ${date(now)}, restored_by = ${by}
          WHERE target_type = ${type} AND target_id = ${id} AND restored_at IS NULL AND begun_at IS NULL RETURNING id`
        if (found[0] === undefined) return Option.none()
        const deletion = found[0].id
        yield* sql`UPDATE users SET deletion_id = NULL WHERE deletion_id = ${deletion}`
        const back = (yield* sql<{ id: WorkspaceId }>`UPDATE workspaces SET deletion_id = NULL WHERE deletion_id = ${deletion} RETURNING id`).map((row) => row.id)
        yield* sql`
          WITH returned AS (
            DELETE FROM parted_members WHERE workspace_id = ANY(${back}::uuid[]) RETURNING workspace_id, user_id, role, is_owner, joined_at
          )
          INSERT INTO members (workspace_id, user_id, role, is_owner, joined_at) SELECT * FROM returned`
        yield* settleRenewals(back, `${deletion}/restored`)
        return Option.some(back)
      }, Effect.orDie),

      isScheduled: (id) =>
        Effect.orDie(Effect.map(sql`SELECT 1 FROM workspaces WHERE id = ${id} AND deletion_id IS NOT NULL`, (rows) => rows.length > 0)),

      exists: (type, id) =>
        Effect.orDie(Effect.map(
          sql`SELECT 1 FROM ${sql.literal(type === "user" ? "users" : "workspaces")} WHERE id = ${id} AND id <> ${FORMER_USER}`,
          (rows) => rows.length > 0
        )),

      beginDue: Effect.fn("DeletionStoreSql.beginDue")(function*(now) {
        const due = yield* sql<{ id: DeletionId }>`
          SELECT id FROM deletions WHERE erase_on <= ${date(now)} AND restored_at IS NULL AND erased_at IS NULL ORDER BY erase_on LIMIT ${BATCH}`
        const day = DateTime.formatIsoDateUtc(now)
        yield* Effect.forEach(due, ({ id }) => EraseTarget.execute({ deletionId: id, day }, { discard: true }), { discard: true }).pipe(
          Effect.provideService(WorkflowEngine.WorkflowEngine, engine)
        )
        return due.length
      }, Effect.orDie)
    })
  })
)

/** Stands where an erased account made something in the workspaces of others. Nobody signs in as it: it has no address. */
export const FORMER_USER = "00000000-0000-4000-8000-000000000000"
