/** Comment allowlists in PostgreSQL, on the rows of the projects, folders and workspaces that they belong to. */
import { DateTime, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Level } from "../../domain/allowlists/model.ts"
import type { LevelChanges, LevelPlace } from "../../domain/allowlists/model.ts"
import { AllowlistStore } from "../../domain/allowlists/store.ts"
import { given } from "../../domain/given.ts"
import { date } from "./rows.ts"

const COLUMNS = {
  commentAccess: "comment_access",
  commentAllowlistInherit: "comment_allowlist_inherit",
  emails: "comment_emails"
} as const satisfies Record<keyof LevelChanges, string>

const row = (changes: LevelChanges): Record<string, unknown> => Struct.renameKeys(given(changes), COLUMNS)

export const AllowlistStoreSql = Layer.effect(
  AllowlistStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const levels = SqlSchema.findAll({
      Request: Schema.Struct({ project: Schema.NullOr(Schema.String), folder: Schema.NullOr(Schema.String), workspace: Schema.String }),
      Result: Level,
      execute: ({ folder, project, workspace }) => sql`
        SELECT comment_access AS "commentAccess", inherits AS "commentAllowlistInherit", comment_emails AS emails FROM (
          SELECT 1 AS height, comment_access, comment_allowlist_inherit AS inherits, comment_emails
          FROM projects WHERE id = ${project}::uuid
          UNION ALL
          SELECT 2, coalesce(f.comment_access, w.comment_access), f.comment_allowlist_inherit, f.comment_emails
          FROM folders f JOIN workspaces w ON w.id = f.workspace_id WHERE f.id = ${folder}::uuid
          UNION ALL
          SELECT 3, comment_access, false, comment_emails FROM workspaces WHERE id = ${workspace}::uuid
        ) levels ORDER BY height`
    })

    const change = ({ folder, project, workspace }: LevelPlace, set: Record<string, unknown>, now: DateTime.Utc) => {
      // The API shows a project's comment access, so changing it counts as updating the project.
      if (project !== null) {
        return sql`UPDATE projects SET ${sql.update({ ...set, updated_at: date(now) })} WHERE id = ${project}`
      }
      return folder !== null
        ? sql`UPDATE folders SET ${sql.update(set)} WHERE id = ${folder}`
        : sql`UPDATE workspaces SET ${sql.update(set)} WHERE id = ${workspace}`
    }

    /** A workspace has no `commentAllowlistInherit`. */
    const kept = ({ folder, project }: LevelPlace, { commentAllowlistInherit, ...changes }: LevelChanges) =>
      row(project === null && folder === null ? changes : { ...changes, commentAllowlistInherit })

    return AllowlistStore.of({
      levels: (place) => Effect.orDie(levels(place)),
      change: Effect.fn("AllowlistStoreSql.change")(function*(place, changes, now) {
        const set = kept(place, changes)
        if (Object.keys(set).length > 0) yield* change(place, set, now)
      }, Effect.orDie)
    })
  })
)
