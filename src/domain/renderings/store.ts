/** The persistence port of renderings. Implemented by services/database/renderings.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { Rendered } from "../ports/renderer.ts"
import type { VersionId } from "../projects/model.ts"

export class RenderingStore extends Context.Service<RenderingStore, {
  /** None if no rendering of this or a later edition of the renderer is stored, or it has expired. */
  readonly find: (version: VersionId, edition: number, now: DateTime.Utc) => Effect.Effect<Option.Option<Rendered>>
  /**
   * Stores a rendering until `until`, for ever if that is null, unless another process was faster: then returns that process's
   * rendering. A permanent rendering replaces a temporary one. Nothing is stored for a version that was deleted.
   */
  readonly keep: (
    version: VersionId,
    edition: number,
    rendered: Rendered,
    when: { readonly now: DateTime.Utc; readonly until: DateTime.Utc | null }
  ) => Effect.Effect<Rendered>
}>()("svc/domain/renderings/RenderingStore") {}
