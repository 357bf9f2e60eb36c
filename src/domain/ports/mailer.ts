/** Mail is enqueued, never sent inline: a program that rolls back sends nothing. */
import { Context, Schema } from "effect"
import type { Effect } from "effect"
import { TrialMail } from "../billing/model.ts"

/** Every mail the service sends (SPEC §6): a new case does not compile until its template exists. */
export const Mail = Schema.TaggedUnion({
  /** To prove an address after signup or resend; the link lives 48 hours. `next`, here and below, is the path on our own origin that it leads on to. */
  VerifyEmail: { to: Schema.String, name: Schema.String, token: Schema.String, next: Schema.optionalKey(Schema.String) },
  /** To someone who signs up with an address that already has an account. */
  AlreadyRegistered: { to: Schema.String, name: Schema.String, next: Schema.optionalKey(Schema.String) },
  /** A link that signs in; it lives 15 minutes. */
  MagicLink: { to: Schema.String, name: Schema.String, token: Schema.String, next: Schema.optionalKey(Schema.String) },
  /** A link to choose a new password; it lives an hour. */
  PasswordReset: { to: Schema.String, name: Schema.String, token: Schema.String, next: Schema.optionalKey(Schema.String) },
  /** To the owner of an account when a device was let in: what asked, from where. */
  DeviceApproved: { to: Schema.String, name: Schema.String, client: Schema.String, address: Schema.String },
  /** To the owner of a project, the first time a share link is opened whose maker wanted to know. */
  ShareLinkOpened: { to: Schema.String, name: Schema.String, label: Schema.String, project: Schema.String, slug: Schema.String },
  /** To someone who is to hear of comments on a project, gathered. `quotes` is empty where they may not read them now. */
  CommentDigest: {
    to: Schema.String,
    name: Schema.String,
    project: Schema.String,
    url: Schema.String,
    count: Schema.Int,
    quotes: Schema.Array(Schema.Struct({ by: Schema.String, about: Schema.String, text: Schema.String })),
    /** Of the link that mutes this project for them. */
    mute: Schema.String
  },
  /** To the admins of a workspace whose trial is about to end or has, or whose links are about to go down; times in ISO 8601. */
  TrialNotice: {
    to: Schema.String,
    name: Schema.String,
    stage: TrialMail,
    workspaceId: Schema.String,
    workspace: Schema.String,
    endsAt: Schema.String,
    linksDownOn: Schema.String
  },
  /** To the admin who asked for an export: it is there until `endsAt`, in ISO 8601. */
  ExportReady: { to: Schema.String, name: Schema.String, workspace: Schema.String, url: Schema.String, endsAt: Schema.String },
  /** To someone invited to a workspace; the link lives seven days. `name` is the guest's, empty when unknown. */
  Invitation: { to: Schema.String, name: Schema.String, inviter: Schema.String, workspace: Schema.String, token: Schema.String }
})
export type Mail = typeof Mail.Type

export class Mailer extends Context.Service<Mailer, {
  readonly enqueue: (mail: Mail) => Effect.Effect<void>
}>()("svc/domain/ports/Mailer") {}
