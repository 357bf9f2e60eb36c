/** The audit log in PostgreSQL. */
import { Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Entry } from "../../domain/audit/model.ts"
import { AuditStore } from "../../domain/audit/store.ts"
import { hiddenFrom } from "./project-rows.ts"
import { date, executed, past } from "./rows.ts"

export const AuditStoreSql = Layer.effect(
  AuditStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const list = SqlSchema.findAll({
      Request: Schema.Struct({ workspaceId: Schema.String, userId: Schema.String, after: Schema.NullOr(Schema.String), limit: Schema.Int }),
      Result: Entry,
      execute: ({ after, limit, userId, workspaceId }) => sql`
        SELECT e.id, e.at, CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS actor, e.action, e.target,
          CASE WHEN p.id IS NOT NULL THEN json_build_object('slug', p.slug, 'title', p.title, 'label', l.label) END AS called
        FROM audit_entries e LEFT JOIN users u ON u.id = e.actor_id
          LEFT JOIN (projects p LEFT JOIN folders f ON f.id = p.folder_id)
            ON p.id = coalesce(e.target->>'projectId', e.target->>'id')::uuid AND p.workspace_id = e.workspace_id AND p.deleted_at IS NULL AND NOT ${hiddenFrom(sql, userId)}
          LEFT JOIN share_links l ON l.id = (e.target->>'id')::uuid AND l.project_id = p.id AND l.revoked_at IS NULL
        WHERE e.workspace_id = ${workspaceId} ${past(sql, "e.id <", after)}
        ORDER BY e.id DESC LIMIT ${limit}`
    })

    return AuditStore.of({
      add: (id, { action, actor, target, workspaceId }, now) =>
        executed(sql`
          INSERT INTO audit_entries (id, workspace_id, at, actor_id, action, target)
          VALUES (${id}, ${workspaceId}, ${date(now)}, ${actor}, ${action}, ${JSON.stringify(target)}::jsonb)`),
      list: (workspaceId, userId, { after, limit }) => Effect.orDie(list({ workspaceId, userId, after: after ?? null, limit }))
    })
  })
)
