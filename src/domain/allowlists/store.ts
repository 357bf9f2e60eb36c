/** What the allowlist programs need remembered. Implemented by services/database/allowlists.ts. */
import { Context } from "effect"
import type { DateTime, Effect } from "effect"
import type { ProjectId } from "../projects/model.ts"
import type { Level, LevelChanges, LevelPlace } from "./model.ts"

export class AllowlistStore extends Context.Service<AllowlistStore, {
  /** The level itself first, then those above it; never empty while the workspace exists. */
  readonly levels: (place: LevelPlace) => Effect.Effect<ReadonlyArray<Level>>
  /** Absent fields stay as they are. */
  readonly change: (place: LevelPlace, changes: LevelChanges, now: DateTime.Utc) => Effect.Effect<void>
  /** Whether a project’s list, its own or what it inherits, holds an address in normal form. */
  readonly lists: (projectId: ProjectId, email: string) => Effect.Effect<boolean>
}>()("svc/domain/allowlists/AllowlistStore") {}
