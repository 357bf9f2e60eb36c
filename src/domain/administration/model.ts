/** What platform administrators see and are told (CONTRACT §10): facts by ids, never contents, doorcodes or what mails say. */
import { Schema } from "effect"
import type { Brand } from "effect"
import { Email } from "../accounts/email.ts"
import { type User, UserId } from "../accounts/model.ts"
import { ProjectId, Visibility } from "../projects/model.ts"
import { BillingState, Plan, Role, WorkspaceId } from "../workspaces/model.ts"

/** A user who was admitted as a platform administrator: programs that only these may run take nobody else. */
export type PlatformAdmin = Brand.Branded<User, "PlatformAdmin">

/** How an account is looked up. */
export const UserKey = Schema.Union([Schema.Struct({ id: UserId }), Schema.Struct({ email: Email })])
export type UserKey = typeof UserKey.Type

/** How a workspace is looked up: by the slug of one of its projects, else by its id. A slug may look like an id. */
export const WorkspaceKey = Schema.Struct({ slug: Schema.String, id: Schema.NullOr(WorkspaceId) })
export type WorkspaceKey = typeof WorkspaceKey.Type

const Moment = Schema.DateTimeUtcFromDate

/** When the pending deletion will erase it; null without one. */
const ErasesOn = Schema.NullOr(Moment)

export const UserFacts = Schema.Struct({
  id: UserId,
  email: Schema.String,
  name: Schema.String,
  emailVerified: Schema.Boolean,
  hasPassword: Schema.Boolean,
  idpLinked: Schema.Boolean,
  createdAt: Moment,
  erasesOn: ErasesOn,
  workspaces: Schema.Array(Schema.Struct({ id: WorkspaceId, name: Schema.String, role: Role, isOwner: Schema.Boolean }))
})
export type UserFacts = typeof UserFacts.Type

export const WorkspaceFacts = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  plan: Plan,
  billingState: BillingState,
  trialEndsAt: Schema.NullOr(Moment),
  linksDownOn: Schema.NullOr(Moment),
  projects: Schema.Int,
  storageBytes: Schema.Number,
  createdAt: Moment,
  erasesOn: ErasesOn,
  members: Schema.Array(Schema.Struct({ id: UserId, email: Schema.String, name: Schema.String, role: Role, isOwner: Schema.Boolean }))
})
export type WorkspaceFacts = typeof WorkspaceFacts.Type

export const ProjectFacts = Schema.Struct({
  id: ProjectId,
  slug: Schema.String,
  workspaceId: WorkspaceId,
  ownerId: UserId,
  visibility: Visibility,
  /** The version that is served; 0 until something is published. */
  version: Schema.Int,
  createdAt: Moment,
  takenDownAt: Schema.NullOr(Moment)
})
export type ProjectFacts = typeof ProjectFacts.Type

export const OwnerInvite = Schema.Struct({ id: Schema.String, workspaceId: WorkspaceId, expiresAt: Moment })
export type OwnerInvite = typeof OwnerInvite.Type

/** `waiting`: not done yet, whether it runs, waits for its next try, or for somebody to run it. `failed`: given up. */
export const JobState = Schema.Literals(["waiting", "failed"])
export type JobState = typeof JobState.Type

const noJobId = { message: "This is not the id of a job." }

/** A number that the database counts up; the greatest has 63 bits. */
export const JobId = Schema.String.check(Schema.isPattern(/^\d{1,19}$/, noJobId).abort(), Schema.makeFilter((id) => BigInt(id) < 2n ** 63n, noJobId)).pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type

export const Job = Schema.Struct({
  id: JobId,
  /** Such as `BuildExport`. */
  kind: Schema.String,
  state: JobState,
  enqueuedAt: Moment,
  /** When a worker last took it up; null where none did. */
  takenUpAt: Schema.NullOr(Moment)
})
export type Job = typeof Job.Type

export const Statistics = Schema.Struct({
  users: Schema.Int,
  workspaces: Schema.Int,
  /** Workspaces by billing state, without those scheduled for erasure. */
  standing: Schema.Record(BillingState, Schema.Int),
  projects: Schema.Int,
  takenDown: Schema.Int,
  versions: Schema.Int,
  storageBytes: Schema.Number,
  /** Views on the current UTC day. */
  viewsToday: Schema.Int,
  mails: Schema.Struct({ waiting: Schema.Int, dead: Schema.Int }),
  jobs: Schema.Struct({ waiting: Schema.Int, failed: Schema.Int }),
  deletionsScheduled: Schema.Int
})
export type Statistics = typeof Statistics.Type
