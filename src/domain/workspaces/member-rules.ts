/** Who may do what to a workspace and its members (SPEC §4.4, CONTRACT §5): facts in, verdict out. */
import { Result } from "effect"
import { Conflict, Forbidden, NotFound } from "../failures.ts"
import type { Member, Role, WorkspaceId } from "./model.ts"
import type { NewMembership, NewWorkspace } from "./store.ts"

/** Workspaces that one account may create beside its home workspace. */
export const MAX_MADE = 20

type MemberFacts = Pick<Member, "isOwner" | "role" | "userId">

/** The same refusal for a missing workspace and one that the caller does not belong to. */
export const noSuchWorkspace = () => new NotFound({ message: "There is no such workspace.", field: "workspace" })

/** Of somebody who is not in the workspace that they asked for, or who asked for none and is in none. */
export const notIn = (asked: WorkspaceId | undefined) =>
  asked === undefined
    ? new NotFound({ message: "You are in no workspace. Make one in the app, or ask somebody to invite you.", details: { reason: "no_workspace" } })
    : noSuchWorkspace()

const noSuchMember = () => new NotFound({ message: "There is no such member.", field: "user_id" })

const notAdmin = () => new Forbidden({ message: "Only the admins of this workspace may do this." })

const ownersAlone = () => new Forbidden({ message: "Only an owner may change or remove an owner." })

const lastAdmin = () => new Conflict({ message: "A workspace needs an admin who can sign in, and this is its last. Make somebody else one first." })

export const create = (made: number): Result.Result<void, Conflict> =>
  made < MAX_MADE
    ? Result.succeed(undefined)
    : Result.fail(new Conflict({ message: `An account can create at most ${MAX_MADE} workspaces.`, details: { limit: MAX_MADE } }))

/** What whoever makes a workspace, by signing up or beside the first one, is in it. */
export const MAKER = { role: "admin", isOwner: true } as const satisfies Pick<NewMembership, "isOwner" | "role">

/** A workspace made beside the first one, which has no second trial (CONTRACT §5). */
export const made = (id: WorkspaceId, name: string): NewWorkspace => ({ id, name, plan: "starter", needsCharge: true })

/** What an invitation makes of somebody, who may be a member already: it never demotes. */
export const joined = (held: Pick<Member, "role"> | undefined, invited: NewMembership): NewMembership =>
  held?.role === "admin" ? { ...invited, role: "admin" } : invited

/** Members learn that they are not admins; strangers learn nothing. */
export const administer = (role: Role | undefined): Result.Result<void, NotFound | Forbidden> =>
  role === undefined ? Result.fail(noSuchWorkspace()) : role === "admin" ? Result.succeed(undefined) : Result.fail(notAdmin())

/** The member whose role changes, if it may. `others`: the number of other admins. */
export const changeRole = (
  caller: MemberFacts | undefined,
  member: Member | undefined,
  role: Role,
  others: number
): Result.Result<Member, NotFound | Forbidden | Conflict> => {
  const permitted = administer(caller?.role)
  if (Result.isFailure(permitted)) return Result.fail(permitted.failure)
  if (member === undefined) return Result.fail(noSuchMember())
  if (member.role === role) return Result.succeed(member)
  if (member.isOwner && !caller!.isOwner) return Result.fail(ownersAlone())
  if (member.role === "admin" && others < 1) return Result.fail(lastAdmin())
  return Result.succeed(member)
}

/** Anybody may leave and admins may remove others, but a workspace keeps at least one admin. */
export const remove = (
  caller: MemberFacts | undefined,
  member: Member | undefined,
  others: number
): Result.Result<"removed" | "left", NotFound | Forbidden | Conflict> => {
  if (caller === undefined) return Result.fail(noSuchWorkspace())
  const leaves = caller.userId === member?.userId
  if (!leaves && caller.role !== "admin") return Result.fail(notAdmin())
  if (member === undefined) return Result.fail(noSuchMember())
  if (member.isOwner && !caller.isOwner) return Result.fail(ownersAlone())
  if (member.role === "admin" && others < 1) return Result.fail(lastAdmin())
  return Result.succeed(leaves ? "left" : "removed")
}
