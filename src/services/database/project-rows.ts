/** The columns that statements about projects read, and the models made of their rows. */
import { DateTime, Option } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { CommentAccess, Project, Version } from "../../domain/projects/model.ts"
import type { Claimable, Detail, Freed, Reach } from "../../domain/projects/store.ts"
import type { Role } from "../../domain/workspaces/model.ts"
import { instant } from "./rows.ts"
import type { RowOf } from "./rows.ts"
import { membershipOf } from "./workspaces.ts"
import type { MembershipRow } from "./workspaces.ts"

export const projectColumns = `p.id, p.workspace_id AS "workspaceId", json_build_object('id', o.id, 'name', o.name) AS owner,
  p.folder_id AS "folderId", p.slug, p.title, p.title_given AS "titleGiven", v.title AS "servedTitle", coalesce(v.title_own, false) AS "servedTitleOwn", p.visibility, p.password, p.comments_enabled AS "commentsEnabled",
  p.html_display_mode AS "htmlDisplayMode", p.comment_access AS "commentAccess",
  p.comment_allowlist_inherit AS "commentAllowlistInherit", p.indexable, p.expires_at AS "expiresAt",
  v.kind, p.version, p.current_version_id AS "currentVersionId",
  coalesce(v.size_bytes, 0)::float8 AS "sizeBytes", coalesce(v.file_count, 0) AS "fileCount",
  p.created_at AS "createdAt", p.updated_at AS "updatedAt", p.published_at AS "publishedAt", p.taken_down_at AS "takenDownAt"`

export const projectTables = `projects p JOIN users o ON o.id = p.owner_id LEFT JOIN versions v ON v.id = p.current_version_id
  LEFT JOIN folders f ON f.id = p.folder_id`

/** Whether the folder `f` hides its projects from `user` (an id, or a column of one): to others, a private folder does not exist. */
export const hiddenFrom = (sql: SqlClient.SqlClient, user: string | Fragment) => sql`(f.sharing = 'private' AND f.created_by <> ${user}) IS TRUE`

export type ProjectRow = RowOf<Project>

export const projectOf = (row: ProjectRow): Project => ({
  id: row.id,
  workspaceId: row.workspaceId,
  owner: row.owner,
  folderId: row.folderId,
  slug: row.slug,
  title: row.title,
  titleGiven: row.titleGiven,
  servedTitle: row.servedTitle,
  servedTitleOwn: row.servedTitleOwn,
  visibility: row.visibility,
  password: row.password,
  commentsEnabled: row.commentsEnabled,
  htmlDisplayMode: row.htmlDisplayMode,
  commentAccess: row.commentAccess,
  commentAllowlistInherit: row.commentAllowlistInherit,
  indexable: row.indexable,
  expiresAt: instant(row.expiresAt),
  kind: row.kind,
  version: row.version,
  currentVersionId: row.currentVersionId,
  sizeBytes: row.sizeBytes,
  fileCount: row.fileCount,
  createdAt: DateTime.fromDateUnsafe(row.createdAt),
  updatedAt: DateTime.fromDateUnsafe(row.updatedAt),
  publishedAt: instant(row.publishedAt),
  takenDownAt: instant(row.takenDownAt),
  ...(row.excerpt !== undefined && { excerpt: row.excerpt }),
  ...(row.thumbnail !== undefined && { thumbnail: row.thumbnail }),
  ...(row.drawnAt !== undefined && { drawnAt: instant(row.drawnAt) })
})

export type ReachRow = ProjectRow & { readonly role: Role | null; readonly hidden: boolean }

/** With the project's versions as JSON written by PostgreSQL. */
export type DetailRow = ReachRow & { readonly versions: ReadonlyArray<Omit<Version, "createdAt"> & { readonly createdAt: string }> }

export const reachOf = (row: ReachRow): Reach => ({ project: projectOf(row), role: row.role, hidden: row.hidden })

export const detailOf = (row: DetailRow): Detail => ({
  ...reachOf(row),
  versions: row.versions.map((version) => ({ ...version, createdAt: DateTime.makeUnsafe(version.createdAt) }))
})

/** A project or none, and a workspace (as JSON written by PostgreSQL) or none. */
export type ClaimableRow = (ReachRow | { readonly id: null }) & {
  readonly freed: Freed | null
  readonly workspace: (Record<Moment, string | null> & Omit<MembershipRow, Moment> & { readonly commentAccess: CommentAccess }) | null
}

type Moment = "trialEndsAt" | "subscriptionEndsAt" | "createdAt"

const dateIn = (json: string | null): Date | null => json === null ? null : new Date(json)

export const claimableOf = ({ freed, workspace, ...row }: ClaimableRow): Claimable => ({
  reach: row.id === null ? Option.none() : Option.some(reachOf(row as ReachRow)),
  freed: Option.fromNullOr(freed),
  workspace: Option.map(Option.fromNullOr(workspace), ({ commentAccess, ...membership }) => ({
    ...membershipOf({
      ...membership,
      trialEndsAt: dateIn(membership.trialEndsAt),
      subscriptionEndsAt: dateIn(membership.subscriptionEndsAt),
      createdAt: new Date(membership.createdAt!)
    }),
    commentAccess
  }))
})
