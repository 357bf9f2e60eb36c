/** Workspaces and memberships in PostgreSQL. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Membership, Workspace } from "../../domain/workspaces/model.ts"
import { WorkspaceStore } from "../../domain/workspaces/store.ts"

const workspaceColumns = `w.id, w.name, w.plan, w.trial_ends_at AS "trialEndsAt",
  w.storage_bytes::float8 AS "storageBytes", w.project_count AS "projectCount", w.created_at AS "createdAt"`

export const WorkspaceStoreSql = Layer.effect(
  WorkspaceStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const memberships = SqlSchema.findAll({
      Request: Schema.String,
      Result: Membership,
      execute: (userId) => sql`
        SELECT ${sql.literal(workspaceColumns)}, m.role, m.is_owner AS "isOwner", (u.home_workspace_id = w.id) IS TRUE AS "isHome"
        FROM members m JOIN workspaces w ON w.id = m.workspace_id JOIN users u ON u.id = m.user_id
        WHERE m.user_id = ${userId}
        ORDER BY (u.home_workspace_id = w.id) IS TRUE DESC, m.joined_at, w.id`
    })

    const lock = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Workspace,
      execute: (id) => sql`SELECT ${sql.literal(workspaceColumns)} FROM workspaces w WHERE w.id = ${id} FOR UPDATE`
    })

    const seatsTaken = SqlSchema.findOne({
      Request: Schema.String,
      Result: Schema.Struct({ seats: Schema.Int }),
      execute: (id) => sql`SELECT count(*)::int AS seats FROM members WHERE workspace_id = ${id}`
    })

    return WorkspaceStore.of({
      memberships: (userId) => Effect.orDie(memberships(userId)),
      lock: (id) => Effect.orDie(lock(id)),
      seatsTaken: (id) => Effect.orDie(Effect.map(seatsTaken(id), (row) => row.seats))
    })
  })
)
