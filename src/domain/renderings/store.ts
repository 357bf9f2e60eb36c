/** Renderings that are kept. Implemented by services/database/renderings.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { Rendered } from "../ports/renderer.ts"
import type { VersionId } from "../projects/model.ts"

export class RenderingStore extends Context.Service<RenderingStore, {
  /** None where there is none of this edition of the renderer, or a later one, or its time is up. */
  readonly find: (version: VersionId, edition: number, now: DateTime.Utc) => Effect.Effect<Option.Option<Rendered>>
  /**
   * Keeps it, for good where `until` is null, unless another process was faster: then what that one made is answered. What
   * is kept for a while makes way for what is kept for good. A version that is gone keeps nothing.
   */
  readonly keep: (
    version: VersionId,
    edition: number,
    rendered: Rendered,
    when: { readonly now: DateTime.Utc; readonly until: DateTime.Utc | null }
  ) => Effect.Effect<Rendered>
}>()("svc/domain/renderings/RenderingStore") {}
