/** What the grant programs look up in other slices' facts. Implemented by services/database/grants.ts. */
import { Context } from "effect"
import type { DateTime, Effect } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Grant } from "./model.ts"

export class GrantStore extends Context.Service<GrantStore, {
  /** Those that still open something, newest first. A device that has not fetched its token is among them: it still can. */
  readonly list: (userId: UserId, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Grant>>
  /** False when there is none of that id among the user's. A device keeps its first id for this when it becomes a token. */
  readonly revoke: (userId: UserId, id: string, now: DateTime.Utc) => Effect.Effect<boolean>
}>()("svc/domain/grants/GrantStore") {}
