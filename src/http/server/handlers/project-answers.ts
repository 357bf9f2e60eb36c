/**
 * The two most requested answers, encoded field by field: the schema, which renames and converts each value, takes many
 * times as long. Their types and a test keep them equal to what it says.
 */
import { DateTime } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Project, Version } from "../../../domain/projects/model.ts"
import type { ProjectDetail, ProjectList } from "../../contract/project-views.ts"

type Addressed = Project & { readonly url: string }

const time = (at: DateTime.Utc | null): string | null => at === null ? null : DateTime.formatIso(at)

const projectOf = (project: Addressed): (typeof ProjectList.Encoded)["projects"][number] => ({
  id: project.id,
  slug: project.slug,
  url: project.url,
  title: project.title,
  kind: project.kind,
  version: project.version,
  visibility: project.visibility,
  password: project.password,
  comments_enabled: project.commentsEnabled,
  html_display_mode: project.htmlDisplayMode,
  comment_access: project.commentAccess,
  comment_allowlist_inherit: project.commentAllowlistInherit,
  indexable: project.indexable,
  expires_at: time(project.expiresAt),
  folder_id: project.folderId,
  workspace_id: project.workspaceId,
  owner: { id: project.owner.id, name: project.owner.name },
  size_bytes: project.sizeBytes,
  file_count: project.fileCount,
  created_at: DateTime.formatIso(project.createdAt),
  updated_at: DateTime.formatIso(project.updatedAt),
  published_at: time(project.publishedAt),
  taken_down_at: time(project.takenDownAt),
  ...(project.excerpt !== undefined && { excerpt: project.excerpt }),
  ...(project.thumbnail !== undefined && { thumbnail: project.thumbnail })
})

const versionOf = (version: Version): (typeof ProjectDetail.Encoded)["versions"][number] => ({
  version: version.version,
  kind: version.kind,
  size_bytes: version.sizeBytes,
  file_count: version.fileCount,
  created_at: DateTime.formatIso(version.createdAt),
  created_by: { id: version.createdBy.id, name: version.createdBy.name },
  current: version.current
})

export const detailOnWire = ({ versions, ...project }: Addressed & { readonly versions: ReadonlyArray<Version> }): typeof ProjectDetail.Encoded => ({
  ...projectOf(project),
  versions: versions.map(versionOf)
})

export interface Listed {
  readonly projects: ReadonlyArray<Addressed>
  readonly usage: { readonly projects: number; readonly storageBytes: number; readonly seats: number }
  readonly nextCursor: string | null
}

export const listOnWire = ({ nextCursor, projects, usage }: Listed): typeof ProjectList.Encoded => ({
  projects: projects.map(projectOf),
  usage: { projects: usage.projects, storage_bytes: usage.storageBytes, seats: usage.seats },
  next_cursor: nextCursor
})

export const answered = (body: typeof ProjectDetail.Encoded | typeof ProjectList.Encoded) => HttpServerResponse.jsonUnsafe(body)
