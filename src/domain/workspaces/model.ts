/** Workspaces: tenants, each with a plan, quotas and members (SPEC §2, CONTRACT §5). */
import { type DateTime, Schema } from "effect"
import { type User, UserId } from "../accounts/model.ts"
import { isId } from "../ids.ts"

export const WorkspaceId = Schema.String.check(isId).pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/** Characters of a workspace's name. */
export const MAX_NAME = 100

export const Role = Schema.Literals(["admin", "member"])
export type Role = typeof Role.Type

export const Plan = Schema.Literals(["starter", "studio", "agency"])
export type Plan = typeof Plan.Type

/** `trialing` → `active` ⇄ `past_due` → `lapsed` → `down` (CONTRACT §6). Derived from facts, never stored. */
export const BillingState = Schema.Literals(["trialing", "active", "past_due", "lapsed", "down"])
export type BillingState = typeof BillingState.Type

/** What the operator says of trials that end without a charge (`SVC_TRIAL`). */
export const TrialSetting = Schema.Literals(["enforced", "open"])
export type TrialSetting = typeof TrialSetting.Type

/** Whether they lapse, and since when: one that had ended before lapsed then. */
export type TrialPolicy = "open" | { readonly enforcedSince: DateTime.Utc }

export const Workspace = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  plan: Plan,
  trialEndsAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Whether it was created without a trial and has not been paid for yet. */
  needsCharge: Schema.Boolean,
  /** The status of the subscription that was last charged for; null until the first charge. */
  subscriptionStatus: Schema.NullOr(Schema.Literals(["active", "past_due"])),
  /** When that subscription ends or ended; null while it continues. */
  subscriptionEndsAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Bytes of the packs that a kept version names. */
  storageBytes: Schema.Number,
  projectCount: Schema.Int,
  createdAt: Schema.DateTimeUtcFromDate
})
export type Workspace = typeof Workspace.Type

/** A workspace as one of its members sees it. */
export const Membership = Schema.Struct({
  ...Workspace.fields,
  role: Role,
  isOwner: Schema.Boolean,
  isHome: Schema.Boolean
})
export type Membership = typeof Membership.Type

/** A member of a workspace, as the other members see them. */
export const Member = Schema.Struct({
  userId: UserId,
  name: Schema.String,
  email: Schema.String,
  role: Role,
  isOwner: Schema.Boolean,
  joinedAt: Schema.DateTimeUtcFromDate
})
export type Member = typeof Member.Type

/** An admin and the workspace that they asked for. Programs that write check again behind its lock. */
export interface Administered {
  readonly user: User
  readonly workspaceId: WorkspaceId
}
