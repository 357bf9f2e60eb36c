/** The persistence port of thumbnails. Implemented by services/database/thumbnails.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { As } from "../hosting/raw-files.ts"
import type { Drawing } from "../ports/thumbnailer.ts"
import type { ProjectId, VersionId } from "../projects/model.ts"
import type { Drawn } from "./rules.ts"

export interface StoredThumbnail {
  readonly versionId: VersionId
  readonly image: Uint8Array
}

export class ThumbnailStore extends Context.Service<ThumbnailStore, {
  /** By the number of the version. None if there is no such version, or no thumbnail of it. */
  readonly find: (project: ProjectId, version: number) => Effect.Effect<Option.Option<StoredThumbnail>>
  /** None if it was never drawn. */
  readonly drawn: (version: VersionId, as: As) => Effect.Effect<Option.Option<Drawn>>
  /** The first drawing stays; in place of `none`, and of one that is not whole, comes what comes later. Nothing is stored for a version that was deleted. */
  readonly keep: (version: VersionId, drawn: Drawing | "none", now: DateTime.Utc) => Effect.Effect<void>
}>()("svc/domain/thumbnails/ThumbnailStore") {}
