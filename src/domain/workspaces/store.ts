/** What the programs need to know of workspaces. Implemented by services/database/workspaces.ts. */
import { Context } from "effect"
import type { Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Membership, Workspace, WorkspaceId } from "./model.ts"

export class WorkspaceStore extends Context.Service<WorkspaceStore, {
  /** The caller's home first, then by when they joined. */
  readonly memberships: (userId: UserId) => Effect.Effect<ReadonlyArray<Membership>>
  /** Locks the row until the transaction ends: caps are checked behind it. */
  readonly lock: (id: WorkspaceId) => Effect.Effect<Option.Option<Workspace>>
  /** Members and pending invites. */
  readonly seatsTaken: (id: WorkspaceId) => Effect.Effect<number>
}>()("svc/domain/workspaces/WorkspaceStore") {}
