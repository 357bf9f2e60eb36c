/** Projects and their versions (SPEC §2, CONTRACT §8). */
import type { DateTime } from "effect"
import { Schema } from "effect"
import { FolderId } from "../folders/model.ts"
import { isId } from "../ids.ts"
import { ThumbnailSize } from "../thumbnails/model.ts"
import { WorkspaceId } from "../workspaces/model.ts"

export const ProjectId = Schema.String.check(isId).pipe(Schema.brand("ProjectId"))
export type ProjectId = typeof ProjectId.Type

export const VersionId = Schema.String.check(isId).pipe(Schema.brand("VersionId"))
export type VersionId = typeof VersionId.Type

/** From 1, each project's own. */
export const VersionNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 }, { message: "The number of a version." }))

export const Kind = Schema.Literals(["site", "pdf", "markdown", "text", "image", "video", "data"])
export type Kind = typeof Kind.Type

/** In one project. */
export const MAX_FILES = 10_000

export const Visibility = Schema.Literals(["public", "password", "private"])
export type Visibility = typeof Visibility.Type

export const HtmlDisplayMode = Schema.Literals(["auto", "framed", "raw"])
export type HtmlDisplayMode = typeof HtmlDisplayMode.Type

export const CommentAccess = Schema.Literals(["members", "allowlist", "anyone"])
export type CommentAccess = typeof CommentAccess.Type

export const Project = Schema.Struct({
  id: ProjectId,
  workspaceId: WorkspaceId,
  owner: Schema.Struct({ id: Schema.String, name: Schema.String }),
  folderId: Schema.NullOr(FolderId),
  slug: Schema.String,
  title: Schema.String,
  /** Whether somebody gave it; until then it is how the version being served is called, else the slug. */
  titleGiven: Schema.Boolean,
  /** How the version being served is called while nobody gives a title; null if nothing says, or if it is not known. */
  servedTitle: Schema.NullOr(Schema.String),
  /** Whether a document says so, and not only its file's name. */
  servedTitleOwn: Schema.Boolean,
  visibility: Visibility,
  /** The doorcode; stored readable, for the owner (SPEC §2). */
  password: Schema.NullOr(Schema.String),
  commentsEnabled: Schema.Boolean,
  htmlDisplayMode: HtmlDisplayMode,
  commentAccess: CommentAccess,
  commentAllowlistInherit: Schema.Boolean,
  indexable: Schema.Boolean,
  expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** The kind of the version being served; a project that was never published has version 0 and no kind. */
  kind: Schema.NullOr(Kind),
  version: Schema.Int,
  currentVersionId: Schema.NullOr(VersionId),
  sizeBytes: Schema.Number,
  fileCount: Schema.Int,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate,
  publishedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** When the service's operator took it down; null while it is not. */
  takenDownAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** How the version being served begins, in plain words; present only if it was asked for. */
  excerpt: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Present with the excerpt, as is when the version was last drawn, whatever came of it. */
  thumbnail: Schema.optionalKey(Schema.NullOr(ThumbnailSize)),
  drawnAt: Schema.optionalKey(Schema.NullOr(Schema.DateTimeUtcFromDate))
})
export type Project = typeof Project.Type

export const Version = Schema.Struct({
  id: VersionId,
  version: Schema.Int,
  kind: Kind,
  sizeBytes: Schema.Number,
  fileCount: Schema.Int,
  createdAt: Schema.DateTimeUtcFromDate,
  createdBy: Schema.Struct({ id: Schema.String, name: Schema.String }),
  current: Schema.Boolean
})
export type Version = typeof Version.Type

/** A version that is still stored, without its manifest. */
export const StoredVersion = Schema.Struct({
  id: VersionId,
  kind: Kind,
  /** The path that `/` answers. */
  entry: Schema.String,
  /** How it is called while nobody gives a title; null also for versions of before that was kept. */
  title: Schema.NullOr(Schema.String),
  /** Whether a document says so, and not only its file's name. */
  titleOwn: Schema.Boolean,
  createdAt: Schema.DateTimeUtcFromDate
})
export type StoredVersion = typeof StoredVersion.Type

/** Settings that a publish may change; absent ones stay as they are. */
export interface PublishSettings {
  readonly title?: string | undefined
  readonly visibility?: Visibility | undefined
  readonly password?: string | undefined
  readonly folderId?: FolderId | undefined
  /** When it ends, in one of two ways. */
  readonly expiresAt?: DateTime.Utc | undefined
  readonly expiresInDays?: number | undefined
  readonly commentsEnabled?: boolean | undefined
  readonly commentAccess?: CommentAccess | undefined
  readonly commentAllowlistInherit?: boolean | undefined
  readonly htmlDisplayMode?: HtmlDisplayMode | undefined
  readonly indexable?: boolean | undefined
}

/** With each setting named, so that one that is new is forgotten at no door. */
export type Every<Settings> = { readonly [Name in keyof Required<Settings>]: Settings[Name] }

/** What PATCH may change; null clears, and hands a title back to what is served. */
export interface ChangesAsked extends Omit<ProjectChanges, "title" | "titleGiven"> {
  readonly title?: string | null | undefined
}

/** What is stored of it. */
export interface ProjectChanges {
  readonly slug?: string | undefined
  readonly title?: string | undefined
  readonly titleGiven?: boolean | undefined
  readonly visibility?: Visibility | undefined
  readonly password?: string | null | undefined
  readonly commentsEnabled?: boolean | undefined
  readonly commentAccess?: CommentAccess | undefined
  readonly commentAllowlistInherit?: boolean | undefined
  readonly htmlDisplayMode?: HtmlDisplayMode | undefined
  readonly indexable?: boolean | undefined
  readonly expiresAt?: DateTime.Utc | null | undefined
  readonly folderId?: FolderId | null | undefined
}
