/** Deletions in PostgreSQL: what they put out of reach, and what brings it back. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Workflow } from "effect/workflow"
import { inBatches } from "../../domain/batches.ts"
import { DeletionId, Stake } from "../../domain/erasure/model.ts"
import type { UserId } from "../../domain/accounts/model.ts"
import { DeletionStore } from "../../domain/erasure/store.ts"
import { WorkspaceId } from "../../domain/workspaces/model.ts"
import { makeBeginJob } from "./begin-job.ts"
import { anyRow, date, idsOf, past } from "./rows.ts"
import { lockWorkspacesOf, owns } from "./workspaces.ts"

/** The job that erases what is due. If it fails, the next day begins another. */
export const EraseTarget = Workflow.make("EraseTarget", {
  payload: { deletionId: DeletionId, day: Schema.String },
  success: Schema.Void,
  idempotencyKey: ({ day, deletionId }) => `${deletionId}/${day}`
})

/** The job that lets a workspace's subscription end with its period, or go on, by how the workspace stands when it runs. */
export const SettleRenewal = Workflow.make("SettleRenewal", {
  payload: { workspaceId: WorkspaceId, round: Schema.String },
  success: Schema.Void,
  idempotencyKey: ({ round, workspaceId }) => `${workspaceId}/${round}`
})

/** Deletions begun per transaction. */
const BATCH = 200

export const DeletionStoreSql = Layer.effect(
  DeletionStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const beginJob = yield* makeBeginJob

    const stakes = SqlSchema.findAll({
      Request: Schema.Struct({ userId: Schema.String, now: Schema.DateTimeUtcFromDate }),
      Result: Stake,
      execute: ({ now, userId }) => sql`
        SELECT w.id, w.name, m.role, ${sql.literal(owns)} AS "isOwner", w.project_count AS projects, w.storage_bytes::float8 AS "storageBytes",
          w.trial_ends_at AS "trialEndsAt", w.subscription_status AS "subscriptionStatus", w.subscription_ends_at AS "subscriptionEndsAt",
          (SELECT count(*)::int FROM members o WHERE o.workspace_id = w.id) AS members,
          (SELECT count(*)::int FROM members o JOIN users u ON u.id = o.user_id
            WHERE o.workspace_id = w.id AND o.role = 'admin' AND u.deletion_id IS NULL) AS admins,
          (SELECT count(*)::int FROM projects p WHERE p.workspace_id = w.id AND p.deleted_at IS NULL
            AND p.taken_down_at IS NULL AND p.current_version_id IS NOT NULL AND (p.expires_at IS NULL OR p.expires_at > ${now})) AS published
        FROM members m JOIN workspaces w ON w.id = m.workspace_id
        WHERE m.user_id = ${userId} ORDER BY m.joined_at, w.id`
    })

    const settleRenewals = (workspaces: ReadonlyArray<WorkspaceId>, round: string) =>
      Effect.forEach(workspaces, (workspaceId) => beginJob(SettleRenewal, { workspaceId, round }), { discard: true })

    return DeletionStore.of({
      stakes: (userId, now) => Effect.orDie(stakes({ userId, now })),

      hold: Effect.fn("DeletionStoreSql.hold")(function*(userId) {
        const workspaces = yield* lockWorkspacesOf(sql, userId)
        const held = yield* sql`SELECT 1 FROM users WHERE id = ${userId} AND deletion_id IS NULL FOR UPDATE`
        return held.length === 0 ? Option.none() : Option.some(workspaces)
      }, Effect.orDie),

      schedule: Effect.fn("DeletionStoreSql.schedule")(function*({ eraseOn, id, requestedAt, requestedBy, targetId, targetType }, workspaces) {
        yield* sql`
          INSERT INTO deletions (id, target_type, target_id, requested_by, requested_at, erase_on)
          VALUES (${id}, ${targetType}, ${targetId}, ${requestedBy}, ${date(requestedAt)}, ${date(eraseOn)})`
        if (targetType === "user") {
          yield* sql`UPDATE users SET deletion_id = ${id} WHERE id = ${targetId}`
        }
        yield* sql`UPDATE workspaces SET deletion_id = ${id} WHERE id = ANY(${workspaces}::uuid[])`
        yield* sql`
          WITH parted AS (
            DELETE FROM members WHERE workspace_id = ANY(${workspaces}::uuid[]) RETURNING workspace_id, user_id, role, is_owner, joined_at
          )
          INSERT INTO parted_members (workspace_id, user_id, role, is_owner, joined_at) SELECT * FROM parted`
        yield* settleRenewals(workspaces, id)
      }, Effect.orDie),

      restorable: Effect.fn("DeletionStoreSql.restorable")(function*({ id: target, type }) {
        const found = yield* sql<{ id: DeletionId }>`
          SELECT id FROM deletions
          WHERE target_type = ${type} AND target_id = ${target} AND restored_at IS NULL AND begun_at IS NULL FOR UPDATE`
        const id = found[0]?.id
        if (id === undefined) return Option.none()
        const workspaces = yield* idsOf(sql<{ id: WorkspaceId }>`SELECT id FROM workspaces WHERE deletion_id = ${id} ORDER BY id FOR UPDATE`)
        // An account whose own erasure has begun does not come back.
        const admins = yield* sql<{ id: UserId; of: WorkspaceId; active: boolean }>`
          SELECT u.id, p.workspace_id AS of, u.deletion_id IS NULL OR u.deletion_id = ${id} AS active
          FROM parted_members p JOIN users u ON u.id = p.user_id
          WHERE p.workspace_id = ANY(${workspaces}::uuid[]) AND p.role = 'admin'
            AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.id = u.deletion_id AND d.begun_at IS NOT NULL)
          ORDER BY p.joined_at, u.id FOR SHARE OF u`
        return Option.some({
          id,
          workspaces: workspaces.map((workspace) => ({
            id: workspace,
            admins: admins.filter(({ of }) => of === workspace).map(({ id, active }) => ({ id, active }))
          }))
        })
      }, Effect.orDie),

      restore: Effect.fn("DeletionStoreSql.restore")(function*({ id: deletion, workspaces }, by, now) {
        const back = workspaces.map(({ id }) => id)
        yield* sql`UPDATE deletions SET restored_at = ${date(now)}, restored_by = ${by} WHERE id = ${deletion}`
        yield* sql`UPDATE users SET deletion_id = NULL WHERE deletion_id = ${deletion}`
        yield* sql`UPDATE workspaces SET deletion_id = NULL WHERE deletion_id = ${deletion}`
        yield* sql`
          WITH returned AS (
            DELETE FROM parted_members WHERE workspace_id = ANY(${back}::uuid[]) RETURNING workspace_id, user_id, role, is_owner, joined_at
          )
          INSERT INTO members (workspace_id, user_id, role, is_owner, joined_at) SELECT * FROM returned`
        yield* settleRenewals(back, `${deletion}/restored`)
      }, Effect.orDie),

      isScheduled: (id) =>
        anyRow(sql`SELECT 1 FROM workspaces WHERE id = ${id} AND deletion_id IS NOT NULL`),

      settleRenewal: (id, round) => Effect.orDie(settleRenewals([id], round)),

      unproven: (made, after, limit) =>
        Effect.orDie(idsOf(sql<{ id: UserId }>`
          SELECT id FROM users
          WHERE email_verified_at IS NULL AND deletion_id IS NULL AND id <> ${FORMER_USER} AND created_at <= ${date(made)} ${past(sql, "id >", after)}
            AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.target_type = 'user' AND d.target_id = users.id AND d.restored_at IS NOT NULL)
          ORDER BY id LIMIT ${limit}`)),

      exists: ({ id, type }) =>
        anyRow(sql`SELECT 1 FROM ${sql.literal(type === "user" ? "users" : "workspaces")} WHERE id = ${id} AND id <> ${FORMER_USER}`),

      beginDue: Effect.fn("DeletionStoreSql.beginDue")(function*(now) {
        const day = DateTime.formatIsoDateUtc(now)
        // In one transaction with its jobs: what is cut off is begun again. Another day may also be a later one, of a clock that was ahead.
        const some = sql.withTransaction(Effect.gen(function*() {
          const due = yield* idsOf(sql<{ id: DeletionId }>`
            UPDATE deletions SET set_out_on = ${day}::date WHERE id IN (
              SELECT id FROM deletions
              WHERE erase_on <= ${date(now)} AND restored_at IS NULL AND erased_at IS NULL AND set_out_on IS DISTINCT FROM ${day}::date
              ORDER BY erase_on, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
            ) RETURNING id`)
          yield* Effect.forEach(due, (deletionId) => beginJob(EraseTarget, { deletionId, day }), { discard: true })
          return due.length
        }))
        return yield* inBatches(BATCH, some)
      }, Effect.orDie)
    })
  })
)

/** Replaces an erased account on what it made in the workspaces of others. Nobody can sign in as it: it has no address. */
export const FORMER_USER = "00000000-0000-4000-8000-000000000000"

/** As which its comments are shown, too, whose rows name nobody. */
export const FORMER_NAME = "Former user"
