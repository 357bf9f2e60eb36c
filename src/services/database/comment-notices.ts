/** Which comments each person is still to be told of, and who has muted them, in PostgreSQL. */
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { CommentId, News, Unheard } from "../../domain/comments/model.ts"
import { CommentNoticeStore } from "../../domain/comments/store.ts"
import { ProjectId } from "../../domain/projects/model.ts"
import { activeAccount } from "./accounts.ts"
import { FORMER_NAME } from "./erasure.ts"
import { anyRow, date, executed } from "./rows.ts"

export const CommentNoticeStoreSql = Layer.effect(
  CommentNoticeStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    /** Of a notice `n`: nobody belongs to a workspace that is to be erased, until it is restored. */
    const isDark = sql.literal(`EXISTS (
      SELECT 1 FROM workspaces w JOIN projects p ON p.workspace_id = w.id WHERE w.deletion_id IS NOT NULL AND p.id = n.project_id)`)

    const unheard = SqlSchema.findAll({
      Request: Schema.Int,
      Result: Unheard,
      execute: (limit) => sql`
        SELECT DISTINCT n.user_id AS "userId", n.project_id AS "projectId"
        FROM comment_notices n JOIN users u ON u.id = n.user_id
        WHERE ${sql.literal(activeAccount)} AND NOT ${isDark} LIMIT ${limit}`
    })

    /** `from`: what has a `comment_id` for each. */
    const newsOf = (from: string) => sql.literal(`
      SELECT c.id, c.parent_id IS NOT NULL AS "isReply", coalesce(a.name, '${FORMER_NAME}') AS author, c.body, c.anchor,
        c.created_at AS "createdAt", t.resolved_at AS "resolvedAt"
      FROM ${from} JOIN comments c ON c.id = comment_id JOIN comments t ON t.id = coalesce(c.parent_id, c.id)
        LEFT JOIN users a ON a.id = c.author_id
      ORDER BY c.created_at, c.id`)

    const claim = SqlSchema.findAll({
      Request: Unheard,
      Result: News,
      execute: ({ projectId, userId }) => sql`
        WITH claimed AS (
          DELETE FROM comment_notices n WHERE user_id = ${userId} AND project_id = ${projectId} AND NOT ${isDark} RETURNING comment_id
        )
        ${newsOf("claimed")}`
    })

    const news = SqlSchema.findAll({
      Request: Schema.Array(CommentId),
      Result: News,
      execute: (ids) => sql`WITH asked AS (SELECT unnest(${ids}::uuid[]) AS comment_id) ${newsOf("asked")}`
    })

    const holdSlug = SqlSchema.findOneOption({
      Request: ProjectId,
      Result: Schema.Struct({ slug: Schema.String }),
      execute: (projectId) => sql`SELECT slug FROM projects WHERE id = ${projectId} AND deleted_at IS NULL FOR SHARE`
    })

    return CommentNoticeStore.of({
      add: (comment, people) =>
        executed(sql`
          INSERT INTO comment_notices (user_id, project_id, comment_id, noted_at)
          SELECT id, ${comment.projectId}::uuid, ${comment.id}::uuid, ${date(comment.createdAt)}::timestamptz
          FROM users WHERE id = ANY(${people}::uuid[]) FOR KEY SHARE`).pipe(Effect.when(Effect.succeed(people.length > 0)), Effect.asVoid),
      unheard: (limit) => Effect.orDie(unheard(limit)),
      claim: (pair) => Effect.orDie(claim(pair)),
      news: (ids) => Effect.orDie(news(ids)),
      holdSlug: (projectId) => Effect.orDie(Effect.map(holdSlug(projectId), Option.map(({ slug }) => slug))),
      muted: (userId, projectId) =>
        anyRow(sql`SELECT 1 FROM comment_mutes WHERE user_id = ${userId} AND project_id = ${projectId}`),
      setMuted: (userId, projectId, muted) =>
        executed(
          muted
            ? sql`
              INSERT INTO comment_mutes (user_id, project_id)
              SELECT u.id, p.id FROM users u, projects p WHERE u.id = ${userId} AND p.id = ${projectId} ON CONFLICT DO NOTHING`
            : sql`DELETE FROM comment_mutes WHERE user_id = ${userId} AND project_id = ${projectId}`
        )
    })
  })
)
