/** Staged uploads: a file arrives in chunks, one call each, and is published once it is complete (CONTRACT §10). */
import { Schema } from "effect"
import { UserId } from "../accounts/model.ts"
import { ProjectId } from "../projects/model.ts"
import type { PublishSettings } from "../projects/model.ts"
import { WorkspaceId } from "../workspaces/model.ts"
import { isId } from "../ids.ts"

export const UploadId = Schema.String.check(isId).pipe(Schema.brand("UploadId"))
export type UploadId = typeof UploadId.Type

export const Upload = Schema.Struct({
  id: UploadId,
  userId: UserId,
  workspaceId: WorkspaceId,
  slug: Schema.String,
  /** The project that had the slug when it began; null where none did. */
  projectId: Schema.NullOr(ProjectId),
  fileName: Schema.NullOr(Schema.String),
  contentType: Schema.NullOr(Schema.String),
  /** The plan's limit for one upload when it began. */
  maxBytes: Schema.Number,
  /** What the complete file comes to, as announced when it began. */
  sizeBytes: Schema.NullOr(Schema.Number),
  createdAt: Schema.DateTimeUtcFromDate,
  /** When the last attempt to publish it began. */
  claimedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type Upload = typeof Upload.Type

export type OpenUpload = Pick<Upload, "createdAt" | "id" | "slug">

/** Where the bytes of a chunk are: each chunk is a pack of its own, so that any instance can assemble them. */
export interface Chunk {
  readonly index: number
  readonly pack: string
  readonly length: number
}

export interface UploadDraft {
  readonly slug: string
  readonly workspace?: WorkspaceId | undefined
  readonly fileName?: string | undefined
  readonly contentType?: string | undefined
  /** The size of the complete file, if it is known. */
  readonly sizeBytes?: number | undefined
  /** One of the caller's own that is given up for it. */
  readonly insteadOf?: UploadId | undefined
}

/** What the file becomes: the whole project or, with a path, one of its files. */
export interface UploadEnd {
  readonly path?: string | undefined
  /** Instead of what was said when it began. */
  readonly fileName?: string | undefined
  readonly contentType?: string | undefined
  readonly sizeBytes?: number | undefined
  /** The version that it is meant for. */
  readonly base?: number | undefined
  /** Whether it only ever replaces a project's content, which an admin may do in a colleague's. */
  readonly update?: boolean | undefined
  readonly settings?: PublishSettings
}
