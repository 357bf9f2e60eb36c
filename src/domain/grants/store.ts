/** What the grant programs look up in other slices' facts. Implemented by services/database/grants.ts. */
import { Context } from "effect"
import type { DateTime, Effect } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Grant } from "./model.ts"

export class GrantStore extends Context.Service<GrantStore, {
  /** Those that still open something, newest first. */
  readonly list: (userId: UserId, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Grant>>
  /** False when there is none of that id among the user's. */
  readonly revoke: (userId: UserId, id: string, now: DateTime.Utc) => Effect.Effect<boolean>
}>()("svc/domain/grants/GrantStore") {}
