/** Share links in PostgreSQL, by their tokens' hashes alone. */
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ShareLink } from "../../domain/share-links/model.ts"
import { ShareLinkStore } from "../../domain/share-links/store.ts"
import { anyRow, counted, date, dateOrNull, executed, rowCount } from "./rows.ts"

const linkColumns = `l.id, l.project_id AS "projectId", l.label, l.expires_at AS "expiresAt",
  l.notify_on_first_open AS "notifyOnFirstOpen", l.view_count::float8 AS "viewCount",
  l.first_opened_at AS "firstOpenedAt", l.last_opened_at AS "lastOpenedAt", l.created_at AS "createdAt"`

export const ShareLinkStoreSql = Layer.effect(
  ShareLinkStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(linkColumns)

    const list = SqlSchema.findAll({
      Request: Schema.String,
      Result: ShareLink,
      execute: (projectId) => sql`
        SELECT ${columns} FROM share_links l WHERE l.project_id = ${projectId} AND l.revoked_at IS NULL ORDER BY l.id`
    })

    const find = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: Schema.Struct({ ...ShareLink.fields, slug: Schema.String }),
      execute: (id) => sql`
        SELECT ${columns}, p.slug FROM share_links l JOIN projects p ON p.id = l.project_id
        WHERE l.id = ${id} AND l.revoked_at IS NULL AND p.deleted_at IS NULL`
    })

    const change = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: Schema.String, label: Schema.String, expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate), notifyOnFirstOpen: Schema.Boolean }),
      Result: ShareLink,
      execute: ({ expiresAt, id, label, notifyOnFirstOpen }) => sql`
        UPDATE share_links l SET label = ${label}, expires_at = ${expiresAt}, notify_on_first_open = ${notifyOnFirstOpen}
        WHERE l.id = ${id} AND l.revoked_at IS NULL RETURNING ${columns}`
    })

    return ShareLinkStore.of({
      list: (projectId) => Effect.orDie(list(projectId)),
      count: (projectId) =>
        counted(sql<{ count: number }>`SELECT count(*)::int AS count FROM share_links WHERE project_id = ${projectId} AND revoked_at IS NULL`),
      find: (id) => Effect.orDie(find(id)).pipe(Effect.map(Option.map(({ slug, ...link }) => ({ link, slug })))),
      add: (link, by, hash) =>
        executed(sql`
          INSERT INTO share_links ${
          sql.insert({
            id: link.id,
            project_id: link.projectId,
            label: link.label,
            hash,
            expires_at: dateOrNull(link.expiresAt),
            notify_on_first_open: link.notifyOnFirstOpen,
            created_by: by,
            created_at: date(link.createdAt)
          })
        }`),
      change: (id, { expiresAt, label, notifyOnFirstOpen }) => Effect.orDie(change({ id, label, expiresAt, notifyOnFirstOpen })),
      // Whom it was for is forgotten: nobody can see or delete a revoked link any more.
      revoke: (id, now) =>
        anyRow(sql`UPDATE share_links SET revoked_at = ${date(now)}, label = '' WHERE id = ${id} AND revoked_at IS NULL RETURNING id`),
      sweepLabels: (limit) =>
        rowCount(sql`
          UPDATE share_links SET label = '' WHERE id = ANY(ARRAY(
            SELECT id FROM share_links WHERE revoked_at IS NOT NULL AND label <> '' LIMIT ${limit}))
          RETURNING 1`)
    })
  })
)
