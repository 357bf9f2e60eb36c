/** Folders in PostgreSQL, each with the count of what lies in it. */
import { Effect, Layer, Option, Schema } from "effect"
import type { DateTime } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { UserId } from "../../domain/accounts/model.ts"
import { Folder } from "../../domain/folders/model.ts"
import { LEFT_BEHIND } from "../../domain/folders/rules.ts"
import { FolderStore } from "../../domain/folders/store.ts"
import { Role } from "../../domain/workspaces/model.ts"
import type { WorkspaceId } from "../../domain/workspaces/model.ts"
import { counted, date, executed, past } from "./rows.ts"

const folderColumns = `f.id, f.workspace_id AS "workspaceId", f.name, f.sharing,
  (SELECT count(*)::int FROM projects p WHERE p.folder_id = f.id AND p.deleted_at IS NULL) AS "projectCount",
  json_build_object('id', c.id, 'name', c.name) AS "createdBy", f.created_at AS "createdAt", f.updated_at AS "updatedAt"`

const folderTables = `folders f JOIN users c ON c.id = f.created_by`

/** The private folders that somebody leaves behind, in one workspace or in all, are shown to those who stay. */
export const uncoverFolders = (sql: SqlClient.SqlClient, createdBy: UserId, now: DateTime.Utc, workspace?: WorkspaceId) => sql<{ readonly id: string; readonly workspaceId: WorkspaceId }>`
  UPDATE folders SET sharing = ${LEFT_BEHIND}, updated_at = ${date(now)}
  WHERE created_by = ${createdBy} AND sharing = 'private' ${workspace === undefined ? sql.literal("") : sql`AND workspace_id = ${workspace}`}
  RETURNING id, workspace_id AS "workspaceId"`

export const FolderStoreSql = Layer.effect(
  FolderStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(folderColumns)
    const tables = sql.literal(folderTables)

    const reach = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: Schema.String, userId: Schema.String }),
      Result: Schema.Struct({ ...Folder.fields, role: Schema.NullOr(Role) }),
      execute: ({ id, userId }) => sql`
        SELECT ${columns}, m.role
        FROM ${tables} LEFT JOIN members m ON m.workspace_id = f.workspace_id AND m.user_id = ${userId}
        WHERE f.id = ${id}`
    })

    const list = SqlSchema.findAll({
      Request: Schema.Struct({
        workspaceId: Schema.String,
        userId: Schema.String,
        after: Schema.NullOr(Schema.String),
        limit: Schema.Int
      }),
      Result: Folder,
      execute: ({ after, limit, userId, workspaceId }) => sql`
        SELECT ${columns} FROM ${tables}
        WHERE f.workspace_id = ${workspaceId} AND (f.sharing = 'team' OR f.created_by = ${userId})
          ${past(sql, "f.id <", after)}
        ORDER BY f.id DESC LIMIT ${limit}`
    })

    return FolderStore.of({
      reach: (id, userId) =>
        Effect.orDie(reach({ id, userId })).pipe(Effect.map(Option.map(({ role, ...folder }) => ({ folder, role })))),
      list: (workspaceId, userId, { after, limit }) => Effect.orDie(list({ workspaceId, userId, after: after ?? null, limit })),
      count: (workspaceId) => counted(sql<{ count: number }>`SELECT count(*)::int AS count FROM folders WHERE workspace_id = ${workspaceId}`),
      othersIn: ({ createdBy, id }) =>
        counted(sql<{ count: number }>`
          SELECT count(*)::int AS count FROM projects
          WHERE folder_id = ${id} AND owner_id <> ${createdBy.id} AND deleted_at IS NULL`),
      create: (folder) =>
        executed(sql`
          INSERT INTO folders (id, workspace_id, name, sharing, created_by, created_at, updated_at)
          VALUES (${folder.id}, ${folder.workspaceId}, ${folder.name}, ${folder.sharing}, ${folder.createdBy.id},
            ${date(folder.createdAt)}, ${date(folder.updatedAt)})`),
      change: ({ id, name, sharing }, changes, now) =>
        executed(sql`
          UPDATE folders SET name = ${changes.name ?? name}, sharing = ${changes.sharing ?? sharing}, updated_at = ${date(now)}
          WHERE id = ${id}`),
      remove: Effect.fn("FolderStoreSql.remove")(function*({ id }, now) {
        yield* sql`UPDATE projects SET folder_id = NULL, updated_at = ${date(now)} WHERE folder_id = ${id}`
        yield* sql`DELETE FROM folders WHERE id = ${id}`
      }, Effect.orDie)
    })
  })
)
