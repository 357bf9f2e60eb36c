/**
 * What platform administrators may do (CONTRACT §10), as remote procedures at `/rpc`: ndjson over HTTP, POST, with an API
 * token of an administrator. Refusals are the envelope's failures, by their codes. Arguments travel as plain texts, so that
 * what is wrong with one is a `validation_error` that names it.
 */
import { Context, Effect, Schema } from "effect"
import { Rpc, RpcGroup, RpcMiddleware } from "effect/rpc"
import type { User } from "../../domain/accounts/model.ts"
import { Job, OwnerInvite, ProjectFacts, Statistics, UserFacts, WorkspaceFacts } from "../../domain/administration/model.ts"
import { AuthRequired, Conflict, Forbidden, InternalError, Invalid, NotFound, QuotaExceeded, RateLimited, Unavailable } from "../../domain/failures.ts"
import { DeadMail } from "../../domain/mails/model.ts"

export const RPC_PATH = "/rpc"

/** The administrator who asks, and whether they are one still: a list is long, and a right may end. */
export class Administrator extends Context.Service<Administrator, {
  readonly user: User
  readonly still: Effect.Effect<void, AuthRequired | Forbidden | Unavailable>
}>()("svc/http/contract/Administrator") {}

/** Nobody else gets in: 401 without an API token, 403 with one of somebody else, 503 while nobody can tell. */
export class AdministratorsOnly extends RpcMiddleware.Service<AdministratorsOnly, { provides: Administrator }>()(
  "svc/http/contract/AdministratorsOnly",
  { error: Schema.Union([AuthRequired, Forbidden, Unavailable]) }
) {}

const always = [AuthRequired, Forbidden, Invalid, Unavailable, InternalError] as const

/** What every one may answer, and these. */
const common = Schema.Union(always)
const missing = Schema.Union([...always, NotFound])
const clashing = Schema.Union([...always, NotFound, Conflict])

/** What is no text, or is missing, is an empty one, so that it is refused by its name and not as a defect of the protocol. */
const text = Schema.String.pipe(
  Schema.catchDecoding(() => Effect.succeedSome("")),
  Schema.withDecodingDefault(Effect.succeed(""))
)

export class Administration extends RpcGroup.make(
  /** By an id or an address. */
  Rpc.make("findUser", { payload: { user: text }, success: UserFacts, error: missing }),
  /** By an id, or by the slug of a project of its. */
  Rpc.make("findWorkspace", { payload: { workspace: text }, success: WorkspaceFacts, error: missing }),
  Rpc.make("findProject", { payload: { slug: text }, success: ProjectFacts, error: missing }),
  /** Mails the address a way in that makes its guest an owner. */
  Rpc.make("inviteOwner", {
    payload: { workspace: text, email: text },
    success: OwnerInvite,
    error: Schema.Union([...always, NotFound, Conflict, QuotaExceeded, RateLimited])
  }),
  /** `until` is an RFC 3339 time. A charge alone moves a plan. */
  Rpc.make("extendTrial", { payload: { workspace: text, until: text }, success: WorkspaceFacts, error: clashing }),
  /** `type` is user or workspace. */
  Rpc.make("restoreDeletion", { payload: { type: text, id: text }, success: Schema.Struct({ restored: Schema.Boolean }), error: clashing }),
  /** Its address answers 410 with a page that says so, until it is put back. */
  Rpc.make("takeDown", { payload: { slug: text }, success: ProjectFacts, error: clashing }),
  Rpc.make("putBack", { payload: { slug: text }, success: ProjectFacts, error: clashing }),
  /** Newest first, as all of these. */
  Rpc.make("listTakenDown", { success: ProjectFacts, error: common, stream: true }),
  /** Those given up; what they say stays sealed. */
  Rpc.make("listDeadMails", { success: DeadMail, error: common, stream: true }),
  Rpc.make("retryMail", { payload: { id: text }, error: missing }),
  /** `state` is waiting, failed or all. */
  Rpc.make("listJobs", { payload: { state: text }, success: Job, error: common, stream: true }),
  Rpc.make("retryJob", { payload: { id: text }, success: Job, error: clashing }),
  Rpc.make("statistics", { success: Statistics, error: common })
).middleware(AdministratorsOnly) {}
