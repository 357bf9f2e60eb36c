/** The invite's life as plain decisions (SPEC §3, §8; CONTRACT §5): facts and `now` in, verdict out. */
import { DateTime, Result } from "effect"
import { AccountExists, Conflict, InvalidToken, QuotaExceeded } from "../failures.ts"
import type { UserId } from "../accounts/model.ts"
import { stateOf } from "./model.ts"
import type { Invite } from "./model.ts"

export const LIFETIME = { days: 7 } as const

/** What an invite is made from. */
export type Draft = Pick<Invite, "id" | "workspaceId" | "email" | "role" | "grantsOwnership" | "invitedBy">

export interface Seats {
  readonly cap: number
  /** Members and pending invites, the one that would be replaced among them. */
  readonly taken: number
}

/** Unknown, used and expired: one refusal. */
export const refusedToken = () => new InvalidToken({ message: "This invitation is no longer valid. Ask for a new one.", field: "token" })

/** The guest has an account: only its owner, signed in, may join with it. */
export const accountExists = () =>
  new AccountExists({ message: "This address has an account already. Sign in to it, then accept the invitation." })

/** `live`: the invite of this address that nobody accepted. It is replaced, so a seat that it holds is free. */
export const create = (
  draft: Draft,
  live: Invite | undefined,
  seats: Seats,
  now: DateTime.Utc
): Result.Result<Invite, Conflict | QuotaExceeded> => {
  const outstanding = live !== undefined && stateOf(live, now) === "pending"
  if (outstanding && live.grantsOwnership) {
    return Result.fail(new Conflict({ message: "An invitation for this address is outstanding.", field: "email" }))
  }
  if (seats.taken - (outstanding ? 1 : 0) >= seats.cap) {
    return Result.fail(new QuotaExceeded({ message: "No seat is left on this plan.", details: { quota: "seats", limit: seats.cap } }))
  }
  return Result.succeed({ ...draft, createdAt: now, expiresAt: DateTime.add(now, LIFETIME), acceptedAt: null })
}

/** What the link opens: a new account, or the membership of whoever is signed in as its address's owner. */
export const accept = (
  found: { readonly invite: Invite; readonly owner: UserId | null } | undefined,
  signedIn: UserId | undefined,
  now: DateTime.Utc
): Result.Result<"new" | "joins", InvalidToken | AccountExists> => {
  if (found === undefined || stateOf(found.invite, now) !== "pending") return Result.fail(refusedToken())
  if (found.owner === null) return Result.succeed("new")
  return found.owner === signedIn ? Result.succeed("joins") : Result.fail(accountExists())
}

/** An owner is an admin. */
export const membership = (invite: Pick<Invite, "workspaceId" | "role" | "grantsOwnership">) => ({
  workspaceId: invite.workspaceId,
  role: invite.grantsOwnership ? "admin" as const : invite.role,
  isOwner: invite.grantsOwnership
})
