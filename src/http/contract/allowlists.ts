/** Comment allowlists of projects, folders and workspaces (SPEC §4.6, CONTRACT §8). */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Email } from "../../domain/accounts/email.ts"
import { MAX_EMAILS, TOO_MANY } from "../../domain/allowlists/model.ts"
import type { AskedChanges } from "../../domain/allowlists/model.ts"
import { Forbidden, NotFound } from "../../domain/failures.ts"
import { FolderId } from "../../domain/folders/model.ts"
import { CommentAccess } from "../../domain/projects/model.ts"
import { annotate } from "./annotations.ts"
import { Authenticated } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { bySlug, idOf, STRICT, wire } from "./wire.ts"
import { whichWorkspace } from "./workspaces.ts"

const Access = CommentAccess.annotate({
  description: "`members`: members only; `allowlist`: members and the listed addresses; `anyone`: whoever is signed in and can open the project"
})

export const allowlist = {
  commentAccess: Access,
  commentAllowlistInherit: Schema.Boolean.annotate({ description: "Whether the level above adds its addresses; always false for a workspace" }),
  emails: Schema.Array(Schema.String).annotate({ description: "What this level adds" }),
  inheritedEmails: Schema.Array(Schema.String).annotate({ description: "What the level above gives, its own inheritance included" })
}

const AllowlistView = wire(allowlist).annotate({ identifier: "CommentAllowlist" })

/** Counted before any address is decoded: a body can hold some hundred thousand, and each bad one would be a fault of its own. */
export const Emails = Schema.Array(Schema.Unknown).check(
  Schema.isMaxLength(MAX_EMAILS, {
    message: TOO_MANY,
    toJsonSchema: () => ({ maxItems: MAX_EMAILS, items: Schema.toJsonSchemaDocument(Email).schema })
  })
).pipe(Schema.decodeTo(Schema.Array(Email)))

const Changes = Schema.Struct({
  comment_access: Schema.optionalKey(Schema.NullOr(Access)),
  comment_allowlist_inherit: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  emails: Schema.optionalKey(Schema.NullOr(Emails)).annotate({ description: "The whole list; compared without regard to case, each kept once" }),
  add_emails: Schema.optionalKey(Schema.NullOr(Emails)).annotate({ description: "Put on the list as it is by then, whatever others changed meanwhile; not beside `emails`" }),
  remove_emails: Schema.optionalKey(Schema.NullOr(Emails)).annotate({ description: "Taken off it, before the others are added; not beside `emails`" }),
  /** Read-only and ignored, so that a client can send back what GET answered. */
  inherited_emails: Schema.optionalKey(Schema.Unknown).annotate({ description: "Read-only; ignored" })
}).annotate({ identifier: "CommentAllowlistChanges" })
export type AllowlistBody = typeof Changes.Type

/** As the program takes them; absent and null mean the same. */
export const changesOf = (body: Omit<AllowlistBody, "inherited_emails">): AskedChanges => ({
  commentAccess: body.comment_access ?? undefined,
  commentAllowlistInherit: body.comment_allowlist_inherit ?? undefined,
  emails: body.emails ?? undefined,
  addEmails: body.add_emails ?? undefined,
  removeEmails: body.remove_emails ?? undefined
})

const folder = { id: idOf(FolderId) }

const missing = refusal(NotFound, 404)
const refusals = [missing, refusal(Forbidden, 403)] as const

const kept = "Only what is given changes. `emails` replaces the whole list; `add_emails` and `remove_emails` leave the rest of it as it is. Any other field is refused."
const starts = "`comment_access` is what a new project there starts with."

export class AllowlistsContract extends HttpApiGroup.make("allowlists")
  .add(
    HttpApiEndpoint.get("ofProject", "/projects/:slug/comment-allowlist", { params: bySlug, success: AllowlistView, error: missing })
      .annotateMerge(annotate("Who may comment on a project", "It inherits its folder’s list, or the workspace’s where it is in no folder.")),
    HttpApiEndpoint.put("changeProject", "/projects/:slug/comment-allowlist", {
      params: bySlug,
      payload: Changes,
      success: AllowlistView,
      error: refusals
    }).annotate(HttpApi.PayloadParseOptions, STRICT)
      .annotateMerge(annotate("Change who may comment on a project", kept)),
    HttpApiEndpoint.get("ofFolder", "/folders/:id/comment-allowlist", { params: folder, success: AllowlistView, error: missing })
      .annotateMerge(annotate(
        "Who may comment on a folder’s projects",
        `It inherits the workspace’s list. ${starts} Until the folder has one of its own, the workspace’s applies.`
      )),
    HttpApiEndpoint.put("changeFolder", "/folders/:id/comment-allowlist", {
      params: folder,
      payload: Changes,
      success: AllowlistView,
      error: refusals
    }).annotate(HttpApi.PayloadParseOptions, STRICT)
      .annotateMerge(annotate("Change who may comment on a folder’s projects", kept)),
    HttpApiEndpoint.get("ofWorkspace", "/workspace/comment-allowlist", { query: whichWorkspace, success: AllowlistView, error: missing })
      .annotateMerge(annotate("Who may comment in a workspace", `The top level: it inherits nothing. ${starts}`)),
    HttpApiEndpoint.put("changeWorkspace", "/workspace/comment-allowlist", {
      query: whichWorkspace,
      payload: Changes,
      success: AllowlistView,
      error: refusals
    }).annotate(HttpApi.PayloadParseOptions, STRICT).annotate(HttpApi.QueryParseOptions, STRICT)
      .annotateMerge(annotate("Change who may comment in a workspace", `For its admins. ${kept}`))
  )
  .prefix("/v1")
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({
    title: "Comment allowlists",
    description: "Addresses of people who may comment without being members, at three levels. What a level inherits is looked up every time: a project that moves uses its new folder’s list at once."
  }))
{}
