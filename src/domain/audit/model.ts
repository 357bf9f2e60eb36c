/** What the audit log remembers: who did what to which thing. Ids and plain facts, never contents, addresses, labels or codes. */
import { Schema } from "effect"
import type { UserId } from "../accounts/model.ts"
import { Sharing } from "../folders/model.ts"
import { isId } from "../ids.ts"
import { CommentAccess, Visibility } from "../projects/model.ts"
import { Plan, Role } from "../workspaces/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"

export const EntryId = Schema.String.check(isId).pipe(Schema.brand("AuditEntryId"))
export type EntryId = typeof EntryId.Type

export const Action = Schema.Literals([
  "workspace.created",
  "workspace.renamed",
  "workspace.plan_changed",
  "workspace.trial_extended",
  "workspace.lapsed",
  "workspace.deletion_scheduled",
  "workspace.restored",
  "billing.checkout_started",
  "billing.portal_opened",
  "subscription.started",
  "subscription.past_due",
  "subscription.recovered",
  "subscription.cancelled",
  "subscription.resumed",
  "subscription.ended",
  "subscription.duplicate_refunded",
  "subscription.duplicate_ended",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "member.left",
  "invite.created",
  "invite.resent",
  "invite.cancelled",
  "invite.accepted",
  "project.visibility_changed",
  "project.doorcode_changed",
  "project.renamed",
  "project.retitled",
  "project.deleted",
  "project.taken_down",
  "project.put_back",
  "folder.sharing_changed",
  "allowlist.changed",
  "share_link.created",
  "share_link.changed",
  "share_link.revoked",
  "export.requested",
  "export.downloaded"
])
export type Action = typeof Action.Type

/** The level that a comment allowlist belongs to. */
export const ListedAt = Schema.Literals(["project", "folder", "workspace"])

/** What was acted on; for a change of role, visibility or sharing, with the new value. */
export const Target = Schema.Union([
  Schema.Struct({ type: Schema.Literal("workspace"), id: Schema.String, plan: Schema.optionalKey(Plan) }),
  Schema.Struct({ type: Schema.Literal("member"), id: Schema.String, role: Schema.optionalKey(Role) }),
  Schema.Struct({ type: Schema.Literal("invite"), id: Schema.String, role: Role }),
  Schema.Struct({ type: Schema.Literal("project"), id: Schema.String, visibility: Schema.optionalKey(Visibility) }),
  Schema.Struct({ type: Schema.Literal("folder"), id: Schema.String, sharing: Sharing }),
  /** The list of the project, folder or workspace of this id: how many addresses were added and removed. */
  Schema.Struct({
    type: Schema.Literal("allowlist"),
    level: ListedAt,
    id: Schema.String,
    added: Schema.Int,
    removed: Schema.Int,
    commentAccess: Schema.optionalKey(CommentAccess),
    commentAllowlistInherit: Schema.optionalKey(Schema.Boolean)
  }),
  Schema.Struct({ type: Schema.Literal("share_link"), id: Schema.String, projectId: Schema.String }),
  Schema.Struct({ type: Schema.Literal("export"), id: Schema.String })
])
export type Target = typeof Target.Type

/** What happened, as told by the program that did it. */
export interface Deed {
  readonly workspaceId: WorkspaceId
  /** Null for what the service does by itself. */
  readonly actor: UserId | null
  readonly action: Action
  /** By default the workspace itself. */
  readonly target?: Target
}

export const Entry = Schema.Struct({
  id: EntryId,
  at: Schema.DateTimeUtcFromDate,
  /** Also null once that account is gone. */
  actor: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })),
  action: Action,
  target: Target,
  /** A project or a share link by its name of now; null for all else, and where the reader may not see it or it is gone. */
  called: Schema.NullOr(Schema.Struct({ slug: Schema.String, title: Schema.String, label: Schema.NullOr(Schema.String) }))
})
export type Entry = typeof Entry.Type
