/** Comments (SPEC §4.8, CONTRACT §9): through the API, and as a project's own host answers them to its readers. */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { UserId } from "../../domain/accounts/model.ts"
import { Anchor, ChangeKind, CommentBody, CommentFilter, CommentId, CommentStatus, NewAnchor, Person } from "../../domain/comments/model.ts"
import { Conflict, EmailNotVerified, Forbidden, NotFound, RateLimited } from "../../domain/failures.ts"
import { VersionNumber } from "../../domain/projects/model.ts"
import { annotate } from "./annotations.ts"
import { Authenticated } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { Idempotent } from "./idempotency.ts"
import { bySlug, idOf, paging, shownOnly, Status, STRICT, Switch, Timestamp, wire } from "./wire.ts"

/** Readers of a hosted page see names; members also see email addresses. */
const Reader = Schema.Struct({ id: Schema.NullOr(UserId), name: Schema.String }).annotate({ identifier: "CommentReader" })
const Member = Person.annotate({ identifier: "CommentAuthor", description: "`id` and `email` are null once the account is gone; authors from outside the workspace see no `email` but their own" })

const AnchorView = Schema.Struct({
  ...Anchor.fields,
  where: Schema.String.annotate({ description: "The same in words: “on page 3”, “in row 12, column “Price””" })
}).annotate({ identifier: "CommentAnchor" })

const views = <P extends typeof Member | typeof Reader, const Besides extends Schema.Struct.Fields>(author: P, mark: string, besides: Besides) => {
  const written = { id: CommentId, body: Schema.String, author, edited: Schema.Boolean, createdAt: Timestamp, updatedAt: Timestamp, ...besides }
  const reply = wire({ ...written, parentId: CommentId }).annotate({ identifier: `${mark}Reply` })
  const fields = {
    ...written,
    projectSlug: Schema.String,
    version: Schema.Int.annotate({ description: "The project’s version that its author read" }),
    anchor: Schema.NullOr(AnchorView).annotate({ description: "Null: about the whole document" }),
    status: CommentStatus,
    resolvedAt: Schema.NullOr(Timestamp),
    resolvedBy: Schema.NullOr(author),
    replies: Schema.Array(reply).annotate({ description: "Oldest first" })
  }
  const comment = wire(fields).annotate({ identifier: `${mark}Comment` })
  const list = wire({ comments: Schema.Array(comment), nextCursor: Schema.NullOr(Schema.String) }).annotate({ identifier: `${mark}CommentList` })
  return { fields, comment, reply, list, either: Schema.Union([comment, reply]) }
}

/**
 * The same for everybody, since one text of an event goes to all who follow. Whether they wrote it, readers know. Always sent, but not by
 * services of releases before, which a newer command line reads all the same.
 */
const timed = { editableUntil: Schema.optionalKey(Timestamp) }

const view = views(Member, "", timed)
/** On a project's own host. */
export const originView = views(Reader, "Origin", timed)
/** For agents, who draw no buttons: the list of tools stays short. */
export const toolView = views(Member, "", {})

export const CommentList = view.list

export const OriginList = wire({
  comments: Schema.Array(originView.comment),
  nextCursor: Schema.NullOr(Schema.String),
  /** The newest version: a page that shows an earlier one can say so. */
  version: Schema.Int,
  /** The user whom the comment token belongs to; null without a token. */
  you: Schema.NullOr(wire({ id: UserId, name: Schema.String, mayComment: Schema.Boolean, isMember: Schema.Boolean, mayDeleteAny: Schema.Boolean }))
})

/** The data of a server-sent event whose name is the kind. `comment` is the whole thread as it is now; null once it is gone. */
export const OriginChange = wire({ kind: ChangeKind, id: CommentId, threadId: CommentId, comment: Schema.NullOr(originView.comment) })

export const CommentQuery = {
  status: Schema.optionalKey(CommentFilter).annotate({ description: "open, resolved or all; all by default" }),
  ...paging
}

export const NewComment = Schema.Struct({
  body: CommentBody,
  anchor: Schema.optionalKey(Schema.NullOr(NewAnchor)).annotate({ description: "What it is about; of no use in a reply" }),
  parent_id: Schema.optionalKey(Schema.NullOr(idOf(CommentId))).annotate({ description: "Replies to this comment" }),
  version: Schema.optionalKey(Schema.NullOr(VersionNumber)).annotate({ description: "The version that its author read; the newest one if left out" })
}).annotate({ identifier: "NewComment" })

const Words = Schema.Struct({ body: CommentBody })

/** What is resolved cannot be edited: a thread that is read and sent back is open. */
const stillOpen = Schema.optionalKey(Schema.Literal("open").annotate({
  description: "Shown only. Resolving and reopening have endpoints of their own.",
  message: "To change it, use POST /v1/comments/{id}/resolve or /reopen."
}))

const readOnly = shownOnly("id", "author", "edited", "created_at", "updated_at", "editable_until", "parent_id", "project_slug", "version", "anchor", "resolved_at", "resolved_by", "replies")

/** Either a new text, or a status that resolves or reopens the thread. */
export const OriginEdit = Schema.Struct({ body: Schema.optionalKey(CommentBody), status: Schema.optionalKey(CommentStatus) }).check(
  Schema.makeFilter(({ body, status }) => (body === undefined) !== (status === undefined) ? undefined : { path: ["body"], issue: "Send one: body or status." })
)

export const Removal = { author_only: Schema.optionalKey(Switch).annotate({ description: "true: only where the caller wrote it, within 15 minutes" }) }

const Notifications = Schema.Struct({ muted: Schema.Boolean }).annotate({ identifier: "CommentNotifications" })

const identified = { id: idOf(CommentId) }
const missing = refusal(NotFound, 404)
const writing = [missing, refusal(EmailNotVerified, 403)] as const
const posting = [...writing, refusal(Conflict, 409), refusal(RateLimited, 429)] as const
const changing = [...writing, refusal(Forbidden, 403), refusal(Conflict, 409), refusal(RateLimited, 429)] as const

export class CommentsContract extends HttpApiGroup.make("comments")
  .add(
    HttpApiEndpoint.get("list", "/projects/:slug/comments", { params: bySlug, query: CommentQuery, success: CommentList, error: missing })
      .annotateMerge(annotate("List comments", "Newest first, each with its replies. `anchor.where` says in words what a comment is about. A page of long threads ends before its limit: go on while there is a next_cursor.")),
    HttpApiEndpoint.post("post", "/projects/:slug/comments", {
      params: bySlug,
      payload: NewComment,
      success: view.either.pipe(HttpApiSchema.status(201)),
      error: posting
    }).middleware(Idempotent).annotateMerge(annotate("Post a comment", "For members, while comments are on. With parent_id it is a reply, and answers as one. At most 30 a minute.")),
    HttpApiEndpoint.post("reply", "/comments/:id/replies", {
      params: identified,
      payload: Words,
      success: view.reply.pipe(HttpApiSchema.status(201)),
      error: posting
    }).middleware(Idempotent).annotateMerge(annotate("Reply to a comment", "Replies have none of their own: one to a reply joins its thread.")),
    HttpApiEndpoint.post("resolve", "/comments/:id/resolve", { params: identified, success: view.comment, error: changing }).middleware(Idempotent)
      .annotateMerge(annotate("Resolve a comment", "For members and its author. A resolved one stays as it is. At most 60 changes a minute: resolving, reopening, editing and deleting together.")),
    HttpApiEndpoint.post("reopen", "/comments/:id/reopen", { params: identified, success: view.comment, error: changing }).middleware(Idempotent)
      .annotateMerge(annotate("Reopen a comment", "Undoes resolve. An open one stays as it is.")),
    HttpApiEndpoint.patch("edit", "/comments/:id", { params: identified, payload: Schema.Struct({ ...Words.fields, ...readOnly, status: stillOpen }), success: view.either, error: changing })
      .annotate(HttpApi.PayloadParseOptions, STRICT)
      .annotateMerge(annotate(
        "Edit a comment of your own",
        "Until its editable_until, 15 minutes after it was posted (then 403 with details.reason edit_window_closed), and while it is not resolved (409)."
      )),
    HttpApiEndpoint.delete("remove", "/comments/:id", { params: identified, query: Removal, success: Status, error: changing })
      .annotateMerge(annotate(
        "Delete a comment",
        "With its replies. The project’s owner and the workspace’s admins may delete any; its author as long as they may edit it."
      )),
    HttpApiEndpoint.get("notifications", "/projects/:slug/comment-notifications", { params: bySlug, success: Notifications, error: missing })
      .annotateMerge(annotate("Are mails about comments muted?", "For you, on this project.")),
    HttpApiEndpoint.put("mute", "/projects/:slug/comment-notifications", {
      params: bySlug,
      payload: Notifications,
      success: Notifications,
      error: missing
    }).annotateMerge(annotate("Mute mails about comments", "For you, on this project; false turns them on again."))
  )
  .prefix("/v1")
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({
    title: "Comments",
    description: [
      "What readers and members say about a project.",
      "",
      "On the project’s own host its viewers have the same threads: GET and POST `/_svc/comments`, PATCH (`{body}` or `{status}`) and DELETE `/_svc/comments/{id}`, each with `Authorization: Bearer <comment_token>` from GET /v1/me, and server-sent events at `/_svc/comments/events`. Reading takes only what opens the page. At `ready` list the comments; after it each event carries its thread as it is now. A slow reader gets one event per thread, with the thread as it then is. `published` carries the version that is served from now on. At most 100 streams per client address."
    ].join("\n")
  }))
{}
