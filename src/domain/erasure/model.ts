/** What a deletion is: an account or a workspace that goes dark at once and is erased later (SPEC §3, CONTRACT §7). */
import { Schema } from "effect"
import type { DateTime } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Role, WorkspaceId } from "../workspaces/model.ts"
import type { TermFacts } from "../workspaces/rules.ts"
import { isId } from "../ids.ts"

export const DeletionId = Schema.String.check(isId).pipe(Schema.brand("DeletionId"))
export type DeletionId = typeof DeletionId.Type

export const TargetType = Schema.Literals(["user", "workspace"])
export type TargetType = typeof TargetType.Type

/** What a workspace is to an account that may go, and what goes with it. */
export interface Stake extends TermFacts {
  readonly id: WorkspaceId
  readonly name: string
  readonly role: Role
  readonly isOwner: boolean
  /** The account itself among them. */
  readonly members: number
  /** Those whose own account is not about to be erased. */
  readonly admins: number
  readonly projects: number
  /** Addresses with something to show, whose time is not up. */
  readonly published: number
  readonly storageBytes: number
}

/** What deleting an account means: shown before, and what decides the deletion itself. */
export interface Impact {
  readonly blocked: boolean
  readonly blockers: ReadonlyArray<{ readonly workspaceId: WorkspaceId; readonly name: string; readonly otherMembers: number }>
  /** Those that go along. */
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

/** What there is to bring back of a deletion. */
export interface Restorable {
  readonly id: DeletionId
  readonly workspaces: ReadonlyArray<{
    readonly id: WorkspaceId
    /** Those who looked after it and are not erased; `standing` once this is restored. */
    readonly admins: ReadonlyArray<{ readonly id: UserId; readonly standing: boolean }>
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
  /** Null where a workspace alone goes, and once the account is gone. */
  readonly account: { readonly id: UserId; readonly email: string; readonly verified: boolean } | null
  /** Those that are still there. */
  readonly workspaces: ReadonlyArray<WorkspaceId>
}
