/** Deleting an account or a workspace, and the one way back (SPEC §3, §4.1, §4.4; CONTRACT §7). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { TargetType } from "../../domain/erasure/model.ts"
import { Conflict, Forbidden, NotFound, RateLimited, Unavailable } from "../../domain/failures.ts"
import { WorkspaceId } from "../../domain/workspaces/model.ts"
import { annotate } from "./annotations.ts"
import { Authenticated, SessionOnly } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { Idempotent } from "./idempotency.ts"
import { Bytes, idOf, Secret, Timestamp, wire } from "./wire.ts"

const Links = Schema.Int.annotate({ description: "Addresses that answer until the deletion is requested, and answer 410 from then on" })
const When = Timestamp.annotate({ description: "When it is erased, thirty days after the request; until then it can be restored" })

const Impact = wire({
  blocked: Schema.Boolean,
  blockers: Schema.Array(wire({ workspaceId: WorkspaceId, name: Schema.String, otherMembers: Schema.Int })).annotate({
    description: "Workspaces with others in them that the account owns, or is the last admin of"
  }),
  workspaces: Schema.Array(wire({ id: WorkspaceId, name: Schema.String, projects: Schema.Int, liveLinks: Links })).annotate({
    description: "Workspaces that nobody else is in: they are deleted with the account"
  }),
  projects: Schema.Int,
  liveLinks: Links,
  storageBytes: Bytes,
  eraseOn: When
}).annotate({ identifier: "DeletionImpact" })

const WorkspaceImpact = wire({
  workspaceId: WorkspaceId,
  name: Schema.String,
  otherMembers: Schema.Int,
  projects: Schema.Int,
  liveLinks: Links,
  storageBytes: Bytes,
  eraseOn: When
}).annotate({ identifier: "WorkspaceDeletionImpact" })

const Scheduled = wire({
  status: Schema.Literal("scheduled"),
  targetType: TargetType,
  targetId: Schema.String,
  eraseOn: When,
  liveLinks: Links
}).annotate({ identifier: "ScheduledDeletion" })

export class ErasureContract extends HttpApiGroup.make("erasure")
  .add(
    HttpApiEndpoint.delete("deleteAccount", "/me", {
      payload: Schema.Struct({ password: Secret }),
      success: Scheduled.pipe(HttpApiSchema.status(202)),
      error: [refusal(Forbidden, 403), refusal(Conflict, 409), refusal(RateLimited, 429), refusal(Unavailable, 503)]
    }).annotateMerge(annotate(
      "Delete the account",
      "Confirmed with the password. Sessions and tokens stop at once, and so do the links of workspaces that nobody else is in; thirty days later all of it is erased. What the account made in the workspaces of others stays there, by a “former user”; its private folders there then become the team’s. See the impact first."
    )).middleware(SessionOnly),
    HttpApiEndpoint.get("impact", "/me/deletion-impact", { success: Impact })
      .annotateMerge(annotate("See what deleting the account means", "The same check decides the deletion: where `blocked` is true, it is refused.")).middleware(Authenticated),
    HttpApiEndpoint.get("workspaceImpact", "/workspace/deletion-impact", {
      query: { workspace: idOf(WorkspaceId) },
      success: WorkspaceImpact,
      error: [refusal(NotFound, 404), refusal(Forbidden, 403)]
    }).annotateMerge(annotate("See what deleting a workspace means", "For its admins.")).middleware(Authenticated),
    HttpApiEndpoint.delete("deleteWorkspace", "/workspace", {
      query: { workspace: Schema.optionalKey(idOf(WorkspaceId, "The same as in the body, where it is given")) },
      payload: Schema.Struct({ workspace: idOf(WorkspaceId), password: Secret }),
      success: Scheduled.pipe(HttpApiSchema.status(202)),
      error: [refusal(NotFound, 404), refusal(Forbidden, 403), refusal(RateLimited, 429), refusal(Unavailable, 503)]
    }).annotateMerge(annotate(
      "Delete a workspace",
      "For admins, who confirm it with their password. Its links stop at once, and its members no longer see it; it is erased thirty days later. Its subscription ends with its period."
    )).middleware(Authenticated),
    HttpApiEndpoint.post("restore", "/admin/deletions/:target_type/:target_id/restore", {
      params: { target_type: Schema.String, target_id: Schema.String },
      success: Schema.Struct({ restored: Schema.Boolean }),
      error: [refusal(NotFound, 404), refusal(Forbidden, 403), refusal(Conflict, 409)]
    }).middleware(Idempotent).annotateMerge(annotate(
      "Restore a deletion",
      "For platform administrators, until the erasure has begun. False where there is nothing to restore: a workspace that goes with an account comes back with that account. A workspace whose admins’ accounts are to be erased as well is a `conflict`, whose `details.restore_first` names them.",
      {
        parameters: [
          { name: "target_type", in: "path", required: true, schema: { type: "string", enum: [...TargetType.literals] } },
          { name: "target_id", in: "path", required: true, schema: { type: "string", format: "uuid" } }
        ]
      }
    )).middleware(Authenticated)
  )
  .prefix("/v1")
  .annotateMerge(OpenApi.annotations({ title: "Deletion", description: "Offline at once, erased thirty days later." }))
{}
