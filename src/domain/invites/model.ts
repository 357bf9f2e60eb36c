/** Invites (SPEC §2, CONTRACT §5). Whether one still works is derived, never stored. */
import { DateTime, Schema } from "effect"
import { UserId } from "../accounts/model.ts"
import { isId } from "../ids.ts"
import { Role, WorkspaceId } from "../workspaces/model.ts"

export const InviteId = Schema.String.check(isId).pipe(Schema.brand("InviteId"))
export type InviteId = typeof InviteId.Type

export const Invite = Schema.Struct({
  id: InviteId,
  workspaceId: WorkspaceId,
  /** In normal form. */
  email: Schema.String,
  role: Role,
  /** Whether accepting it makes the guest an owner of the workspace; only platform administrators create such invites. */
  grantsOwnership: Schema.Boolean,
  /** Null once that account is erased. */
  invitedBy: Schema.NullOr(UserId),
  createdAt: Schema.DateTimeUtcFromDate,
  expiresAt: Schema.DateTimeUtcFromDate,
  acceptedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type Invite = typeof Invite.Type

export const InviteState = Schema.Literals(["pending", "expired", "accepted"])
export type InviteState = typeof InviteState.Type

export const stateOf = (invite: Pick<Invite, "acceptedAt" | "expiresAt">, now: DateTime.Utc): InviteState =>
  invite.acceptedAt !== null ? "accepted" : DateTime.isLessThan(now, invite.expiresAt) ? "pending" : "expired"

/** As admins see it. */
export const ListedInvite = Schema.Struct({
  ...Invite.fields,
  inviter: Schema.NullOr(Schema.Struct({ id: UserId, name: Schema.String }))
})
export type ListedInvite = typeof ListedInvite.Type

/** An invite as it is shown to whoever holds its link. */
export const Invitation = Schema.Struct({
  email: Schema.String,
  role: Role,
  workspace: Schema.String,
  inviter: Schema.NullOr(Schema.String),
  expiresAt: Schema.DateTimeUtcFromDate
})
export type Invitation = typeof Invitation.Type

/** What is sent to accept an invite. */
export interface Acceptance {
  readonly token: string
  /** For a new account; an existing account keeps its name and password. */
  readonly name: string | undefined
  readonly password: string | undefined
}
