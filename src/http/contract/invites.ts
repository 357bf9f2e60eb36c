/** Invitations into a workspace: sending and accepting them (SPEC §4.1, §4.4; CONTRACT §5). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Email } from "../../domain/accounts/email.ts"
import { AccountExists, AuthRequired, Conflict, EmailNotVerified, Forbidden, InvalidToken, NotFound, QuotaExceeded, RateLimited, Unavailable } from "../../domain/failures.ts"
import { InviteId, InviteState } from "../../domain/invites/model.ts"
import { Role } from "../../domain/workspaces/model.ts"
import { userFields } from "./accounts.ts"
import { annotate } from "./annotations.ts"
import { Authenticated, SignsIn, WorkspaceAdmin } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { Idempotent } from "./idempotency.ts"
import { idOf, line, Secret, Status, Timestamp, wire } from "./wire.ts"
import { whichWorkspace } from "./workspaces.ts"

/** `csrf_token` is there only where the answer opens a session for a new account. */
const InviteAccepted = wire({ ...userFields, csrfToken: Schema.optionalKey(Schema.String) }).annotate({ identifier: "InviteAccepted" })

const InviteView = wire({
  id: InviteId,
  email: Schema.String,
  role: Role,
  status: InviteState,
  expiresAt: Timestamp,
  createdAt: Timestamp,
  invitedBy: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })).annotate({ description: "Null once that account is gone" })
}).annotate({ identifier: "Invite" })

const InvitationView = wire({
  workspace: Schema.String,
  workspaceId: Schema.String.annotate({ description: "The workspace’s id: the app opens it once the invitation is accepted" }),
  inviter: Schema.NullOr(Schema.String),
  email: Schema.String.annotate({ description: "Whom it is for" }),
  role: Role,
  expiresAt: Timestamp,
  hasAccount: Schema.Boolean.annotate({ description: "Whether that address has an account, which must then be signed in" }),
  signedInAs: Schema.NullOr(Schema.String).annotate({ description: "The email address of the session that was sent, if any" })
}).annotate({ identifier: "Invitation" })

const Invited = InviteView.pipe(HttpApiSchema.status(201))

const named = { invite_id: idOf(InviteId) }
const noInvite = refusal(NotFound, 404)
const invitable = [refusal(EmailNotVerified, 403), refusal(Conflict, 409), refusal(QuotaExceeded, 402), refusal(RateLimited, 429)] as const

export class InvitesContract extends HttpApiGroup.make("invites")
  .add(
    HttpApiEndpoint.get("list", "/v1/workspace/invites", { query: whichWorkspace, success: Schema.Array(InviteView) })
      .annotateMerge(annotate("List invitations", "For admins, newest first; accepted and expired ones too, until thirty days after they would have expired.")),
    HttpApiEndpoint.post("create", "/v1/workspace/invites", {
      query: whichWorkspace,
      payload: Schema.Struct({ email: Email, role: Role }),
      success: Invited,
      error: invitable
    }).middleware(Idempotent).annotateMerge(annotate(
      "Invite somebody",
      "For admins. Mails a link that works once, for seven days, and holds a seat meanwhile. An address has one invitation at a time: another replaces it, and its link is void."
    )),
    HttpApiEndpoint.delete("cancel", "/v1/workspace/invites/:invite_id", { params: named, query: whichWorkspace, success: Status, error: noInvite })
      .annotateMerge(annotate("Cancel an invitation", "For admins. Its link is void, and its seat is free.")),
    HttpApiEndpoint.post("resend", "/v1/workspace/invites/:invite_id/resend", {
      params: named,
      query: whichWorkspace,
      success: Invited,
      error: [noInvite, ...invitable]
    }).middleware(Idempotent).annotateMerge(annotate(
      "Send an invitation again",
      "For admins. A new one for the same address and role takes its place, with a new link and seven more days; where it had expired, it needs a seat again."
    ))
  )
  .middleware(WorkspaceAdmin)
  .middleware(Authenticated)
  .add(
    HttpApiEndpoint.post("look", "/v1/auth/invites/look", {
      payload: Schema.Struct({ token: Secret }),
      success: InvitationView,
      error: [refusal(InvalidToken, 401), refusal(AuthRequired, 401), refusal(AccountExists, 409), refusal(RateLimited, 429)]
    }).annotateMerge(annotate(
      "See an invitation",
      "For the page where its link lands. Takes the token from the mail, and changes nothing. A POST, so that no address carries the token. 409 `account_exists` where nobody can sign in to the account of that address, since it was deleted and waits to be erased; `details.erase_on` says until when."
    )),
    HttpApiEndpoint.post("accept", "/v1/auth/invites/accept", {
      payload: Schema.Struct({
        token: Secret,
        name: Schema.optionalKey(Schema.NullOr(line(0, 100))),
        password: Schema.optionalKey(Schema.NullOr(Secret))
      }),
      success: InviteAccepted,
      error: [refusal(InvalidToken, 401), refusal(AuthRequired, 401), refusal(Forbidden, 403), refusal(AccountExists, 409), refusal(RateLimited, 429), refusal(Unavailable, 503)]
    }).middleware(SignsIn).annotateMerge(annotate(
      "Accept an invitation",
      [
        "Takes the token from the mail. Where the invited address has no account, one is made and signed in: `name` is needed, `password` is not,",
        "and the answer sets the session and CSRF cookies and carries `csrf_token`. Where it has one, its owner must be signed in (a session with",
        "`X-CSRF-Token`): the membership is added and the session goes on. Anybody else gets 409 `account_exists`."
      ].join(" ")
    ))
  )
  .annotateMerge(OpenApi.annotations({ title: "Invitations", description: "How people are invited into a workspace." }))
{}
