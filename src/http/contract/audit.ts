/** What was done in a workspace, for its admins (CONTRACT §5). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Action, EntryId, ListedAt } from "../../domain/audit/model.ts"
import { Sharing } from "../../domain/folders/model.ts"
import { CommentAccess, Visibility } from "../../domain/projects/model.ts"
import { Plan, Role } from "../../domain/workspaces/model.ts"
import { annotate } from "./annotations.ts"
import { Authenticated, WorkspaceAdmin } from "./authentication.ts"
import { paging, Timestamp, wire } from "./wire.ts"
import { whichWorkspace } from "./workspaces.ts"

const id = Schema.String

const TargetView = Schema.Union([
  wire({ type: Schema.Literal("workspace"), id, plan: Schema.optionalKey(Plan) }),
  wire({ type: Schema.Literal("member"), id, role: Schema.optionalKey(Role) }),
  wire({ type: Schema.Literal("invite"), id, role: Role }),
  wire({ type: Schema.Literal("project"), id, visibility: Schema.optionalKey(Visibility) }),
  wire({ type: Schema.Literal("folder"), id, sharing: Sharing }),
  wire({
    type: Schema.Literal("allowlist"),
    level: ListedAt,
    id,
    added: Schema.Int.annotate({ description: "Addresses" }),
    removed: Schema.Int.annotate({ description: "Addresses" }),
    commentAccess: Schema.optionalKey(CommentAccess),
    commentAllowlistInherit: Schema.optionalKey(Schema.Boolean)
  }),
  wire({ type: Schema.Literal("share_link"), id, projectId: id }),
  wire({ type: Schema.Literal("export"), id })
]).annotate({ description: "What was acted on, by its id; for a change of role, visibility or sharing, with the new value. A comment allowlist has the id of its project, folder or workspace" })

const AuditList = wire({
  entries: Schema.Array(wire({
    id: EntryId,
    at: Timestamp,
    actor: Schema.NullOr(Schema.Struct({ id, name: Schema.String })).annotate({ description: "Null for what happened by itself, and once the account is gone" }),
    action: Action,
    target: TargetView,
    called: Schema.NullOr(Schema.Struct({
      slug: Schema.String,
      title: Schema.String,
      label: Schema.NullOr(Schema.String).annotate({ description: "Whom the share link is for; null where the target is none, and once it is revoked" })
    })).annotate({ description: "What the target’s project is called by now; null where it has none, once that is deleted, and in another person’s private folder" })
  })),
  nextCursor: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AuditList" })

export class AuditContract extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit", {
      query: {
        ...whichWorkspace,
        ...paging
      },
      success: AuditList
    }).annotateMerge(annotate(
      "Read the audit log",
      "For admins, newest first: members, invitations, who may look at projects and comment on them, share links, folders’ sharing, paying, the workspace itself. It holds ids, and no contents, addresses, labels or doorcodes; what you may see is named by what it is called now. What happens by itself, such as a lapse, appears in it minutes later."
    ))
  )
  .prefix("/v1/workspace")
  .middleware(WorkspaceAdmin)
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Audit log", description: "Who did what in a workspace." }))
{}
