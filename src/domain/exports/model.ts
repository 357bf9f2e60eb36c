/** What an export is: everything of a workspace as one zip, for one of its admins (CONTRACT §7). */
import type { DateTime } from "effect"
import { Schema } from "effect"
import { UserId } from "../accounts/model.ts"
import { isId } from "../ids.ts"
import { Role, WorkspaceId } from "../workspaces/model.ts"

export const ExportId = Schema.String.check(isId).pipe(Schema.brand("ExportId"))
export type ExportId = typeof ExportId.Type

/** `queued` → `building` → `ready` → `expired`, or `failed`. Derived from facts, never stored. */
export const ExportStatus = Schema.Literals(["queued", "building", "ready", "expired", "failed"])
export type ExportStatus = typeof ExportStatus.Type

export const Export = Schema.Struct({
  id: ExportId,
  workspaceId: WorkspaceId,
  /** Null once that account is gone. */
  requestedBy: Schema.NullOr(UserId),
  requestedAt: Schema.DateTimeUtcFromDate,
  begunAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  completedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  failedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  sizeBytes: Schema.NullOr(Schema.Number)
})
export type Export = typeof Export.Type

/** One that a build has begun on. */
export const BegunExport = Schema.Struct({
  ...Export.fields,
  /** What earlier ones count for. */
  tries: Schema.Int,
  /** The pack that an earlier try meant to write, and may have written. */
  leftover: Schema.NullOr(Schema.String)
})
export type BegunExport = typeof BegunExport.Type

const Archive = Schema.Struct({
  pack: Schema.String,
  sizeBytes: Schema.Number,
  /** SHA-256, lower-case hex. */
  hash: Schema.String
})
export type Archive = typeof Archive.Type

/** What a link leads to. */
export const Opened = Schema.Struct({
  ...Export.fields,
  archive: Archive,
  /** The requester's present role in the workspace; null if they left it. */
  role: Schema.NullOr(Role)
})
export type Opened = typeof Opened.Type

/** An export as its workspace's admins see it. */
export interface ExportRecord {
  readonly id: ExportId
  readonly status: ExportStatus
  readonly requestedAt: DateTime.Utc
  readonly completedAt: DateTime.Utc | null
  /** When the link ends or ended; null before there is one. */
  readonly expiresAt: DateTime.Utc | null
  readonly sizeBytes: number | null
}
