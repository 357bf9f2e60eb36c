/** What is known of the views of a project (SPEC §2 analytics, CONTRACT §9 views). */
import type { DateTime } from "effect"
import type { Day } from "../days.ts"
import type { ProjectId } from "../projects/model.ts"
import type { ShareLink, ShareLinkId } from "../share-links/model.ts"

/** One page load that this server answered, as the edge reports it. Never stored in this form. */
export interface Seen {
  readonly projectId: ProjectId
  /** Milliseconds since 1970. */
  readonly at: number
  /** As rate limits count it: IPv6 by its /64 prefix. */
  readonly address: string
  readonly userAgent: string
  /** The link whose pass the reader holds. */
  readonly shareLinkId: ShareLinkId | null
}

/** One row: loads of one project by the same reader through the same link, on one day and close together in time. */
export interface Loads extends Seen {
  readonly day: Day
  /** When the last of them came, in milliseconds since 1970. */
  readonly at: number
  readonly count: number
}

export interface DayFigures {
  readonly day: Day
  readonly views: number
  readonly uniqueVisitors: number
  /** Milliseconds since 1970. */
  readonly lastViewedAt: number
}

/** Which days an answer is about: those asked for, as far as the plan keeps them. */
export interface Window {
  readonly days: number
  readonly requestedDays: number
  readonly retentionDays: number
  readonly truncated: boolean
}

export interface Analysis {
  /** Of the window, except `lastViewedAt`, which is the last view known at all. */
  readonly totals: { readonly views: number; readonly uniqueVisitors: number; readonly lastViewedAt: DateTime.Utc | null }
  /** Every day of the window, oldest first. */
  readonly series: ReadonlyArray<{ readonly date: string; readonly views: number; readonly uniqueVisitors: number }>
  /** Newest first. */
  readonly shareLinks: ReadonlyArray<Pick<ShareLink, "label" | "viewCount" | "firstOpenedAt">>
  readonly window: Window
}
