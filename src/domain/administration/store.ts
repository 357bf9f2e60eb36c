/** What platform administrators look at. Implemented by services/database/administration.ts and jobs.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { Email } from "../accounts/email.ts"
import type { UserId } from "../accounts/model.ts"
import type { ProjectId } from "../projects/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { BillingFacts } from "../workspaces/rules.ts"
import type { Job, JobId, JobState, ProjectFacts, Statistics, UserFacts, WorkspaceFacts } from "./model.ts"

export interface Page<Id> {
  readonly limit: number
  /** The last one of the page before. */
  readonly after: Id | undefined
}

export type WorkspaceRow = Omit<WorkspaceFacts, "billingState" | "linksDownOn"> & BillingFacts

export class AdministrationStore extends Context.Service<AdministrationStore, {
  /** One that is to be erased is found too, as are the workspaces that it parted from. */
  readonly user: (by: { readonly id: UserId } | { readonly email: Email }) => Effect.Effect<Option.Option<UserFacts>>
  readonly workspace: (id: WorkspaceId) => Effect.Effect<Option.Option<WorkspaceRow>>
  readonly project: (slug: string) => Effect.Effect<Option.Option<ProjectFacts>>
  /** False where it was so already. */
  readonly takeDown: (id: ProjectId, now: DateTime.Utc) => Effect.Effect<boolean>
  readonly putBack: (id: ProjectId) => Effect.Effect<boolean>
  /** Newest first. */
  readonly takenDown: (page: Page<ProjectId>) => Effect.Effect<ReadonlyArray<ProjectFacts>>
  readonly setTrialEnd: (id: WorkspaceId, until: DateTime.Utc) => Effect.Effect<void>
  /** What the standing of workspaces is derived from, those that are to be erased left out. */
  readonly terms: (page: Page<WorkspaceId>) => Effect.Effect<ReadonlyArray<BillingFacts & { readonly id: WorkspaceId }>>
  readonly statistics: (now: DateTime.Utc) => Effect.Effect<Omit<Statistics, "jobs" | "standing">>
}>()("svc/domain/administration/AdministrationStore") {}

export class JobStore extends Context.Service<JobStore, {
  /** Those that are not done, newest first. */
  readonly list: (states: ReadonlyArray<JobState>, page: Page<JobId>) => Effect.Effect<ReadonlyArray<Job>>
  /** Has a failed one run from its beginning, and a waiting one looked at anew; none where it is done or was never there. */
  readonly retry: (id: JobId) => Effect.Effect<Option.Option<Job>>
  readonly counts: Effect.Effect<Statistics["jobs"]>
  /** Forgets jobs set out before that are done, at most so many; answers how many. Those that failed stay to be looked at. */
  readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
}>()("svc/domain/administration/JobStore") {}
