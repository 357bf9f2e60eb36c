/** What billing must remember. Implemented by services/database/billing.ts and trial-mails.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { User } from "../accounts/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { Customer, CustomerId, Notice, TrialMail } from "./model.ts"
import type { Settled } from "./rules.ts"

/** Who is read anew though nothing was heard: a notice may never have come. */
export interface Times {
  readonly now: DateTime.Utc
  /** Last read before this, and the subscription goes on or ended after `endedSince`. */
  readonly readBefore: DateTime.Utc
  readonly endedSince: DateTime.Utc
  /** Last read before this, and news is due: a period is over, or somebody went to pay after `wentSince`. */
  readonly newsBefore: DateTime.Utc
  readonly wentSince: DateTime.Utc
}

export class BillingStore extends Context.Service<BillingStore, {
  /** None where nobody ever set out to pay. */
  readonly customer: (workspaceId: WorkspaceId) => Effect.Effect<Option.Option<Customer>>
  /** The key under which its customer is asked for, whoever asks; `fresh` where nobody did before. */
  readonly attempt: (workspaceId: WorkspaceId, fresh: string, now: DateTime.Utc) => Effect.Effect<string>
  /** Another key, since the payment service says the same to the old one for ever. */
  readonly renewAttempt: (workspaceId: WorkspaceId, old: string, fresh: string) => Effect.Effect<void>
  /** Names the customer of an attempt; the first name stays, until it is forgotten. */
  readonly name: (workspaceId: WorkspaceId, id: CustomerId) => Effect.Effect<Customer>
  /** Forgets a customer that the payment service does not know, with what was read of it; `fresh` where nobody did before. */
  readonly forget: (customer: Customer, fresh: string) => Effect.Effect<void>
  /** Notes that somebody was sent to pay: until it is known whether they did, their customer is read often. */
  readonly noteCheckout: (id: CustomerId, now: DateTime.Utc) => Effect.Effect<void>
  /** Whether this page is another than the last one somebody was sent to; from now on it is the last. */
  readonly newPage: (id: CustomerId, page: string) => Effect.Effect<boolean>
  /** With a job that reads the customer anew; false where the notice is known, or its customer is nobody's. */
  readonly take: (notice: Notice, customer: CustomerId, now: DateTime.Utc) => Effect.Effect<boolean>
  /** Counts a reading, before it is begun. */
  readonly beginReading: (id: CustomerId, now: DateTime.Utc) => Effect.Effect<Option.Option<Customer>>
  /** Puts a reading down, and moves the workspace by it where it says anything. Runs behind the workspace's lock. */
  readonly put: (customer: Customer, settled: Settled | undefined) => Effect.Effect<void>
  /** Notes subscriptions that are paid for beside another, each with a job a day that ends it, until it has. */
  readonly noteDoubles: (workspaceId: WorkspaceId, ids: ReadonlyArray<string>, now: DateTime.Utc) => Effect.Effect<void>
  /** Once; false for everybody after the first. */
  readonly doubleEnded: (id: string, now: DateTime.Utc) => Effect.Effect<boolean>
  readonly doubleForgotten: (id: string) => Effect.Effect<void>
  /** Forgets notices that were taken before; answers how many. */
  readonly sweepNotices: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  readonly overdue: (times: Times, limit: number) => Effect.Effect<ReadonlyArray<CustomerId>>
}>()("svc/domain/billing/BillingStore") {}

export class LapseStore extends Context.Service<LapseStore, {
  /** Workspaces whose end has come and is not noted, the oldest end first; one that is to be erased waits for its restoring. */
  readonly ended: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<WorkspaceId>>
  /** Once for each end; false for everybody after the first. */
  readonly claim: (workspaceId: WorkspaceId, now: DateTime.Utc) => Effect.Effect<boolean>
}>()("svc/domain/billing/LapseStore") {}

export interface Stage {
  readonly kind: TrialMail
  /** Ends after this … */
  readonly after: DateTime.Utc
  /** … up to this. */
  readonly upTo: DateTime.Utc
  /** Where nothing was ever charged, alone. */
  readonly ofTrial: boolean
}

export class TrialMailStore extends Context.Service<TrialMailStore, {
  /** Workspaces that end in one of these stages and got no mail of its kind for that end; one that is to be erased waits for its restoring. */
  readonly waiting: (stages: ReadonlyArray<Stage>, limit: number) => Effect.Effect<ReadonlyArray<WorkspaceId>>
  /** Once, whoever asks; false for everybody after the first, and while it is to be erased: nobody would hear it. */
  readonly claim: (workspaceId: WorkspaceId, kind: TrialMail, end: DateTime.Utc, now: DateTime.Utc) => Effect.Effect<boolean>
  /** The admins whose address is proven theirs. */
  readonly admins: (workspaceId: WorkspaceId) => Effect.Effect<ReadonlyArray<Pick<User, "email" | "name">>>
}>()("svc/domain/billing/TrialMailStore") {}
