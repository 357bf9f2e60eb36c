/** Projects in PostgreSQL: what a caller reaches, lists, and changes. */
import { DateTime, Effect, Layer, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { given } from "../../domain/given.ts"
import type { Project, ProjectChanges, ProjectId } from "../../domain/projects/model.ts"
import { MOST_SLUGS_KEPT } from "../../domain/projects/rules.ts"
import { ProjectStore } from "../../domain/projects/store.ts"
import type { Freed, Place, ProjectFilter } from "../../domain/projects/store.ts"
import { claimableOf, detailOf, hiddenFrom, projectColumns, projectOf, projectTables, reachOf } from "./project-rows.ts"
import type { ClaimableRow, DetailRow, ProjectRow, ReachRow } from "./project-rows.ts"
import { date, dateOrNull, executed, firstOf, idsOf, listsIn, past, placed } from "./rows.ts"
import type { Placed } from "./rows.ts"
import { thumbnailColumns } from "./thumbnails.ts"
import { together } from "./together.ts"
import { releasePacks } from "./versions.ts"
import { dropViews } from "./view-partitions.ts"
import { homeFirst, membershipColumns, membershipTables } from "./workspaces.ts"

/** Which project, and who asks. */
interface Asked {
  readonly slug: string
  readonly userId: string
}

interface AskedList {
  readonly workspaceId: string
  readonly userId: string
  readonly filter: ProjectFilter
}

/** Greater than the id of any project. */
const NEWEST = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** The columns PATCH may set; what is absent stays. */
const COLUMNS = {
  slug: "slug",
  title: "title",
  titleGiven: "title_given",
  visibility: "visibility",
  password: "password",
  commentsEnabled: "comments_enabled",
  commentAccess: "comment_access",
  commentAllowlistInherit: "comment_allowlist_inherit",
  htmlDisplayMode: "html_display_mode",
  indexable: "indexable",
  expiresAt: "expires_at",
  folderId: "folder_id"
} as const satisfies Record<keyof ProjectChanges, string>

const row = ({ expiresAt, ...changes }: ProjectChanges): Record<string, unknown> =>
  Struct.renameKeys(given({ ...changes, expiresAt: expiresAt && date(expiresAt) }), COLUMNS)

const pattern = (query: string) => `%${query.replaceAll(/[\\%_]/g, (found) => `\\${found}`)}%`

/** Accents, once they are taken apart from their letters: "resume" finds "Résumé". */
const ACCENTS = "[\\u0300-\\u036f]"
const plain = (query: string) => query.normalize("NFD").replaceAll(new RegExp(ACCENTS, "g"), "")

export const ProjectStoreSql = Layer.effect(
  ProjectStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(projectColumns)
    const tables = sql.literal(projectTables)

    const reach = <Row extends ReachRow>(slug: string, userId: string, beside: Fragment) => sql<Row>`
      SELECT ${columns}, m.role, ${hiddenFrom(sql, userId)} AS hidden ${beside}
      FROM ${tables} LEFT JOIN members m ON m.workspace_id = p.workspace_id AND m.user_id = ${userId}
      WHERE p.slug = ${slug} AND p.deleted_at IS NULL`

    /** The same for many questions at once, each row with the place of its question. */
    const reaches = (asked: ReadonlyArray<Asked>, beside: Fragment) => sql<DetailRow & Placed>`
      SELECT a.at::int4, ${columns}, m.role, ${hiddenFrom(sql, sql.literal("a.user_id"))} AS hidden ${beside}
      FROM unnest(${asked.map((one) => one.slug)}::text[], ${asked.map((one) => one.userId)}::uuid[]) WITH ORDINALITY AS a (slug, user_id, at)
        JOIN (${tables}) ON p.slug = a.slug AND p.deleted_at IS NULL
        LEFT JOIN members m ON m.workspace_id = p.workspace_id AND m.user_id = a.user_id`

    const nothing = sql.literal("")
    const excerptOf = (asked = false) => asked ? sql.literal(`, v.excerpt, ${thumbnailColumns}`) : nothing
    const versions = sql.literal(`, (
      SELECT coalesce(json_agg(json_build_object('id', e.id, 'version', e.version, 'kind', e.kind, 'sizeBytes', e.size_bytes,
        'fileCount', e.file_count, 'createdAt', e.created_at, 'createdBy', json_build_object('id', c.id, 'name', c.name),
        'current', (e.id = p.current_version_id) IS TRUE) ORDER BY e.version DESC), '[]')
      FROM versions e JOIN users c ON c.id = e.created_by WHERE e.project_id = p.id) AS versions`)

    const freed = (slug: string, since: DateTime.Utc) => {
      const at = date(since)
      return sql<Freed>`
        SELECT f.workspace_id AS "workspaceId", w.plan,
          (SELECT count(*)::int FROM (
            SELECT 1 FROM freed_slugs o WHERE o.workspace_id = f.workspace_id AND o.freed_at > f.freed_at LIMIT ${MOST_SLUGS_KEPT}
          ) others) AS later,
          EXISTS (SELECT 1 FROM projects t WHERE t.slug = f.slug AND t.deleted_at > ${at} AND t.taken_down_at IS NOT NULL) AS "takenDown"
        FROM freed_slugs f JOIN workspaces w ON w.id = f.workspace_id WHERE f.slug = ${slug} AND f.freed_at > ${at}`
    }

    const claimable = (slug: string, userId: string, { folderId, workspaceId }: Place, since: DateTime.Utc) =>
      sql<ClaimableRow>`
        SELECT r.*, to_json(k) AS freed, to_json(s) AS workspace
        FROM (VALUES (0)) one LEFT JOIN (${reach(slug, userId, nothing)}) r ON true
          LEFT JOIN (${freed(slug, since)}) k ON r.id IS NULL
          LEFT JOIN LATERAL (
            SELECT ${sql.literal(membershipColumns)}, coalesce(f.comment_access, w.comment_access) AS "commentAccess"
            FROM ${sql.literal(membershipTables)} LEFT JOIN folders f ON f.id = ${folderId ?? null}::uuid AND f.workspace_id = w.id
            WHERE m.user_id = ${userId} AND w.id = coalesce(${workspaceId ?? null}::uuid, r."workspaceId", w.id)
            ORDER BY ${sql.literal(homeFirst)} LIMIT 1
          ) s ON true`

    /** In another encoding PostgreSQL takes nothing apart. */
    const titledPlainly = (query: string) => sql`CASE WHEN getdatabaseencoding() = 'UTF8'
      THEN regexp_replace(normalize(p.title, NFD), ${ACCENTS}, '', 'g') ILIKE ${pattern(plain(query))} ELSE false END`

    const listed = (workspaceId: string, userId: string, { after, excerpts, folderId, limit, query }: ProjectFilter) => sql<ProjectRow>`
      SELECT ${columns} ${excerptOf(excerpts)} FROM ${tables}
      WHERE p.workspace_id = ${workspaceId} AND p.deleted_at IS NULL AND NOT ${hiddenFrom(sql, userId)}
        ${folderId === undefined ? nothing : sql`AND p.folder_id = ${folderId}`}
        ${query === undefined || query === "" ? nothing : sql`AND (p.title ILIKE ${pattern(query)} OR p.slug ILIKE ${pattern(query)} OR ${titledPlainly(query)})`}
        ${past(sql, "p.id <", after)}
      ORDER BY p.id DESC LIMIT ${limit}`

    /** The most frequent list, for many callers at once: a page of all projects, unfiltered. */
    const listedAll = (asked: ReadonlyArray<AskedList>) => sql<ProjectRow & Placed>`
      SELECT a.at::int4, s.*
      FROM unnest(
          ${asked.map((one) => one.workspaceId)}::uuid[], ${asked.map((one) => one.userId)}::uuid[],
          ${asked.map(({ filter }) => filter.after ?? NEWEST)}::uuid[], ${asked.map(({ filter }) => filter.limit)}::int4[]
        ) WITH ORDINALITY AS a (workspace_id, user_id, after, most, at)
        CROSS JOIN LATERAL (
          SELECT ${columns} FROM ${tables}
          WHERE p.workspace_id = a.workspace_id AND p.deleted_at IS NULL AND NOT ${hiddenFrom(sql, sql.literal("a.user_id"))} AND p.id < a.after
          ORDER BY p.id DESC LIMIT a.most
        ) s
      ORDER BY a.at, s.id DESC`

    const list = ({ filter, userId, workspaceId }: AskedList) =>
      Effect.orDie(Effect.map(listed(workspaceId, userId, filter), (rows) => rows.map(projectOf)))

    const listTogether = yield* together({
      most: 8,
      alone: list,
      many: (asked) => Effect.orDie(Effect.map(listedAll(asked), listsIn(asked, projectOf)))
    })

    /** `holder`: the project, where it may come back and nothing of another one's awaits it there. */
    const free = ({ slug, workspaceId }: Project, holder: ProjectId | null, now: DateTime.Utc) => sql`
      INSERT INTO freed_slugs AS f (slug, workspace_id, freed_at, only_holder_id)
      VALUES (${slug}, ${workspaceId}, ${date(now)}, ${holder})
      ON CONFLICT (slug) DO UPDATE SET workspace_id = excluded.workspace_id, freed_at = excluded.freed_at,
        only_holder_id = CASE WHEN f.only_holder_id = excluded.only_holder_id THEN f.only_holder_id END`

    const detailAlone = ({ slug, userId }: Asked, beside: Fragment = nothing) =>
      firstOf(reach<DetailRow>(slug, userId, sql`${beside}${versions}`), detailOf)

    const detail = yield* together({
      alone: (asked: Asked) => detailAlone(asked),
      many: (asked) =>
        Effect.orDie(Effect.map(reaches(asked, versions), placed(asked, detailOf)))
    })

    return ProjectStore.of({
      reach: (slug, userId) => firstOf(reach<ReachRow>(slug, userId, nothing), reachOf),
      slugOf: (id) => firstOf(sql<{ slug: string }>`SELECT slug FROM projects WHERE id = ${id} AND deleted_at IS NULL`, ({ slug }) => slug),
      detail: (slug, userId, excerpt = false) => excerpt ? detailAlone({ slug, userId }, excerptOf(true)) : detail({ slug, userId }),
      claimable: (slug, userId, place, since) => Effect.orDie(Effect.map(claimable(slug, userId, place, since), ([row]) => claimableOf(row!))),
      freed: (slug, since) => firstOf(freed(slug, since), (found) => found),
      list: (workspaceId, userId, filter) =>
        (filter.folderId === undefined && (filter.query ?? "") === "" && filter.excerpts !== true ? listTogether : list)({ workspaceId, userId, filter }),
      lockSlug: (slug) => executed(sql`SELECT pg_advisory_xact_lock(hashtextextended(${slug}, 0))`),
      create: Effect.fn("ProjectStoreSql.create")(function*(project) {
        const made = yield* sql<{ succeeds: boolean }>`
            WITH made AS (
              INSERT INTO projects ${
            sql.insert({
              id: project.id,
              workspace_id: project.workspaceId,
              owner_id: project.owner.id,
              folder_id: project.folderId,
              slug: project.slug,
              title: project.title,
              title_given: project.titleGiven,
              visibility: project.visibility,
              password: project.password,
              comments_enabled: project.commentsEnabled,
              html_display_mode: project.htmlDisplayMode,
              comment_access: project.commentAccess,
              comment_allowlist_inherit: project.commentAllowlistInherit,
              indexable: project.indexable,
              expires_at: dateOrNull(project.expiresAt),
              created_at: date(project.createdAt),
              updated_at: date(project.updatedAt)
            })
          }
              ON CONFLICT (slug) WHERE deleted_at IS NULL DO NOTHING
              RETURNING id, slug, workspace_id
            ), heir AS (
              UPDATE freed_slugs f SET freed_at = f.freed_at FROM made WHERE f.slug = made.slug RETURNING f.slug
            ), counted AS (
              UPDATE workspaces w SET project_count = project_count + 1 FROM made WHERE w.id = made.workspace_id
            )
            SELECT made.id, EXISTS (SELECT 1 FROM heir) AS succeeds FROM made`
        if (made[0]?.succeeds === true) yield* sql`UPDATE projects SET succeeds = true WHERE id = ${project.id}`
        return made.length > 0
      }, Effect.orDie),
      change: Effect.fn("ProjectStoreSql.change")(
        function*(project, changes, { endsPasses, keepsSlug = true }, now) {
          const moved = changes.slug !== undefined && changes.slug !== project.slug
          const succeeds = moved
            ? (yield* sql`SELECT 1 FROM freed_slugs WHERE slug = ${changes.slug!} AND only_holder_id IS DISTINCT FROM ${project.id}`).length > 0
            : undefined
          const set = { ...row(changes), ...(succeeds === undefined ? {} : { succeeds }), updated_at: date(now) }
          const epoch = endsPasses ? sql`, access_epoch = access_epoch + 1` : nothing
          yield* sql`UPDATE projects SET ${sql.update(set)}${epoch} WHERE id = ${project.id}`
          if (moved && keepsSlug) yield* free(project, project.id, now)
          return true
        },
        Effect.catchReason("SqlError", "UniqueViolation", () => Effect.succeed(false), Effect.die)
      ),
      remove: Effect.fn("ProjectStoreSql.remove")(function*(project, { keepsSlug = true }, now) {
        const packs = yield* idsOf(sql<{ id: string }>`
          SELECT DISTINCT vp.pack_id AS id FROM version_packs vp JOIN versions v ON v.id = vp.version_id
          WHERE v.project_id = ${project.id}`)
        yield* sql`
          UPDATE projects SET deleted_at = ${date(now)}, current_version_id = NULL, password = NULL,
            visibility = 'private', folder_id = NULL
          WHERE id = ${project.id}`
        // An open that is under way is counted and told of before the project is gone; a later one is refused.
        yield* sql`UPDATE share_links SET revoked_at = ${date(now)}, label = '' WHERE project_id = ${project.id} AND revoked_at IS NULL`
        yield* sql`DELETE FROM versions WHERE project_id = ${project.id}`
        yield* sql`UPDATE workspaces SET project_count = project_count - 1 WHERE id = ${project.workspaceId}`
        if (keepsSlug) yield* free(project, null, now)
        yield* releasePacks(sql, project.workspaceId, packs, now)
      }, Effect.orDie),
      // Deletes project by project, each row last: a sweep that is cut off finds it again, and no statement locks what belongs
      // to many. Visitors are stored for two days only, so none are left by now.
      sweep: Effect.fn("ProjectStoreSql.sweep")(function*(before, limit) {
        const some = yield* idsOf(sql<{ id: string }>`
          SELECT id FROM projects WHERE deleted_at < ${date(before)} ORDER BY deleted_at LIMIT ${limit}`)
        yield* dropViews(sql, some)
        yield* Effect.forEach(some, (id) => sql`DELETE FROM projects WHERE id = ${id}`, { discard: true })
        return some.length
      }, Effect.orDie)
    })
  })
)
