/** What the programs need to know of workspaces. Implemented by services/database/workspaces.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Membership, Role, Workspace, WorkspaceId } from "./model.ts"

export interface NewMembership {
  readonly workspaceId: WorkspaceId
  readonly role: Role
  readonly isOwner: boolean
}

export class WorkspaceStore extends Context.Service<WorkspaceStore, {
  /** The caller's home first, then by when they joined. */
  readonly memberships: (userId: UserId) => Effect.Effect<ReadonlyArray<Membership>>
  /** Locks the row until the transaction ends: caps are checked behind it. */
  readonly lock: (id: WorkspaceId) => Effect.Effect<Option.Option<Workspace>>
  /** Members and pending invites. */
  readonly seatsTaken: (id: WorkspaceId, now: DateTime.Utc) => Effect.Effect<number>
  /** Makes a member; who is one already gains what the new membership holds and loses nothing. */
  readonly join: (userId: UserId, membership: NewMembership, now: DateTime.Utc) => Effect.Effect<void>
}>()("svc/domain/workspaces/WorkspaceStore") {}
