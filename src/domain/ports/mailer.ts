/** Mail is enqueued in the transaction, never sent inline: a program that rolls back sends nothing. */
import { Context, Schema } from "effect"
import type { Effect } from "effect"
import { TrialMail } from "../billing/model.ts"
import { CommentId } from "../comments/model.ts"
import { ProjectId } from "../projects/model.ts"
import { WorkspaceId } from "../workspaces/model.ts"

/** Every mail that the service sends (SPEC §6). A new case does not compile until its template exists. */
export const Mail = Schema.TaggedUnion({
  /** To verify an address after signup or resend; the link works for 48 hours. `next`, here and below: the path on our own origin to continue to. */
  VerifyEmail: { to: Schema.String, name: Schema.String, token: Schema.String, next: Schema.optionalKey(Schema.String) },
  /** To someone who signs up with an address that already has an account. */
  AlreadyRegistered: { to: Schema.String, name: Schema.String, next: Schema.optionalKey(Schema.String) },
  /** To someone who signs up with the address of a deleted account, which is erased at `eraseOn`, in ISO 8601. */
  ToBeErased: { to: Schema.String, name: Schema.String, eraseOn: Schema.String },
  /** A link that signs in; it works for 15 minutes. */
  MagicLink: { to: Schema.String, name: Schema.String, token: Schema.String, next: Schema.optionalKey(Schema.String) },
  /** A link to choose a new password; it works for an hour. */
  PasswordReset: { to: Schema.String, name: Schema.String, token: Schema.String, next: Schema.optionalKey(Schema.String) },
  /** To the owner of an account when a device was approved: its name and address. */
  DeviceApproved: { to: Schema.String, name: Schema.String, client: Schema.String, address: Schema.String },
  /** To whoever looks after a project, when a share link is first opened whose maker asked for this mail. `projectId`, here and below: releases before did not say. */
  ShareLinkOpened: {
    to: Schema.String,
    name: Schema.String,
    label: Schema.String,
    project: Schema.String,
    projectId: Schema.optionalKey(ProjectId),
    slug: Schema.String
  },
  /** A digest of these comments on a project; releases before did not say which. `quotes` is empty if the recipient may not read them now. */
  CommentDigest: {
    to: Schema.String,
    name: Schema.String,
    project: Schema.String,
    url: Schema.String,
    count: Schema.Int,
    comments: Schema.optionalKey(Schema.Array(CommentId)),
    quotes: Schema.Array(Schema.Struct({ by: Schema.String, about: Schema.String, text: Schema.String })),
    /** The sealed token of the link that mutes this project for the recipient. */
    mute: Schema.String
  },
  /** To the admins of a workspace whose trial ends soon or has ended, or whose links stop soon; times in ISO 8601. `sold`: whether plans are; releases before did not say. */
  TrialNotice: {
    to: Schema.String,
    name: Schema.String,
    stage: TrialMail,
    workspaceId: Schema.String,
    workspace: Schema.String,
    endsAt: Schema.String,
    linksDownOn: Schema.String,
    sold: Schema.optionalKey(Schema.Boolean)
  },
  /** To the admin who asked for an export; it can be downloaded until `endsAt`, in ISO 8601. */
  ExportReady: { to: Schema.String, name: Schema.String, workspace: Schema.String, url: Schema.String, endsAt: Schema.String },
  /** To the admin who asked for an export that is given up. `noRoom`: it does not fit where archives are kept. */
  ExportFailed: { to: Schema.String, name: Schema.String, workspaceId: Schema.String, workspace: Schema.String, noRoom: Schema.Boolean },
  /** To everybody else in a workspace that an admin, `by`, deleted: it is erased at `eraseOn`, in ISO 8601. */
  WorkspaceDeleted: {
    to: Schema.String,
    name: Schema.String,
    by: Schema.String,
    workspaceId: WorkspaceId,
    workspace: Schema.String,
    eraseOn: Schema.String
  },
  /** To those who look after a project that whoever runs the service took down. */
  ProjectTakenDown: { to: Schema.String, name: Schema.String, projectId: Schema.optionalKey(ProjectId), slug: Schema.String },
  /**
   * To a guest invited to a workspace; the link works for seven days. `name` is the guest's, empty if unknown. `owner`: whoever runs the
   * service invites them to own it; releases before did not say.
   */
  Invitation: {
    to: Schema.String,
    name: Schema.String,
    inviter: Schema.String,
    workspace: Schema.String,
    token: Schema.String,
    owner: Schema.optionalKey(Schema.Boolean)
  }
})
export type Mail = typeof Mail.Type

export class Mailer extends Context.Service<Mailer, {
  readonly enqueue: (mail: Mail) => Effect.Effect<void>
}>()("svc/domain/ports/Mailer") {}
