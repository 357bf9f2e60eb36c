/** What the content plane reads, in as few round trips as possible. Plain rows: this is the hot path. */
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { FrameVisit, Manifest, Pass, ServedVersion, Site, Visit } from "../../domain/hosting/model.ts"
import { HostingStore } from "../../domain/hosting/store.ts"
import { hiddenFrom } from "./project-rows.ts"
import { inPlaces, instant } from "./rows.ts"
import type { Placed } from "./rows.ts"

interface SiteRow extends Omit<Site, "expiresAt" | "subscriptionEndsAt" | "trialEndsAt" | "version"> {
  readonly expiresAt: Date | null
  readonly trialEndsAt: Date | null
  readonly subscriptionEndsAt: Date | null
  readonly versionId: ServedVersion["id"] | null
  readonly number: number
  readonly kind: ServedVersion["kind"]
  readonly entry: string
  readonly publishedAt: Date
}

type Link = NonNullable<Pass["link"]>
type Member = NonNullable<Pass["member"]>

interface PassRow {
  readonly passId: Pass["id"] | null
  readonly via: Pass["via"]
  readonly givenAt: Date
  readonly passEpoch: number
  readonly passFrame: string
  readonly belongs: boolean
  readonly hidden: boolean
  readonly sessionHolds: boolean
  readonly signedInAt: Date
  readonly linkId: Link["id"]
  readonly linkExpiresAt: Date | null
  readonly linkRevoked: boolean
}

type VisitRow = SiteRow & PassRow & Placed
type FrameRow = VisitRow & { readonly entered: boolean }

const site = (row: SiteRow): Site => ({
  projectId: row.projectId,
  workspaceId: row.workspaceId,
  slug: row.slug,
  title: row.title,
  visibility: row.visibility,
  indexable: row.indexable,
  htmlDisplayMode: row.htmlDisplayMode,
  commentsEnabled: row.commentsEnabled,
  commentAccess: row.commentAccess,
  deleted: row.deleted,
  takenDown: row.takenDown,
  expiresAt: instant(row.expiresAt),
  trialEndsAt: instant(row.trialEndsAt),
  subscriptionStatus: row.subscriptionStatus,
  subscriptionEndsAt: instant(row.subscriptionEndsAt),
  succeeds: row.succeeds,
  accessEpoch: row.accessEpoch,
  servedRaw: row.servedRaw,
  frameName: row.frameName,
  version: row.versionId === null ? null : {
    id: row.versionId,
    number: row.number,
    kind: row.kind,
    entry: row.entry,
    publishedAt: DateTime.fromDateUnsafe(row.publishedAt)
  }
})

const memberOf = ({ belongs, hidden, sessionHolds, signedInAt, via }: PassRow): Member | null =>
  via === "member" ? { belongs, hidden, sessionHolds, signedInAt: DateTime.fromDateUnsafe(signedInAt) } : null

const linkOf = ({ linkExpiresAt, linkId, linkRevoked, via }: PassRow): Link | null =>
  via === "link" ? { id: linkId, expiresAt: instant(linkExpiresAt), revoked: linkRevoked } : null

const pass = (row: PassRow): Pass | null =>
  row.passId === null ? null : {
    id: row.passId,
    via: row.via,
    givenAt: DateTime.fromDateUnsafe(row.givenAt),
    accessEpoch: row.passEpoch,
    frameName: row.passFrame,
    member: memberOf(row),
    link: linkOf(row)
  }

const visit = (row: VisitRow): Visit => ({ site: site(row), pass: pass(row) })

const siteColumns = `p.id AS "projectId", p.workspace_id AS "workspaceId", p.slug, p.title, p.visibility, p.indexable,
  p.html_display_mode AS "htmlDisplayMode", p.comments_enabled AS "commentsEnabled", p.comment_access AS "commentAccess", p.expires_at AS "expiresAt",
  w.deletion_id IS NOT NULL AS deleted, p.taken_down_at IS NOT NULL AS "takenDown", w.trial_ends_at AS "trialEndsAt",
  w.subscription_status AS "subscriptionStatus", w.subscription_ends_at AS "subscriptionEndsAt", p.succeeds,
  p.access_epoch AS "accessEpoch", p.served_raw AS "servedRaw", p.frame_name AS "frameName", v.id AS "versionId", v.version AS number, v.kind, v.entry, v.created_at AS "publishedAt"`

const siteTables = `JOIN workspaces w ON w.id = p.workspace_id LEFT JOIN versions v ON v.id = p.current_version_id`

const passColumns = `g.id AS "passId", g.via, g.given_at AS "givenAt", g.access_epoch AS "passEpoch", g.frame_name AS "passFrame",
  m.user_id IS NOT NULL AS belongs,
  (u.session_epoch = g.session_epoch AND u.deletion_id IS NULL) IS TRUE AS "sessionHolds", g.signed_in_at AS "signedInAt",
  l.id AS "linkId", l.expires_at AS "linkExpiresAt", l.revoked_at IS NOT NULL AS "linkRevoked"`

/** What a pass depends on, as it is now. */
const passTables = `LEFT JOIN share_links l ON l.id = g.share_link_id AND l.project_id = p.id
  LEFT JOIN users u ON u.id = g.user_id
  LEFT JOIN members m ON m.user_id = g.user_id AND m.workspace_id = p.workspace_id
  LEFT JOIN folders f ON f.id = p.folder_id`

/** Stands for no hash: the driver cannot tell the type of an array that is all nulls. */
const NO_KEY = ""

export const HostingStoreSql = Layer.effect(
  HostingStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [ofSite, withSite] = [sql.literal(siteColumns), sql.literal(siteTables)]
    const ofPass = sql`${sql.literal(passColumns)}, ${hiddenFrom(sql, sql.literal("g.user_id"))} AS hidden`
    const withPass = sql.literal(passTables)

    const sites = (slugs: ReadonlyArray<string>) =>
      sql<SiteRow>`SELECT ${ofSite} FROM projects p ${withSite} WHERE p.slug = ANY(${slugs}) AND p.deleted_at IS NULL`

    return HostingStore.of({
      site: (slug) => Effect.orDie(Effect.map(sites([slug]), ([row]) => row && site(row))),

      visits: Effect.fnUntraced(function*(asked) {
        // Most requests come without a pass and need none of its tables.
        if (asked.every((one) => one.pass === null)) {
          const found = new Map((yield* sites([...new Set(asked.map((one) => one.slug))])).map((row) => [row.slug, site(row)]))
          return asked.map(({ slug }): Visit | undefined => {
            const known = found.get(slug)
            return known && { site: known, pass: null }
          })
        }
        const rows = yield* sql<VisitRow>`
          SELECT a.at::int4, ${ofSite}, ${ofPass}
          FROM unnest(${asked.map((one) => one.slug)}::text[], ${asked.map((one) => one.pass)}::text[]) WITH ORDINALITY AS a (slug, pass, at)
            JOIN projects p ON p.slug = a.slug AND p.deleted_at IS NULL ${withSite}
            LEFT JOIN passes g ON g.hash = a.pass AND g.project_id = p.id ${withPass}`
        return inPlaces(asked, visit)(rows)
      }, Effect.orDie),

      frameVisits: Effect.fnUntraced(function*(asked) {
        const rows = yield* sql<FrameRow>`
          WITH asked AS (
            SELECT * FROM unnest(${asked.map((one) => one.name)}::text[], ${asked.map((one) => one.key ?? NO_KEY)}::text[]) WITH ORDINALITY AS a (name, key, at)
          ), doors AS (
            SELECT a.at, p.id AS project, NULL::uuid AS pass, true AS entered FROM asked a JOIN projects p ON p.frame_name = a.name
            UNION ALL
            SELECT a.at, g.project_id, g.id, (g.frame_hash = a.key) IS TRUE FROM asked a JOIN passes g ON g.frame_name = a.name
          )
          SELECT d.at::int4, d.entered, ${ofSite}, ${ofPass}
          FROM doors d JOIN projects p ON p.id = d.project AND p.deleted_at IS NULL ${withSite}
            LEFT JOIN passes g ON g.id = d.pass ${withPass}`
        return inPlaces(asked, (row: FrameRow): FrameVisit => ({ ...visit(row), entered: row.entered }))(rows)
      }, Effect.orDie),

      // Not decoded: it has the form in which the publish wrote it, and that of ten thousand files would take 5 to 20 ms, in which nobody else is answered.
      manifest: (version) =>
        Effect.orDie(Effect.map(sql<{ manifest: Manifest }>`SELECT manifest FROM versions WHERE id = ${version}`, ([row]) => Option.fromUndefinedOr(row?.manifest))),

      excerpt: (version) =>
        Effect.orDie(Effect.map(sql<{ excerpt: string | null }>`SELECT excerpt FROM versions WHERE id = ${version}`, ([row]) => row?.excerpt ?? null))
    })
  })
)
