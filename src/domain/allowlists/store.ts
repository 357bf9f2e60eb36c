/** What the allowlist programs need remembered. Implemented by services/database/allowlists.ts. */
import { Context } from "effect"
import type { DateTime, Effect } from "effect"
import type { Level, LevelChanges, LevelPlace } from "./model.ts"

export class AllowlistStore extends Context.Service<AllowlistStore, {
  /** The level itself first, then those above it; never empty while the workspace exists. */
  readonly levels: (place: LevelPlace) => Effect.Effect<ReadonlyArray<Level>>
  /** Absent fields stay as they are. */
  readonly change: (place: LevelPlace, changes: LevelChanges, now: DateTime.Utc) => Effect.Effect<void>
}>()("svc/domain/allowlists/AllowlistStore") {}
