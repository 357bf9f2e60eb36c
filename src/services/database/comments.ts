/** Comments in PostgreSQL: a thread is its first comment's row and the rows that name it as their parent. */
import { Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { UserId } from "../../domain/accounts/model.ts"
import { Comment, CommentFacts, CommentFilter, CommentId, Reply } from "../../domain/comments/model.ts"
import { CommentStore } from "../../domain/comments/store.ts"
import { ProjectId } from "../../domain/projects/model.ts"
import { FORMER_NAME } from "./erasure.ts"
import { anyRow, date, executed, idsOf, past } from "./rows.ts"

/** Comments outlive their author's account. */
const person = (alias: string) =>
  `json_build_object('id', ${alias}.id, 'name', coalesce(${alias}.name, '${FORMER_NAME}'), 'email', ${alias}.email)`

const writtenColumns = `c.id, c.body, ${person("a")} AS author, c.edited, c.created_at AS "createdAt", c.updated_at AS "updatedAt"`

const threadColumns = `${writtenColumns}, c.project_id AS "projectId", p.slug AS "projectSlug", c.version, c.anchor,
  CASE WHEN c.resolved_at IS NULL THEN 'open' ELSE 'resolved' END AS status, c.resolved_at AS "resolvedAt",
  CASE WHEN c.resolved_at IS NULL THEN NULL ELSE ${person("r")} END AS "resolvedBy"`

const { replies: _, ...threadFields } = Comment.fields
const Thread = Schema.Struct(threadFields)
const Listed = Schema.Struct({ ...threadFields, isLast: Schema.Boolean })

/** How many bytes of threads fill a page; the thread that crosses the limit is still on it. */
const PAGE_BYTES = 1024 * 1024
/** What a comment or reply is sent with besides its words and its anchor: ids, times, its author. */
const AROUND_BYTES = 350

const STATUS: Record<CommentFilter, string> = { all: "", open: "AND c.resolved_at IS NULL", resolved: "AND c.resolved_at IS NOT NULL" }

export const CommentStoreSql = Layer.effect(
  CommentStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const threadRows = sql.literal(`${threadColumns} FROM comments c JOIN projects p ON p.id = c.project_id
      LEFT JOIN users a ON a.id = c.author_id LEFT JOIN users r ON r.id = c.resolved_by`)

    /** The newest threads of a project that match `meant`: `limit` of them, or fewer where they fill a page. */
    const newest = (projectId: string, meant: Fragment, limit: number) => sql`
      WITH asked AS (
        SELECT c.id, ${AROUND_BYTES} + octet_length(c.body) + coalesce(pg_column_size(c.anchor), 0)
          + (SELECT coalesce(sum(${AROUND_BYTES} + octet_length(r.body)), 0) FROM comments r WHERE r.parent_id = c.id) AS bytes
        FROM comments c WHERE c.project_id = ${projectId} AND c.parent_id IS NULL ${meant}
        ORDER BY c.id DESC LIMIT ${limit + 1}
      ), fitting AS (
        SELECT id, row_number() OVER newest AS at, sum(bytes) OVER newest - bytes AS before, lead(id) OVER newest IS NULL AS "isLast"
        FROM asked WINDOW newest AS (ORDER BY id DESC)
      )
      SELECT f."isLast", ${threadRows} JOIN fitting f ON f.id = c.id AND f.at <= ${limit} AND f.before < ${PAGE_BYTES}
      ORDER BY c.id DESC`

    const page = SqlSchema.findAll({
      Request: Schema.Struct({ projectId: ProjectId, status: CommentFilter, after: Schema.NullOr(Schema.String), limit: Schema.Int }),
      Result: Listed,
      execute: ({ after, limit, projectId, status }) =>
        newest(projectId, sql`${sql.literal(STATUS[status])} ${past(sql, "c.id <", after)}`, limit)
    })

    const lately = SqlSchema.findAll({
      Request: Schema.Struct({ projectId: ProjectId, since: Schema.DateTimeUtcFromDate, limit: Schema.Int }),
      Result: Listed,
      execute: ({ limit, projectId, since }) =>
        newest(
          projectId,
          sql`AND (c.updated_at > ${since} OR EXISTS (SELECT 1 FROM comments n WHERE n.parent_id = c.id AND n.updated_at > ${since}))`,
          limit
        )
    })

    const those = SqlSchema.findAll({
      Request: Schema.Array(CommentId),
      Result: Thread,
      execute: (ids) => sql`SELECT ${threadRows} WHERE c.id = ANY(${ids}::uuid[]) AND c.parent_id IS NULL`
    })

    const repliesTo = SqlSchema.findAll({
      Request: Schema.Array(CommentId),
      Result: Reply,
      execute: (threads) => sql`
        SELECT ${sql.literal(writtenColumns)}, c.parent_id AS "parentId" FROM comments c LEFT JOIN users a ON a.id = c.author_id
        WHERE c.parent_id = ANY(${threads}::uuid[]) ORDER BY c.id`
    })

    const whole = Effect.fnUntraced(function*(threads: ReadonlyArray<typeof Thread.Type>) {
      const replies = threads.length === 0 ? [] : yield* repliesTo(threads.map(({ id }) => id))
      const by = Map.groupBy(replies, ({ parentId }) => parentId)
      return threads.map((thread): Comment => ({ ...thread, replies: by.get(thread.id) ?? [] }))
    })

    const find = SqlSchema.findOneOption({
      Request: CommentId,
      Result: CommentFacts,
      execute: (id) => sql`
        SELECT c.id, t.id AS "threadId", c.project_id AS "projectId", p.slug, c.author_id AS "authorId", t.author_id AS "threadAuthorId",
          c.created_at AS "createdAt", t.resolved_at IS NOT NULL AS resolved,
          (SELECT count(*) FROM comments r WHERE r.parent_id = t.id)::int AS "replyCount"
        FROM comments c JOIN comments t ON t.id = coalesce(c.parent_id, c.id) JOIN projects p ON p.id = c.project_id AND p.deleted_at IS NULL
        WHERE c.id = ${id}`
    })

    const listing = Effect.fnUntraced(function*(found: ReadonlyArray<typeof Listed.Type>) {
      const last = found.at(-1)
      const comments = yield* whole(found.map(Struct.omit(["isLast"])))
      return { comments, nextCursor: last === undefined || last.isLast ? null : last.id }
    })

    return CommentStore.of({
      list: (projectId, { after, limit, status }) =>
        Effect.orDie(Effect.flatMap(page({ projectId, status, after: after ?? null, limit }), listing)),
      since: (projectId, since, limit) => Effect.orDie(Effect.flatMap(lately({ projectId, since, limit }), listing)),
      threads: (ids) => Effect.orDie(Effect.flatMap(those(ids), whole)),
      find: (id) => Effect.orDie(find(id)),
      hold: Effect.fn("CommentStoreSql.hold")(function*(id) {
        yield* sql`SELECT 1 FROM comments WHERE id = (SELECT coalesce(parent_id, id) FROM comments WHERE id = ${id}) FOR UPDATE`
        // Read after taking the lock, so it is as the previous holder left it.
        return yield* find(id)
      }, Effect.orDie),
      add: (comment) =>
        executed(sql`
          INSERT INTO comments (id, project_id, parent_id, version, body, anchor, author_id, created_at, updated_at)
          VALUES (${comment.id}, ${comment.projectId}, ${comment.parentId}, ${comment.version}, ${comment.body},
            ${comment.anchor === null ? null : JSON.stringify(comment.anchor)}::jsonb, ${comment.authorId},
            ${date(comment.createdAt)}, ${date(comment.createdAt)})`),
      rewrite: (id, body, now) =>
        anyRow(sql`UPDATE comments SET body = ${body}, edited = true, updated_at = ${date(now)} WHERE id = ${id} AND body <> ${body} RETURNING 1`),
      remove: (id) => executed(sql`DELETE FROM comments WHERE id = ${id}`),
      resolve: (threadId, by, now) =>
        executed(sql`
          UPDATE comments SET resolved_at = ${date(now)}, resolved_by = ${by}, updated_at = ${date(now)}
          WHERE id = ${threadId}`),
      reopen: (threadId, now) =>
        executed(sql`
          UPDATE comments SET resolved_at = NULL, resolved_by = NULL, updated_at = ${date(now)} WHERE id = ${threadId}`),
      people: (threadId) =>
        idsOf(sql<{ id: UserId }>`
          SELECT DISTINCT author_id AS id FROM comments
          WHERE (id = ${threadId} OR parent_id = ${threadId}) AND author_id IS NOT NULL`)
    })
  })
)
