/** Workspaces (SPEC §4.4, CONTRACT §5): the tenants that hold plan, quotas and members. */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict } from "../../domain/failures.ts"
import { BillingState, MAX_NAME, Plan, Role, WorkspaceId } from "../../domain/workspaces/model.ts"
import { annotate } from "./annotations.ts"
import { Authenticated, WorkspaceAdmin } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { Idempotent } from "./idempotency.ts"
import { Bytes, idOf, line, shownOnly, STRICT, Timestamp, wire } from "./wire.ts"

/** Which workspace is meant: the caller's primary one by default. */
export const whichWorkspace = { workspace: Schema.optionalKey(idOf(WorkspaceId, "The caller’s primary workspace by default")) }

/** A workspace as all of its members see it. */
export const workspaceFields = {
  id: WorkspaceId,
  name: Schema.String,
  plan: Plan,
  role: Role,
  isOwner: Schema.Boolean,
  trialEndsAt: Schema.NullOr(Timestamp),
  billingState: BillingState,
  linksDownOn: Schema.NullOr(Timestamp)
}

const WorkspaceView = wire({
  ...workspaceFields,
  memberCount: Schema.Int,
  usage: wire({
    projects: Schema.Int,
    storageBytes: Bytes,
    seats: Schema.Int.annotate({ description: "Members and pending invitations" })
  }),
  limits: wire({
    projects: Schema.Int,
    storageBytes: Bytes,
    seats: Schema.Int,
    uploadBytes: Bytes,
    versionsKept: Schema.Int,
    analyticsDays: Schema.Int
  }),
  createdAt: Timestamp
}).annotate({ identifier: "Workspace" })

const readOnly = shownOnly("id", "workspace_id", "plan", "role", "is_owner", "trial_ends_at", "billing_state", "links_down_on", "member_count", "usage", "limits", "created_at")

const name = line(1, MAX_NAME)

export class WorkspacesContract extends HttpApiGroup.make("workspaces")
  .add(
    HttpApiEndpoint.get("get", "/workspace", { query: whichWorkspace, success: WorkspaceView })
      .annotateMerge(annotate("Get a workspace", "For its admins: its plan, its usage, and how its billing stands.")),
    HttpApiEndpoint.patch("change", "/workspace", {
      query: whichWorkspace,
      payload: Schema.Struct({ name: Schema.optionalKey(name), ...readOnly }),
      success: WorkspaceView
    }).annotate(HttpApi.PayloadParseOptions, STRICT).annotate(HttpApi.QueryParseOptions, STRICT)
      .annotateMerge(annotate("Rename a workspace", "For its admins."))
  )
  .middleware(WorkspaceAdmin)
  .add(
    HttpApiEndpoint.post("create", "/workspaces", {
      payload: Schema.Struct({ name }),
      success: WorkspaceView.pipe(HttpApiSchema.status(201)),
      error: refusal(Conflict, 409)
    }).middleware(Idempotent).annotateMerge(annotate(
      "Make a workspace",
      "On the Starter plan, with its creator as the owner. There is no second trial: where billing is configured, publishing begins with the first charge."
    ))
  )
  .prefix("/v1")
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Workspaces", description: "What projects, members and a plan belong to." }))
{}
