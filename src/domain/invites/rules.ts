/** The rules of an invite's life (SPEC §3, §8; CONTRACT §5): facts and `now` in, verdict out. */
import { DateTime, Result } from "effect"
import { AccountExists, Conflict, type Invalid, invalid, InvalidToken, NotFound, QuotaExceeded, RateLimited } from "../failures.ts"
import type { User, UserId } from "../accounts/model.ts"
import { liftedAt, orLarger } from "../billing/rules.ts"
import type { Limit } from "../ports/rate-limits.ts"
import { dayText, waitText } from "../words.ts"
import type { Member } from "../workspaces/model.ts"
import { stateOf } from "./model.ts"
import type { Invite } from "./model.ts"

export const LIFETIME = { days: 7 } as const

/** How long admins see an invitation after it expired, accepted or not. It holds the address of somebody who may have no account. */
export const KEPT = { days: 30 } as const

/** Invitation mails of a workspace: without a limit it could mail any number of strangers. */
export const MAILS: Limit = { name: "invites.mails", limit: 300, window: "1 hour" }

/** Invitation mails of a workspace to one address: room for an invitation that is corrected and sent again. */
export const MAILS_TO_ONE: Limit = { name: "invites.mails.workspace-address", limit: 5, window: "1 hour" }

/**
 * Invitation mails to one address, from all workspaces together: anybody may make an account that invites a stranger. Several times
 * what one workspace has, so that no other workspace keeps it from inviting.
 */
export const MAILS_FROM_ALL: Limit = { name: "invites.mails.address", limit: 20, window: "1 hour" }

/** `live` as in `create`: what was mailed before is not taken back by this refusal. */
export const invitedOften = (live: Invite | undefined, now: DateTime.Utc) => ({ details }: RateLimited) => {
  const wait = waitText(Number(details["retry_after_seconds"]))
  const then = live !== undefined && stateOf(live, now) === "pending"
    ? `The link in the newest mail works. To send another, wait ${wait}.`
    : `Wait ${wait}, then try again.`
  return new RateLimited({ message: `This address was invited often within the hour. ${then}`, field: "email", details })
}

/** An invite to be created. */
export type Draft = Pick<Invite, "id" | "workspaceId" | "email" | "role" | "grantsOwnership" | "invitedBy">

export interface Seats {
  readonly cap: number
  /** Members and pending invites, including an invite that would be replaced. */
  readonly taken: number
  /** Where another plan is chosen; undefined where none is sold. */
  readonly planPage?: string | undefined
}

/** The same refusal for an unknown, a used and an expired token. */
export const refusedInvite = () => new InvalidToken({ message: "This invitation is no longer valid. Ask for a new one.", field: "token" })

/** The address has an account: only its owner, signed in, may accept. */
export const accountExists = () =>
  new AccountExists({ message: "This address has an account already. Sign in to it, then accept the invitation." })

/** Nobody can sign in to it. Told only to whoever holds the link, which proves the address. */
export const toBeErased = (eraseOn: DateTime.Utc) =>
  new AccountExists({
    message: `This address has an account that was deleted. Until ${dayText(DateTime.toDateUtc(eraseOn))} whoever runs this service can bring it back; from then on you can be invited as somebody new.`,
    details: { erase_on: DateTime.formatIso(eraseOn) }
  })

/** The same refusal for a missing invite, an accepted one, and one that grants ownership, which admins neither see nor manage. */
const noSuchInvite = () => new NotFound({ message: "There is no such invitation. It may have been accepted, or taken back.", field: "invite_id" })

/** Nobody could open the workspace, so the mail would promise what does not work. */
export const goes = () => new Conflict({ message: "This workspace is to be erased. Restore it first.", field: "workspace" })

/**
 * `live`: the address's unaccepted invite. It is replaced, and a pending one hands on its seat, even if the plan now has fewer.
 * `member`: the member who has this address, if any. A member may still be invited to become an owner. An owner needs no free seat:
 * where the one who is lost has the only one, nobody could make room.
 */
export const create = (
  draft: Draft,
  { live, member }: { readonly live: Invite | undefined; readonly member: Pick<Member, "isOwner"> | undefined },
  seats: Seats,
  now: DateTime.Utc
): Result.Result<Invite, Invalid | Conflict | QuotaExceeded> => {
  if (member !== undefined && (member.isOwner || !draft.grantsOwnership)) {
    return Result.fail(invalid({ field: "email", message: draft.grantsOwnership ? "This address belongs to an owner already." : "This address belongs to a member already." }))
  }
  const outstanding = live !== undefined && stateOf(live, now) === "pending"
  // The platform administrator who made it may send another, whose link alone works then: the mail may be lost.
  if (outstanding && live.grantsOwnership && !draft.grantsOwnership) {
    return Result.fail(new Conflict({ message: "Whoever runs the service has invited this address already: it joins by the link in that mail.", field: "email" }))
  }
  if (member === undefined && !outstanding && !draft.grantsOwnership && seats.taken >= seats.cap) {
    return Result.fail(new QuotaExceeded({
      message: `The plan holds ${seats.cap === 1 ? "1 person" : `${seats.cap} people`}, invited ones among them. Remove somebody or take an invitation back${orLarger(seats.planPage)}.`,
      field: "members",
      details: { limit: seats.cap, ...liftedAt(seats.planPage) }
    }))
  }
  return Result.succeed({ ...draft, createdAt: now, expiresAt: DateTime.add(now, LIFETIME), acceptedAt: null })
}

/** The invite, if an admin may resend or cancel it. */
export const handle = (invite: Invite | undefined): Result.Result<Invite, NotFound> =>
  invite === undefined || invite.acceptedAt !== null || invite.grantsOwnership ? Result.fail(noSuchInvite()) : Result.succeed(invite)

/** What accepting does: it creates an account, or adds a membership to the signed-in owner of the address. */
export type Entry<Visitor> =
  | { readonly _tag: "New"; readonly invite: Invite }
  | { readonly _tag: "Joins"; readonly invite: Invite; readonly visitor: Visitor }

export const accept = <Visitor extends { readonly user: Pick<User, "id"> }>(
  found: { readonly invite: Invite; readonly owner: UserId | null } | undefined,
  visitor: Visitor | undefined,
  now: DateTime.Utc
): Result.Result<Entry<Visitor>, InvalidToken | AccountExists> => {
  if (found === undefined || stateOf(found.invite, now) !== "pending") return Result.fail(refusedInvite())
  const { invite, owner } = found
  if (owner === null) return Result.succeed({ _tag: "New", invite })
  return visitor?.user.id === owner ? Result.succeed({ _tag: "Joins", invite, visitor }) : Result.fail(accountExists())
}

/** An owner is an admin. */
export const membership = (invite: Pick<Invite, "workspaceId" | "role" | "grantsOwnership">) => ({
  workspaceId: invite.workspaceId,
  role: invite.grantsOwnership ? "admin" as const : invite.role,
  isOwner: invite.grantsOwnership
})
