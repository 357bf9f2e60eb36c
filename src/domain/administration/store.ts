/** What platform administrators look at. Implemented by services/database/administration.ts and jobs.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { Page } from "../pages.ts"
import type { ProjectId } from "../projects/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import type { BillingFacts } from "../workspaces/rules.ts"
import type { Job, JobId, JobState, ProjectFacts, Statistics, UserFacts, UserKey, WorkspaceFacts } from "./model.ts"

export type WorkspaceRow = Omit<WorkspaceFacts, "billingState" | "linksDownOn"> & BillingFacts

export class AdministrationStore extends Context.Service<AdministrationStore, {
  /** An account scheduled for erasure is found too, with the workspaces that it parted from. */
  readonly user: (by: UserKey) => Effect.Effect<Option.Option<UserFacts>>
  readonly workspace: (id: WorkspaceId) => Effect.Effect<Option.Option<WorkspaceRow>>
  readonly project: (slug: string) => Effect.Effect<Option.Option<ProjectFacts>>
  /** False if it was taken down already. */
  readonly takeDown: (id: ProjectId, now: DateTime.Utc) => Effect.Effect<boolean>
  readonly putBack: (id: ProjectId) => Effect.Effect<boolean>
  /** Newest first. */
  readonly takenDown: (page: Page<ProjectId>) => Effect.Effect<ReadonlyArray<ProjectFacts>>
  readonly setTrialEnd: (id: WorkspaceId, until: DateTime.Utc) => Effect.Effect<void>
  /** What the billing states of workspaces are derived from, without those scheduled for erasure. */
  readonly terms: (page: Page<WorkspaceId>) => Effect.Effect<ReadonlyArray<BillingFacts & { readonly id: WorkspaceId }>>
  readonly statistics: (now: DateTime.Utc) => Effect.Effect<Omit<Statistics, "jobs" | "standing">>
}>()("svc/domain/administration/AdministrationStore") {}

export class JobStore extends Context.Service<JobStore, {
  /** Those that are not done, newest first. */
  readonly list: (states: ReadonlyArray<JobState>, page: Page<JobId>) => Effect.Effect<ReadonlyArray<Job>>
  /** Restarts a failed job from its beginning, and has a waiting one taken up at once; none if the job is done or unknown. */
  readonly retry: (id: JobId) => Effect.Effect<Option.Option<Job>>
  readonly counts: Effect.Effect<Statistics["jobs"]>
  /** Forgets at most `limit` finished jobs enqueued before this time; answers how many. Failed ones stay, to be looked at. */
  readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
}>()("svc/domain/administration/JobStore") {}
