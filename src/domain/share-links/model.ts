/** What a share link is: one recipient's own way into a project (SPEC §2, CONTRACT §9). */
import type { DateTime } from "effect"
import { Schema } from "effect"
import { ProjectId } from "../projects/model.ts"

export const ShareLinkId = Schema.String.check(Schema.isUUID(undefined, { message: "This is not an id." })).pipe(Schema.brand("ShareLinkId"))
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

/** What a link is made from. */
export interface ShareLinkDraft {
  readonly label: string
  /** Without it, the link stays until it is revoked. */
  readonly expiresInDays: number | null | undefined
  readonly notifyOnFirstOpen: boolean
}

/** What may be changed; null clears the expiry, in whichever of its two forms. */
export interface ShareLinkChanges {
  readonly label?: string | undefined
  readonly expiresInDays?: number | null | undefined
  readonly expiresAt?: DateTime.Utc | null | undefined
  readonly notifyOnFirstOpen?: boolean | undefined
}
