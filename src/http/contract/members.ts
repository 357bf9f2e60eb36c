/** The members of a workspace (SPEC §4.4, CONTRACT §5). */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { UserId } from "../../domain/accounts/model.ts"
import { Conflict, Forbidden, NotFound } from "../../domain/failures.ts"
import { Role } from "../../domain/workspaces/model.ts"
import { annotate } from "./annotations.ts"
import { Authenticated, WorkspaceAdmin } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { idOf, shownOnly, Status, STRICT, Timestamp, wire } from "./wire.ts"
import { whichWorkspace } from "./workspaces.ts"

const MemberView = wire({
  userId: UserId,
  name: Schema.String,
  email: Schema.String,
  role: Role,
  isOwner: Schema.Boolean,
  joinedAt: Timestamp
}).annotate({ identifier: "Member" })

const named = { user_id: idOf(UserId) }

const readOnly = shownOnly("user_id", "name", "email", "is_owner", "joined_at", "workspace_id")

const refusals = [refusal(NotFound, 404), refusal(Forbidden, 403), refusal(Conflict, 409)] as const

export class MembersContract extends HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.patch("changeRole", "/:user_id", {
      params: named,
      query: whichWorkspace,
      payload: Schema.Struct({ role: Role, ...readOnly }),
      success: MemberView,
      error: refusals
    }).annotate(HttpApi.PayloadParseOptions, STRICT).annotate(HttpApi.QueryParseOptions, STRICT)
      .annotateMerge(annotate(
        "Change a member’s role",
        "For admins. The last admin stays one, and an owner is changed by an owner alone. An owner who steps down owns the workspace again once they are an admin."
      ))
  )
  .middleware(WorkspaceAdmin)
  .add(
    HttpApiEndpoint.get("list", "/", { query: whichWorkspace, success: Schema.Array(MemberView) })
      .annotateMerge(annotate("List members", "For every member, in the order they joined; anybody else gets an empty list.")),
    HttpApiEndpoint.delete("remove", "/:user_id", { params: named, query: whichWorkspace, success: Status, error: refusals })
      .annotateMerge(annotate(
        "Remove a member, or leave",
        [
          "Admins remove others, an owner only if they are owners too; anybody may leave. The last admin stays: `conflict`. Access ends at once.",
          "The projects stay in the workspace, and their private folders there become the team’s."
        ].join(" ")
      ))
  )
  .prefix("/v1/workspace/members")
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Members", description: "Who belongs to a workspace." }))
{}
