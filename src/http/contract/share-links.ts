/** Share links (SPEC §4.7, CONTRACT §9): one recipient's own way into a project, its token shown once. */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, Forbidden, NotFound } from "../../domain/failures.ts"
import { ShareLinkId } from "../../domain/share-links/model.ts"
import { annotate } from "./annotations.ts"
import { Authenticated } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { bySlug, days, idOf, line, shownOnly, Status, STRICT, Timestamp, wire } from "./wire.ts"

export const link = {
  id: ShareLinkId,
  label: Schema.String,
  expiresAt: Schema.NullOr(Timestamp).annotate({ description: "Null: it stays until it is revoked" }),
  notifyOnFirstOpen: Schema.Boolean.annotate({ description: "The project’s owner gets a mail when it is opened for the first time, at most fifty such mails an hour" }),
  viewCount: Schema.Int.annotate({ description: "How often it was opened" }),
  firstOpenedAt: Schema.NullOr(Timestamp),
  /** A service from before it was kept answers none. */
  lastOpenedAt: Schema.optionalKey(Schema.NullOr(Timestamp)).annotate({ description: "Null also where it is not known: opened several times, all before this was kept" }),
  createdAt: Timestamp
}

export const ShareLinkView = wire(link).annotate({ identifier: "ShareLink" })

export const newLink = {
  ...link,
  shareUrl: Schema.String.annotate({ description: "What to send. Shown this once." }),
  token: Schema.String.annotate({ description: "The raw token in share_url. Shown this once." })
}

const NewShareLinkView = wire(newLink).annotate({ identifier: "NewShareLink" })

const identified = { id: idOf(ShareLinkId) }

const readOnly = shownOnly("id", "view_count", "first_opened_at", "last_opened_at", "created_at", "share_url", "token")

const ends = {
  expires_in_days: Schema.optionalKey(Schema.NullOr(Schema.Int.check(days))).annotate({ description: "1 to 3650 days from now" }),
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp))
}

const Changes = Schema.Struct({
  label: Schema.optionalKey(line(1, 100)),
  ...ends,
  notify_on_first_open: Schema.optionalKey(Schema.Boolean),
  ...readOnly
}).annotate({ identifier: "ShareLinkChanges" })
export type ShareLinkChangesBody = typeof Changes.Type

const Draft = Schema.Struct({
  label: line(1, 100, "Who it is for: one line"),
  ...ends,
  notify_on_first_open: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
export type ShareLinkDraftBody = typeof Draft.Type

const missing = refusal(NotFound, 404)
const notYours = refusal(Forbidden, 403)

export class ShareLinksContract extends HttpApiGroup.make("shareLinks")
  .add(
    HttpApiEndpoint.get("list", "/projects/:slug/share-links", { params: bySlug, success: Schema.Array(ShareLinkView), error: missing })
      .annotateMerge(annotate("List share links", "Newest first, without their addresses and tokens. Expired ones stay until they are revoked.")),
    HttpApiEndpoint.post("create", "/projects/:slug/share-links", {
      params: bySlug,
      payload: Draft,
      success: NewShareLinkView.pipe(HttpApiSchema.status(201)),
      error: [missing, notYours, refusal(Conflict, 409)]
    }).annotateMerge(annotate(
      "Create a share link",
      "Opens the project to whoever holds it, whatever its visibility. It ends as expires_in_days or expires_at says, not both. The address and its token are in this answer and nowhere else. A project holds 1,000 at most."
    )),
    HttpApiEndpoint.patch("change", "/share-links/:id", {
      params: identified,
      payload: Changes,
      success: ShareLinkView,
      error: [missing, notYours]
    }).annotate(HttpApi.PayloadParseOptions, STRICT)
      .annotateMerge(annotate("Change a share link", "Its label, whether a first opening is mailed, and its end as expires_in_days or expires_at, not both; null clears the end. The address stays the same.")),
    HttpApiEndpoint.delete("revoke", "/share-links/:id", { params: identified, success: Status, error: [missing, notYours] })
      .annotateMerge(annotate("Revoke a share link", "It stops opening at once, also for those it let in. Other links stay."))
  )
  .prefix("/v1")
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Share links", description: "One recipient’s own way into a project, with its own end and its own count." }))
{}
