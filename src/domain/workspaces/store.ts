/** The persistence port of workspaces. Implemented by services/database/workspaces.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Member, Membership, Plan, Role, Workspace, WorkspaceId } from "./model.ts"

export interface NewMembership {
  readonly workspaceId: WorkspaceId
  readonly role: Role
  readonly isOwner: boolean
}

/** A workspace beside the home workspace that signup creates. */
export interface NewWorkspace {
  readonly id: WorkspaceId
  readonly name: string
  readonly plan: Plan
  readonly needsCharge: boolean
}

export class WorkspaceStore extends Context.Service<WorkspaceStore, {
  /** The user's home workspace first, then in the order they joined. */
  readonly memberships: (userId: UserId) => Effect.Effect<ReadonlyArray<Membership>>
  /** The membership asked for, or the first one, with the seats taken: members and pending invites; a member who is also invited counts once. */
  readonly membership: (
    userId: UserId,
    id: WorkspaceId | undefined,
    now: DateTime.Utc
  ) => Effect.Effect<Option.Option<Membership & { readonly seats: number }>>
  /** Locks the workspace's row until the transaction ends; caps are checked behind this lock. */
  readonly lock: (id: WorkspaceId) => Effect.Effect<Option.Option<Workspace>>
  /** Members and pending invites. */
  readonly seatsTaken: (id: WorkspaceId, now: DateTime.Utc) => Effect.Effect<number>
  /** Adds a member, or changes the role of one. An owner stays one, also one who is no admin for now. */
  readonly join: (userId: UserId, membership: NewMembership, now: DateTime.Utc) => Effect.Effect<void>
  /**
   * How many workspaces a user created; locks the account until the transaction ends, so that parallel creates are counted. None
   * once the account is scheduled for erasure: a workspace created then would never be erased with it.
   */
  readonly madeBy: (userId: UserId) => Effect.Effect<Option.Option<number>>
  /** Creates a workspace without a trial, with its one member. */
  readonly create: (workspace: NewWorkspace, madeBy: UserId, now: DateTime.Utc) => Effect.Effect<void>
  readonly rename: (id: WorkspaceId, name: string) => Effect.Effect<void>
  /** In the order they joined. */
  readonly members: (id: WorkspaceId) => Effect.Effect<ReadonlyArray<Member>>
  readonly member: (id: WorkspaceId, userId: UserId) => Effect.Effect<Option.Option<Member>>
  /** The member who has this address (in normal form). */
  readonly memberBy: (id: WorkspaceId, email: string) => Effect.Effect<Option.Option<Member>>
  /** How many other admins it has, not counting accounts that are scheduled for erasure. */
  readonly adminsBeside: (id: WorkspaceId, userId: UserId) => Effect.Effect<number>
  /** Sets the role and returns whether the member is an owner now: only admins are, and a former owner who becomes admin again is one again. */
  readonly setRole: (id: WorkspaceId, userId: UserId, role: Role) => Effect.Effect<boolean>
  /** Removes a member. Their projects stay; their private folders become team folders. Returns the ids of these folders. */
  readonly leave: (id: WorkspaceId, userId: UserId, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<string>>
}>()("svc/domain/workspaces/WorkspaceStore") {}
