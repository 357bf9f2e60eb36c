/** The persistence port of invites. Implemented by services/database/invites.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { Invitation, Invite, InviteId, ListedInvite } from "./model.ts"

export class InviteStore extends Context.Service<InviteStore, {
  readonly add: (invite: Invite, tokenHash: string) => Effect.Effect<void>
  /** The invite of a link, whatever its state, and the account that has its address: read in one statement. */
  readonly byToken: (tokenHash: string) => Effect.Effect<Option.Option<{ readonly invite: Invite; readonly owner: UserId | null }>>
  /** The invite as whoever holds its link sees it. */
  readonly shown: (tokenHash: string) => Effect.Effect<Option.Option<Invitation>>
  /** Oldest first. */
  readonly pendingFor: (email: string, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Invite>>
  /** One conditional UPDATE: of any number of tries, one gets the invite. */
  readonly consume: (tokenHash: string, now: DateTime.Utc) => Effect.Effect<Option.Option<Invite>>
  /** Newest first, without invites that grant ownership. */
  readonly list: (workspaceId: WorkspaceId) => Effect.Effect<ReadonlyArray<ListedInvite>>
  readonly find: (workspaceId: WorkspaceId, id: InviteId) => Effect.Effect<Option.Option<Invite>>
  /** The address's unaccepted invite, expired or not. */
  readonly live: (workspaceId: WorkspaceId, email: string) => Effect.Effect<Option.Option<Invite>>
  readonly remove: (id: InviteId) => Effect.Effect<void>
  /** Deletes those that expired before then, accepted or not, the oldest first; how many. */
  readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  /** Accepts every pending invite of an address to these workspaces; of parallel calls, each invite goes to one. */
  readonly consumeAll: (email: string, workspaces: ReadonlyArray<WorkspaceId>, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Invite>>
}>()("svc/domain/invites/InviteStore") {}
