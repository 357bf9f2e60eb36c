/** What the programs need to know of workspaces. Implemented by services/database/workspaces.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Member, Membership, Plan, Role, Workspace, WorkspaceId } from "./model.ts"

export interface NewMembership {
  readonly workspaceId: WorkspaceId
  readonly role: Role
  readonly isOwner: boolean
}

/** One beside the home that came with signup. */
export interface NewWorkspace {
  readonly id: WorkspaceId
  readonly name: string
  readonly plan: Plan
}

export class WorkspaceStore extends Context.Service<WorkspaceStore, {
  /** The caller's home first, then by when they joined. */
  readonly memberships: (userId: UserId) => Effect.Effect<ReadonlyArray<Membership>>
  /** The one asked for, or the first of them, with the seats taken there: members and pending invites, whoever is both once. */
  readonly membership: (
    userId: UserId,
    id: WorkspaceId | undefined,
    now: DateTime.Utc
  ) => Effect.Effect<Option.Option<Membership & { readonly seats: number }>>
  /** Locks the row until the transaction ends: caps are checked behind it. */
  readonly lock: (id: WorkspaceId) => Effect.Effect<Option.Option<Workspace>>
  /** Members and pending invites. */
  readonly seatsTaken: (id: WorkspaceId, now: DateTime.Utc) => Effect.Effect<number>
  /** Makes a member; who is one already gains what the new membership holds and loses nothing. */
  readonly join: (userId: UserId, membership: NewMembership, now: DateTime.Utc) => Effect.Effect<void>
  /**
   * How many someone made; locks their account until the transaction ends, so that the next one counts this one. None
   * once the account is to be erased: what it made then would go with nobody.
   */
  readonly madeBy: (userId: UserId) => Effect.Effect<Option.Option<number>>
  /** Without a trial, and with its maker as the owner. */
  readonly create: (workspace: NewWorkspace, owner: UserId, now: DateTime.Utc) => Effect.Effect<void>
  readonly rename: (id: WorkspaceId, name: string) => Effect.Effect<void>
  /** In the order they joined. */
  readonly members: (id: WorkspaceId) => Effect.Effect<ReadonlyArray<Member>>
  readonly member: (id: WorkspaceId, userId: UserId) => Effect.Effect<Option.Option<Member>>
  /** Whose an address is, in normal form. */
  readonly memberBy: (id: WorkspaceId, email: string) => Effect.Effect<Option.Option<Member>>
  /** How many look after it beside this one; whose account is to be erased looks after nothing. */
  readonly adminsBeside: (id: WorkspaceId, userId: UserId) => Effect.Effect<number>
  /** Answers whether they own it now: only an admin does, and who owned it before does so again. */
  readonly setRole: (id: WorkspaceId, userId: UserId, role: Role) => Effect.Effect<boolean>
  /** Their projects stay; what only they could see, in their private folders, the team sees from now on: answers these folders. */
  readonly leave: (id: WorkspaceId, userId: UserId, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<string>>
}>()("svc/domain/workspaces/WorkspaceStore") {}
