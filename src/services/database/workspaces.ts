/** Workspaces and memberships in PostgreSQL. */
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Membership, Workspace, WorkspaceId } from "../../domain/workspaces/model.ts"
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

    // One statement, so that an invite accepted meanwhile is counted once, as the one or the other.
    const seatsTaken = SqlSchema.findOne({
      Request: Schema.Struct({ id: WorkspaceId, now: Schema.DateTimeUtcFromDate }),
      Result: Schema.Struct({ seats: Schema.Int }),
      execute: ({ id, now }) => sql`
        SELECT (SELECT count(*) FROM members WHERE workspace_id = ${id})::int
          + (SELECT count(*) FROM invites WHERE workspace_id = ${id} AND accepted_at IS NULL AND expires_at > ${now})::int AS seats`
    })

    return WorkspaceStore.of({
      memberships: (userId) => Effect.orDie(memberships(userId)),
      lock: (id) => Effect.orDie(lock(id)),
      seatsTaken: (id, now) => Effect.orDie(Effect.map(seatsTaken({ id, now }), (row) => row.seats)),
      join: (userId, { isOwner, role, workspaceId }, now) =>
        Effect.orDie(Effect.asVoid(sql`
          INSERT INTO members AS m (workspace_id, user_id, role, is_owner, joined_at)
          VALUES (${workspaceId}, ${userId}, ${role}, ${isOwner}, ${DateTime.toDateUtc(now)})
          ON CONFLICT (workspace_id, user_id) DO UPDATE SET
            role = CASE WHEN excluded.role = 'admin' THEN 'admin' ELSE m.role END,
            is_owner = m.is_owner OR excluded.is_owner`))
    })
  })
)
