/** The persistence port of thumbnails. Implemented by services/database/thumbnails.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { Drawing } from "../ports/thumbnailer.ts"
import type { ProjectId, VersionId } from "../projects/model.ts"

export interface StoredThumbnail {
  readonly versionId: VersionId
  readonly image: Uint8Array
}

export class ThumbnailStore extends Context.Service<ThumbnailStore, {
  /** By the number of the version. None if there is no such version, or no thumbnail of it. */
  readonly find: (project: ProjectId, version: number) => Effect.Effect<Option.Option<StoredThumbnail>>
  /** The first thumbnail stays; in place of `none` comes what comes later. Nothing is stored for a version that was deleted. */
  readonly keep: (version: VersionId, drawn: Drawing | "none", now: DateTime.Utc) => Effect.Effect<void>
}>()("svc/domain/thumbnails/ThumbnailStore") {}
