/** What a share link is: one recipient's own way into a project (SPEC §2, CONTRACT §9). */
import type { DateTime } from "effect"
import { Schema } from "effect"
import { isId } from "../ids.ts"
import { ProjectId } from "../projects/model.ts"

export const ShareLinkId = Schema.String.check(isId).pipe(Schema.brand("ShareLinkId"))
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

/** What may be changed; null clears the expiry, in whichever of its two forms. */
export interface ShareLinkChanges {
  readonly label?: string | undefined
  readonly expiresInDays?: number | null | undefined
  readonly expiresAt?: DateTime.Utc | null | undefined
  readonly notifyOnFirstOpen?: boolean | undefined
}

/** What a link is made from. Without an end it stays until it is revoked. */
export interface ShareLinkDraft extends ShareLinkChanges {
  readonly label: string
}
