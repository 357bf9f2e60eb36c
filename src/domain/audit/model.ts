/** What the audit log remembers: who did what to which thing. Ids and plain facts, never contents, addresses, labels or codes. */
import { Schema } from "effect"
import type { UserId } from "../accounts/model.ts"
import { Visibility } from "../projects/model.ts"
import { Plan, Role } from "../workspaces/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"

export const EntryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("AuditEntryId"))
export type EntryId = typeof EntryId.Type

export const Action = Schema.Literals([
  "workspace.created",
  "workspace.renamed",
  "workspace.plan_changed",
  "workspace.deletion_scheduled",
  "workspace.restored",
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
  "project.deleted",
  "share_link.created",
  "share_link.changed",
  "share_link.revoked",
  "export.requested",
  "export.downloaded"
])
export type Action = typeof Action.Type

/** What was acted on; for a change of role or visibility, with what it came to be. */
export const Target = Schema.Union([
  Schema.Struct({ type: Schema.Literal("workspace"), id: Schema.String, plan: Schema.optionalKey(Plan) }),
  Schema.Struct({ type: Schema.Literal("member"), id: Schema.String, role: Schema.optionalKey(Role) }),
  Schema.Struct({ type: Schema.Literal("invite"), id: Schema.String, role: Role }),
  Schema.Struct({ type: Schema.Literal("project"), id: Schema.String, visibility: Schema.optionalKey(Visibility) }),
  Schema.Struct({ type: Schema.Literal("share_link"), id: Schema.String, projectId: Schema.String }),
  Schema.Struct({ type: Schema.Literal("export"), id: Schema.String })
])
export type Target = typeof Target.Type

/** What happened, as the program that did it tells. */
export interface Deed {
  readonly workspaceId: WorkspaceId
  /** Null for what happens by itself. */
  readonly actor: UserId | null
  readonly action: Action
  readonly target: Target
}

export const Entry = Schema.Struct({
  id: EntryId,
  at: Schema.DateTimeUtcFromDate,
  /** Null once that account is gone, too. */
  actor: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })),
  action: Action,
  target: Target
})
export type Entry = typeof Entry.Type
