/** Reads and revokes grants in the tables of other slices. Implemented by services/database/grants.ts. */
import { Context } from "effect"
import type { DateTime, Effect } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Grant } from "./model.ts"

export class GrantStore extends Context.Service<GrantStore, {
  /** Grants that still work, newest first. An approved device that has not fetched its token yet is included: it still can. */
  readonly list: (userId: UserId, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Grant>>
  /** False if the user has no grant of this id. A device that became a token is also found by the id of its grant. */
  readonly revoke: (userId: UserId, id: string, now: DateTime.Utc) => Effect.Effect<boolean>
}>()("svc/domain/grants/GrantStore") {}
