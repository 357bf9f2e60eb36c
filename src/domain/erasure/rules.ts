/** Deletion as plain decisions: what stands in its way, what goes along, which mails tell of it (CONTRACT §7). */
import { DateTime, Result } from "effect"
import { sumAll } from "effect/Number"
import type { User } from "../accounts/model.ts"
import { Conflict, NotFound } from "../failures.ts"
import type { Mail } from "../ports/mailer.ts"
import type { TrialPolicy } from "../workspaces/model.ts"
import { isDown } from "../workspaces/rules.ts"
import type { Begun, Impact, Restorable, Stake, WorkspaceImpact } from "./model.ts"

/** From the request to the erasure: until then it can be restored. */
const WAITS = { days: 30 } as const

export const eraseOn = (now: DateTime.Utc): DateTime.Utc => DateTime.add(now, WAITS)

/** Nobody else is in it, so it goes with its one member. */
const goes = ({ members }: Stake): boolean => members <= 1

/** How long an account waits for somebody to prove its address. */
export const PROVEN_WITHIN = { days: 30 } as const

/** An account made at this time or before, and unproven, has waited long enough. */
export const unprovenSince = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, PROVEN_WITHIN)

/** Nothing can be published without a proven address, so what goes is empty. An account stays that works with others, or for which somebody pays. */
export const isAbandoned = ({ createdAt, emailVerified }: Pick<User, "createdAt" | "emailVerified">, stakes: ReadonlyArray<Stake>, now: DateTime.Utc): boolean =>
  !emailVerified && DateTime.isLessThanOrEqualTo(createdAt, unprovenSince(now)) && stakes.every((stake) => goes(stake) && stake.subscriptionStatus === null)

/** How long an erasure waits for a payment service that does not answer, so that nobody goes on paying for what no longer exists. */
const PAYMENTS_AWAITED = { days: 3 } as const

export const awaitsPayments = ({ eraseOn }: Pick<Begun, "eraseOn">, now: DateTime.Utc): boolean =>
  DateTime.isLessThan(now, DateTime.add(eraseOn, PAYMENTS_AWAITED))

const blocks = ({ admins, isOwner, members, role }: Stake): boolean => members > 1 && (isOwner || (role === "admin" && admins <= 1))

/** Addresses that answer now and stop with the deletion. */
export const liveLinks = (stake: Stake, policy: TrialPolicy, now: DateTime.Utc): number => isDown(stake, policy, now) ? 0 : stake.published

/** The same assessment for the preview and for the deletion itself. */
export const impact = (stakes: ReadonlyArray<Stake>, policy: TrialPolicy, now: DateTime.Utc): Impact => {
  const blockers = stakes.filter(blocks).map(({ id, members, name }) => ({ workspaceId: id, name, otherMembers: members - 1 }))
  const going = stakes.filter(goes)
  const workspaces = going.map((stake) => ({ id: stake.id, name: stake.name, projects: stake.projects, liveLinks: liveLinks(stake, policy, now) }))
  return {
    blocked: blockers.length > 0,
    blockers,
    workspaces,
    projects: sumAll(workspaces.map(({ projects }) => projects)),
    liveLinks: sumAll(workspaces.map((workspace) => workspace.liveLinks)),
    storageBytes: sumAll(going.map(({ storageBytes }) => storageBytes)),
    eraseOn: eraseOn(now)
  }
}

export const workspaceImpact = (stake: Stake, policy: TrialPolicy, now: DateTime.Utc): WorkspaceImpact => ({
  workspaceId: stake.id,
  name: stake.name,
  otherMembers: stake.members - 1,
  projects: stake.projects,
  liveLinks: liveLinks(stake, policy, now),
  storageBytes: stake.storageBytes,
  eraseOn: eraseOn(now)
})

export const deleteAccount = ({ blocked, blockers }: Impact): Result.Result<void, Conflict> =>
  blocked
    ? Result.fail(new Conflict({
      message: "A workspace that you own, or that has no other admin, has other members. First make one of them an admin and leave it, or delete it.",
      details: { blockers: blockers.map(({ name, otherMembers, workspaceId }) => ({ workspace_id: workspaceId, name, other_members: otherMembers })) }
    }))
    : Result.succeed(undefined)

/** The account joined or made a workspace while the locks were taken. */
export const movedMeanwhile = () => new Conflict({ message: "Your workspaces changed just now. Look again, then delete." })

/** A workspace without an active admin is not restored. Its admins' accounts do not return with it: their deletion was their own wish. */
export const restore = ({ workspaces }: Restorable): Result.Result<void, Conflict> => {
  const bare = workspaces.filter(({ admins }) => !admins.some(({ active }) => active))
  if (bare.length === 0) return Result.succeed(undefined)
  const first = [...new Set(bare.flatMap(({ admins }) => admins.map(({ id }) => id)))]
  return Result.fail(new Conflict({
    message: first.length === 0
      ? "Nobody is left who could look after this workspace: the accounts of its admins are erased."
      : "Nobody would look after this workspace: the accounts of its admins are to be erased too. Restore one of them first.",
    details: { restore_first: first.map((id) => ({ target_type: "user", target_id: id })) }
  }))
}

export const noSuchTarget = () => new NotFound({ message: "There is no such account or workspace." })

/** What identifies the mails to an account or about its workspaces. */
export interface Traces {
  readonly addresses: ReadonlySet<string>
  /** Those that their account never proved: they may be somebody else's, whom others rightly invited. */
  readonly unproven: ReadonlySet<string>
  readonly workspaces: ReadonlySet<string>
  readonly slugs: ReadonlySet<string>
  readonly exports: ReadonlySet<string>
  /** Hashes of invitations’ tokens. */
  readonly invites: ReadonlySet<string>
}

const labelOf = (url: string): string => URL.parse(url)?.hostname.split(".", 1)[0] ?? ""

/** Whether a mail is to or about what is erased. */
export const tells = (mail: Mail, traces: Traces, hash: (raw: string) => string): boolean => {
  if (traces.addresses.has(mail.to) && !(mail._tag === "Invitation" && traces.unproven.has(mail.to))) return true
  switch (mail._tag) {
    case "ExportFailed":
    case "TrialNotice":
    case "WorkspaceDeleted":
      return traces.workspaces.has(mail.workspaceId)
    case "ExportReady":
      return mail.url.split(/[/?]/).some((part) => traces.exports.has(part))
    case "ProjectTakenDown":
    case "ShareLinkOpened":
      return traces.slugs.has(mail.slug)
    case "CommentDigest":
      return traces.slugs.has(labelOf(mail.url))
    case "Invitation":
      return traces.invites.has(hash(mail.token))
    // About the account at their address alone.
    case "AlreadyRegistered":
    case "DeviceApproved":
    case "MagicLink":
    case "PasswordReset":
    case "ToBeErased":
    case "VerifyEmail":
      return false
  }
}
