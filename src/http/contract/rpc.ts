/**
 * What platform administrators may do (CONTRACT §10), as remote procedures at `/rpc`: ndjson over HTTP, POST, with an API
 * token of an administrator. Refusals are the envelope's failures, by their codes. Arguments travel as plain strings, so
 * that a bad one is a `validation_error` that names it.
 */
import { Context, Effect, Option, Schema, SchemaIssue, SchemaTransformation } from "effect"
import { Rpc, RpcGroup, RpcMiddleware } from "effect/rpc"
import { Email } from "../../domain/accounts/email.ts"
import { Job, JobId, JobState, OwnerInvite, ProjectFacts, Statistics, UserFacts, UserKey, WorkspaceFacts, WorkspaceKey } from "../../domain/administration/model.ts"
import type { PlatformAdmin } from "../../domain/administration/model.ts"
import { AuthRequired, Conflict, Forbidden, InternalError, Invalid, NotFound, QuotaExceeded, RateLimited, Unavailable } from "../../domain/failures.ts"
import { Target, TargetType } from "../../domain/erasure/model.ts"
import { isId } from "../../domain/ids.ts"
import { DeadMail, MailId } from "../../domain/mails/model.ts"
import { WorkspaceId } from "../../domain/workspaces/model.ts"
import { bySlug, Timestamp } from "./wire.ts"

export const RPC_PATH = "/rpc"

/** The administrator who calls, and a check whether they still are one: their right may end while a long list is streamed. */
export class Administrator extends Context.Service<Administrator, {
  readonly user: PlatformAdmin
  readonly still: Effect.Effect<void, AuthRequired | Forbidden | Unavailable>
}>()("svc/http/contract/Administrator") {}

/** Refuses everybody else: 401 without an API token, 403 with the token of another user, 503 while the database is away. */
export class AdministratorsOnly extends RpcMiddleware.Service<AdministratorsOnly, { provides: Administrator }>()(
  "svc/http/contract/AdministratorsOnly",
  { error: Schema.Union([AuthRequired, Forbidden, Unavailable]) }
) {}

const always = [AuthRequired, Forbidden, Invalid, Unavailable, InternalError] as const

/** Every procedure may fail with these; `missing` and `clashing` add to them. */
const common = Schema.Union(always)
const missing = Schema.Union([...always, NotFound])
const clashing = Schema.Union([...always, NotFound, Conflict])

/** A missing or non-string argument decodes as "", so that it is refused by its name and not as a protocol defect. */
const text = Schema.String.pipe(
  Schema.catchDecoding(() => Effect.succeedSome("")),
  Schema.withDecodingDefault(Effect.succeed(""))
)

export class Administration extends RpcGroup.make(
  /** By an id or an email address. */
  Rpc.make("findUser", { payload: { user: text }, success: UserFacts, error: missing }),
  /** By an id, or by the slug of one of its projects; a project's address stands for its slug, here and below. */
  Rpc.make("findWorkspace", { payload: { workspace: text }, success: WorkspaceFacts, error: missing }),
  Rpc.make("findProject", { payload: { slug: text }, success: ProjectFacts, error: missing }),
  /** Mails the address an invitation that makes whoever accepts it an owner. */
  Rpc.make("inviteOwner", {
    payload: { workspace: text, email: text },
    success: OwnerInvite,
    error: Schema.Union([...always, NotFound, Conflict, QuotaExceeded, RateLimited])
  }),
  /** `until` is an RFC 3339 time. The plan stays: only a charge changes it. */
  Rpc.make("extendTrial", { payload: { workspace: text, until: text }, success: WorkspaceFacts, error: clashing }),
  /** `type` is user or workspace. */
  Rpc.make("restoreDeletion", { payload: { type: text, id: text }, success: Schema.Struct({ restored: Schema.Boolean }), error: clashing }),
  /** The project's address answers 410 with a page that says so, until it is put back. */
  Rpc.make("takeDown", { payload: { slug: text }, success: ProjectFacts, error: missing }),
  Rpc.make("putBack", { payload: { slug: text }, success: ProjectFacts, error: missing }),
  /** Newest first, like every list here. */
  Rpc.make("listTakenDown", { success: ProjectFacts, error: common, stream: true }),
  /** Mails that were given up; their content stays sealed. */
  Rpc.make("listDeadMails", { success: DeadMail, error: common, stream: true }),
  Rpc.make("retryMail", { payload: { id: text }, error: missing }),
  /** `state` is waiting, failed or all. */
  Rpc.make("listJobs", { payload: { state: text }, success: Job, error: common, stream: true }),
  Rpc.make("retryJob", { payload: { id: text }, success: Job, error: missing }),
  Rpc.make("statistics", { success: Statistics, error: common })
).middleware(AdministratorsOnly) {}

const says = (message: string) => <S extends Schema.Constraint>(schema: S) =>
  Schema.catchDecoding<S>(() => Effect.fail(new SchemaIssue.InvalidValue({ message })))(schema)

const workspace = WorkspaceId.pipe(says("This is not the id of a workspace."))

const userKey = Schema.Union([
  Schema.String.pipe(Schema.decodeTo(UserKey.members[0], SchemaTransformation.transform({ decode: (id) => ({ id }), encode: ({ id }) => id }))),
  Schema.String.pipe(Schema.decodeTo(UserKey.members[1], SchemaTransformation.transform({ decode: (email) => ({ email }), encode: ({ email }) => email })))
]).pipe(says("This is neither an id nor an email address."))

const idIn = Schema.decodeUnknownOption(WorkspaceId)

const workspaceKey = bySlug.slug.pipe(Schema.decodeTo(
  WorkspaceKey,
  SchemaTransformation.transform({ decode: (slug): typeof WorkspaceKey.Encoded => ({ slug, id: Option.getOrNull(idIn(slug)) }), encode: ({ slug }) => slug })
))

/** Told apart first, so that a bad type or id is refused by its name. */
const target = Schema.Struct({ type: TargetType.pipe(says("user or workspace.")), id: Schema.String.check(isId) }).pipe(Schema.decodeTo(Target))

const states = Schema.Literals([...JobState.literals, "all"]).pipe(
  Schema.decodeTo(
    Schema.Array(JobState),
    SchemaTransformation.transform({
      decode: (state): ReadonlyArray<JobState> => state === "all" ? JobState.literals : [state],
      encode: (all) => all.length === 1 ? all[0]! : "all" as const
    })
  ),
  says("waiting, failed or all.")
)

const named = Schema.Struct(bySlug)

/** What the texts of a call mean. They are no payloads: one that does not decode is a defect of the protocol, not a refusal. */
export const Meant = {
  findUser: Schema.Struct({ user: userKey }),
  findWorkspace: Schema.Struct({ workspace: workspaceKey }),
  findProject: named,
  inviteOwner: Schema.Struct({ workspace, email: Email }),
  extendTrial: Schema.Struct({ workspace, until: Timestamp }),
  restoreDeletion: target,
  takeDown: named,
  putBack: named,
  retryMail: Schema.Struct({ id: MailId.pipe(says("This is not the id of a mail.")) }),
  listJobs: Schema.Struct({ state: states }),
  retryJob: Schema.Struct({ id: JobId })
} as const
