/** Share links: each gives one recipient their own way into a project (SPEC §2, CONTRACT §9). */
import type { DateTime } from "effect"
import { Schema } from "effect"
import { isId } from "../ids.ts"
import { ProjectId } from "../projects/model.ts"

export const ShareLinkId = Schema.String.check(isId).pipe(Schema.brand("ShareLinkId"))
export type ShareLinkId = typeof ShareLinkId.Type

export const ShareLink = Schema.Struct({
  id: ShareLinkId,
  projectId: ProjectId,
  /** The recipient, in the words of the link's maker. */
  label: Schema.String,
  expiresAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  notifyOnFirstOpen: Schema.Boolean,
  /** How often it was opened. */
  viewCount: Schema.Number,
  firstOpenedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Null also for one that was opened more than once, all before this was kept. */
  lastOpenedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  createdAt: Schema.DateTimeUtcFromDate
})
export type ShareLink = typeof ShareLink.Type

/** The changes to a link; null in either form of the expiry clears it. */
export interface ShareLinkChanges {
  readonly label?: string | undefined
  readonly expiresInDays?: number | null | undefined
  readonly expiresAt?: DateTime.Utc | null | undefined
  readonly notifyOnFirstOpen?: boolean | undefined
}

/** A link to be created. Without an end it works until it is revoked. */
export interface ShareLinkDraft extends ShareLinkChanges {
  readonly label: string
}
