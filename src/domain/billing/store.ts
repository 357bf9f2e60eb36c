/** What billing must remember. Implemented by services/database/billing.ts and trial-mails.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { User } from "../accounts/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { Customer, CustomerId, Notice, TrialMail } from "./model.ts"
import type { Settled } from "./rules.ts"

/** Which customers are read again without a notice, since one may never have arrived. */
export interface Times {
  readonly now: DateTime.Utc
  /** Read again if last read before this, and the subscription goes on or ended after `endedSince`. */
  readonly readBefore: DateTime.Utc
  readonly endedSince: DateTime.Utc
  /** Read again if last read before this, and news is due: a period is over, or somebody went to checkout, or a debit was on its way, after `wentSince`. */
  readonly newsBefore: DateTime.Utc
  readonly wentSince: DateTime.Utc
  /** One that was read after this was read by a clock that was ahead: nobody knows when. */
  readonly readAhead: DateTime.Utc
}

export class BillingStore extends Context.Service<BillingStore, {
  /** None before the first checkout. */
  readonly customer: (workspaceId: WorkspaceId) => Effect.Effect<Option.Option<Customer>>
  /** The workspace's idempotency key at the payment service, the same for every caller; it becomes `fresh` if there was none. */
  readonly attempt: (workspaceId: WorkspaceId, fresh: string, now: DateTime.Utc) => Effect.Effect<string>
  /** Replaces the key, since the payment service repeats its answer to the old one for ever. */
  readonly renewAttempt: (workspaceId: WorkspaceId, old: string, fresh: string) => Effect.Effect<void>
  /** Stores the customer of a workspace; the first one stays, until it is forgotten. */
  readonly name: (workspaceId: WorkspaceId, id: CustomerId) => Effect.Effect<Customer>
  /** Forgets a customer that is gone from the payment service, with what was read of it; `fresh` becomes the key, once. */
  readonly forget: (customer: Customer, fresh: string) => Effect.Effect<void>
  /** Notes that somebody was sent to checkout, or that what they bought there is not paid yet: for two days their customer is read often. */
  readonly noteCheckout: (id: CustomerId, now: DateTime.Utc) => Effect.Effect<void>
  /** Whether this page differs from the last one that somebody was sent to; from now on it is the last. */
  readonly newPage: (id: CustomerId, page: string) => Effect.Effect<boolean>
  /** Stores the notice, with a job that reads the customer again; false if the notice is known already, or the customer is not. */
  readonly take: (notice: Notice, customer: CustomerId, now: DateTime.Utc) => Effect.Effect<boolean>
  /** Counts a reading, before it is begun. */
  readonly beginReading: (id: CustomerId, now: DateTime.Utc) => Effect.Effect<Option.Option<Customer>>
  /** Stores a reading, and updates the workspace if the reading says anything. Runs under the workspace's lock. */
  readonly put: (customer: Customer, settled: Settled | undefined) => Effect.Effect<void>
  /** Notes doubles, and begins one job a day for each of the workspace, noted now or before, until it is ended. Answers for how many. */
  readonly noteDoubles: (workspaceId: WorkspaceId, ids: ReadonlyArray<string>, now: DateTime.Utc) => Effect.Effect<number>
  /** True for the first caller alone. */
  readonly doubleEnded: (id: string, now: DateTime.Utc) => Effect.Effect<boolean>
  readonly doubleForgotten: (id: string) => Effect.Effect<void>
  /** Forgets at most `limit` notices taken before this time; answers how many. */
  readonly sweepNotices: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  /** Those with news due first, each the longest unread first. */
  readonly overdue: (times: Times, limit: number) => Effect.Effect<ReadonlyArray<CustomerId>>
}>()("svc/domain/billing/BillingStore") {}

export class LapseStore extends Context.Service<LapseStore, {
  /** Workspaces whose end has come and is not noted, the oldest end first; one scheduled for erasure waits until it is restored. */
  readonly ended: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<WorkspaceId>>
  /** True for the first caller alone, once for each end. */
  readonly claim: (workspaceId: WorkspaceId, now: DateTime.Utc) => Effect.Effect<boolean>
}>()("svc/domain/billing/LapseStore") {}

export interface Stage {
  readonly kind: TrialMail
  /** The lapses that it covers: after this … */
  readonly after: DateTime.Utc
  /** … up to this. */
  readonly upTo: DateTime.Utc
  /** Only where the trial ends after any subscription. */
  readonly ofTrial: boolean
}

export class TrialMailStore extends Context.Service<TrialMailStore, {
  /** Workspaces in one of these stages that got no mail of its kind for this end; one scheduled for erasure waits until it is restored. */
  readonly waiting: (stages: ReadonlyArray<Stage>, enforcedSince: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<WorkspaceId>>
  /** True for the first caller alone; false while the workspace is scheduled for erasure, when the mail would reach nobody. */
  readonly claim: (workspaceId: WorkspaceId, kind: TrialMail, end: DateTime.Utc, now: DateTime.Utc) => Effect.Effect<boolean>
  /** The admins with a verified address. */
  readonly admins: (workspaceId: WorkspaceId) => Effect.Effect<ReadonlyArray<Pick<User, "email" | "name">>>
}>()("svc/domain/billing/TrialMailStore") {}
