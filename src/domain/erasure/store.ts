/** What deletions need remembered, and forgotten. Implemented by services/database/erasure.ts and erasing.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { ListedAt } from "../audit/model.ts"
import type { Mail } from "../ports/mailer.ts"
import type { Role, WorkspaceId } from "../workspaces/model.ts"
import type { Begun, Deletion, DeletionId, Restorable, Stake, Target } from "./model.ts"
import type { Traces } from "./rules.ts"

export class DeletionStore extends Context.Service<DeletionStore, {
  /** The workspaces of an account, the oldest membership first. */
  readonly stakes: (userId: UserId, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Stake>>
  /**
   * Locks an account and all its workspaces until the transaction ends, so that nobody joins or leaves them, and answers
   * which workspaces these are. None if the account is scheduled for erasure already.
   */
  readonly hold: (userId: UserId) => Effect.Effect<Option.Option<ReadonlyArray<WorkspaceId>>>
  /** Takes these workspaces out of everybody's reach, and the account too where it is the target. */
  readonly schedule: (deletion: Deletion, workspaces: ReadonlyArray<WorkspaceId>) => Effect.Effect<void>
  /** Locks what can be restored of a target, and the accounts of its admins, until the transaction ends. None if there is nothing to restore. */
  readonly restorable: (target: Target) => Effect.Effect<Option.Option<Restorable>>
  /** Runs under these locks. */
  readonly restore: (what: Restorable, by: UserId, now: DateTime.Utc) => Effect.Effect<void>
  readonly isScheduled: (workspaceId: WorkspaceId) => Effect.Effect<boolean>
  /** Begins a job that lets its subscription end with its period, or go on, as the workspace stands when the job runs; one for each `round`. */
  readonly settleRenewal: (workspaceId: WorkspaceId, round: string) => Effect.Effect<void>
  /** Accounts made at `made` or before whose address nobody proved, that are not scheduled for erasure, and that nobody restored: `limit` of them after `after`, in the order of their ids. */
  readonly unproven: (made: DateTime.Utc, after: UserId | undefined, limit: number) => Effect.Effect<ReadonlyArray<UserId>>
  readonly exists: (target: Target) => Effect.Effect<boolean>
  /** Begins a job for each deletion that is due, not erased yet and got no job today; answers how many. */
  readonly beginDue: (now: DateTime.Utc) => Effect.Effect<number>
}>()("svc/domain/erasure/DeletionStore") {}

/** From where an address was removed. */
export interface Unnamed {
  readonly lists: ReadonlyArray<{ readonly level: typeof ListedAt.Type; readonly id: string }>
  /** Those that were not accepted. */
  readonly invites: ReadonlyArray<{ readonly id: string; readonly role: Role }>
}

/** What an erased account belonged to, and what it left there. */
export interface Parted {
  readonly workspaces: ReadonlyArray<WorkspaceId>
  /** Private folders that the team sees from now on. */
  readonly folders: ReadonlyArray<{ readonly id: string; readonly workspaceId: WorkspaceId }>
}

/** Steps that may each be repeated, by any worker, however far they came. */
export class ErasingStore extends Context.Service<ErasingStore, {
  /** From here on there is no way back. None before it is due, if it was restored, and once it is done. */
  readonly begin: (id: DeletionId, now: DateTime.Utc) => Effect.Effect<Option.Option<Begun>>
  readonly traces: (workspaceId: WorkspaceId) => Effect.Effect<Pick<Traces, "exports" | "invites" | "slugs">>
  /** Unsent mails, in the order of their ids; unreadable ones are left out. */
  readonly mails: (after: string | undefined) => Effect.Effect<{
    readonly mails: ReadonlyArray<{ readonly id: string; readonly mail: Mail }>
    /** Where the next page begins; undefined after the last. */
    readonly next: string | undefined
  }>
  readonly dropMails: (ids: ReadonlyArray<string>) => Effect.Effect<void>
  /** Packs of archives and of versions that are still there, some at a time. */
  readonly packs: (workspaceId: WorkspaceId) => Effect.Effect<ReadonlyArray<string>>
  /** Runs once their bytes are gone. */
  readonly dropPacks: (workspaceId: WorkspaceId, packs: ReadonlyArray<string>) => Effect.Effect<void>
  /** Removes some projects with all that belongs to them, deleted ones too; false once there is none. */
  readonly dropProjects: (workspaceId: WorkspaceId, now: DateTime.Utc) => Effect.Effect<boolean>
  readonly dropWorkspace: (workspaceId: WorkspaceId) => Effect.Effect<void>
  /** Workspaces where an address may comment, or is invited. */
  readonly naming: (email: string) => Effect.Effect<ReadonlyArray<WorkspaceId>>
  /** Removes an address from the allowlists and invitations of a workspace, under its lock. */
  readonly unname: (workspaceId: WorkspaceId, email: string, now: DateTime.Utc) => Effect.Effect<Unnamed>
  /** Passes what the account made in the workspaces of others to the former user, a few rows at a time and without a workspace's lock. */
  readonly passOn: (account: NonNullable<Begun["account"]>, now: DateTime.Utc) => Effect.Effect<void>
  /** Runs once most was passed on, and passes on the rest: it locks all workspaces of the account. */
  readonly dropAccount: (account: NonNullable<Begun["account"]>, now: DateTime.Utc) => Effect.Effect<Parted>
  /** False if another run of its job finished it first. */
  readonly finish: (id: DeletionId, now: DateTime.Utc) => Effect.Effect<boolean>
}>()("svc/domain/erasure/ErasingStore") {}
