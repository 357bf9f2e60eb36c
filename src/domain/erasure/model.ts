/** What a deletion is: an account or a workspace that goes dark at once and is erased later (SPEC §3, CONTRACT §7). */
import { Schema } from "effect"
import type { DateTime } from "effect"
import { UserId } from "../accounts/model.ts"
import { Role, Workspace, WorkspaceId } from "../workspaces/model.ts"
import { isId } from "../ids.ts"

export const DeletionId = Schema.String.check(isId).pipe(Schema.brand("DeletionId"))
export type DeletionId = typeof DeletionId.Type

export const TargetType = Schema.Literals(["user", "workspace"])
export type TargetType = typeof TargetType.Type

/** What is deleted. */
export const Target = Schema.Union([
  Schema.Struct({ type: Schema.Literal("user"), id: UserId }),
  Schema.Struct({ type: Schema.Literal("workspace"), id: WorkspaceId })
])
export type Target = typeof Target.Type

/** A workspace of an account that may be deleted: the account's part in it, and what would go with it. */
export const Stake = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  role: Role,
  isOwner: Schema.Boolean,
  /** The account itself among them. */
  members: Schema.Int,
  /** Admins whose own account is not scheduled for erasure. */
  admins: Schema.Int,
  projects: Schema.Int,
  /** Projects that are published and not expired. */
  published: Schema.Int,
  storageBytes: Schema.Number,
  trialEndsAt: Workspace.fields.trialEndsAt,
  subscriptionStatus: Workspace.fields.subscriptionStatus,
  subscriptionEndsAt: Workspace.fields.subscriptionEndsAt
})
export type Stake = typeof Stake.Type

/** What deleting an account means: shown beforehand, and the facts that decide the deletion itself. */
export interface Impact {
  readonly blocked: boolean
  readonly blockers: ReadonlyArray<{ readonly workspaceId: WorkspaceId; readonly name: string; readonly otherMembers: number }>
  /** Those that are deleted with the account. */
  readonly workspaces: ReadonlyArray<{ readonly id: WorkspaceId; readonly name: string; readonly projects: number; readonly liveLinks: number }>
  readonly projects: number
  readonly liveLinks: number
  readonly storageBytes: number
  readonly eraseOn: DateTime.Utc
}

/** What deleting one workspace means, for all who are in it. */
export interface WorkspaceImpact {
  readonly workspaceId: WorkspaceId
  readonly name: string
  readonly otherMembers: number
  readonly projects: number
  readonly liveLinks: number
  readonly storageBytes: number
  readonly eraseOn: DateTime.Utc
}

export interface Deletion {
  readonly id: DeletionId
  readonly targetType: TargetType
  readonly targetId: string
  readonly requestedBy: UserId
  readonly requestedAt: DateTime.Utc
  readonly eraseOn: DateTime.Utc
}

/** What can be restored of a deletion. */
export interface Restorable {
  readonly id: DeletionId
  readonly workspaces: ReadonlyArray<{
    readonly id: WorkspaceId
    /** Its former admins whose erasure has not begun; `active`: their accounts are active once this is restored. */
    readonly admins: ReadonlyArray<{ readonly id: UserId; readonly active: boolean }>
  }>
}

/** What was scheduled, and when it happens. */
export interface Scheduled extends Pick<Deletion, "eraseOn" | "targetId" | "targetType"> {
  readonly status: "scheduled"
  /** Addresses that stopped answering. */
  readonly liveLinks: number
}

/** An erasure that has begun: what it takes. */
export interface Begun {
  readonly id: DeletionId
  readonly eraseOn: DateTime.Utc
  /** Null if only a workspace is erased, and once the account is gone. */
  readonly account: { readonly id: UserId; readonly email: string; readonly verified: boolean } | null
  /** Those that still exist. */
  readonly workspaces: ReadonlyArray<WorkspaceId>
}
