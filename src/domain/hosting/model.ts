/** What the content plane knows of a project: the facts that decide who may open it, and where its bytes are. */
import type { DateTime } from "effect"
import { Schema } from "effect"
import type { HtmlDisplayMode, Kind, ProjectId, VersionId, Visibility } from "../projects/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"

/** One file of a version: a range of a pack. */
export const Asset = Schema.Struct({
  pack: Schema.String,
  offset: Schema.Int,
  length: Schema.Int,
  /** SHA-256, lower-case hex. */
  hash: Schema.String,
  /** The whole Content-Type, charset included. */
  type: Schema.String
})
export type Asset = typeof Asset.Type

/** A version's files by path (no leading slash). Never changes once written. */
export const Manifest = Schema.Record(Schema.String, Asset)
export type Manifest = typeof Manifest.Type

/** A project at its address, as the database knows it now. */
export interface Site {
  readonly projectId: ProjectId
  readonly workspaceId: WorkspaceId
  readonly slug: string
  readonly title: string
  readonly visibility: Visibility
  readonly indexable: boolean
  readonly htmlDisplayMode: HtmlDisplayMode
  readonly commentsEnabled: boolean
  readonly expiresAt: DateTime.Utc | null
  readonly trialEndsAt: DateTime.Utc | null
  /** Whether another project held this address before: its pages may still sit in a browser's cache. */
  readonly succeeds: boolean
  /** What is served; null where nothing was ever published. */
  readonly version: {
    readonly id: VersionId
    readonly number: number
    readonly kind: Kind
    /** The path that `/` answers: `index.html` of a site, the one file of every other kind. */
    readonly entry: string
  } | null
}
