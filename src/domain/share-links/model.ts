/** What a share link is: one recipient's own way into a project (SPEC §2, CONTRACT §9). */
import { Schema } from "effect"
import { ProjectId } from "../projects/model.ts"

export const ShareLinkId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ShareLinkId"))
export type ShareLinkId = typeof ShareLinkId.Type

export const ShareLink = Schema.Struct({
  id: ShareLinkId,
  projectId: ProjectId,
  /** Who it is for, in its maker's words. */
  label: Schema.String,
  expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  notifyOnFirstOpen: Schema.Boolean,
  /** How often it was opened. */
  viewCount: Schema.Number,
  firstOpenedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  createdAt: Schema.DateTimeUtcFromDate
})
export type ShareLink = typeof ShareLink.Type
