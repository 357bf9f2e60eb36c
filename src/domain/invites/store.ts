/** What the invite programs need remembered. Implemented by services/database/invites.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Invite } from "./model.ts"

export class InviteStore extends Context.Service<InviteStore, {
  readonly add: (invite: Invite, tokenHash: string) => Effect.Effect<void>
  /** The invite of a link, whatever became of it, and whose account its address has: read in one moment. */
  readonly byToken: (tokenHash: string) => Effect.Effect<Option.Option<{ readonly invite: Invite; readonly owner: UserId | null }>>
  /** Oldest first. */
  readonly pendingFor: (email: string, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Invite>>
  /** One conditional UPDATE: of any number of tries, one gets the invite. */
  readonly consume: (tokenHash: string, now: DateTime.Utc) => Effect.Effect<Option.Option<Invite>>
  /** Every pending invite of an address, each to one caller alone. */
  readonly consumeAll: (email: string, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Invite>>
}>()("svc/domain/invites/InviteStore") {}
