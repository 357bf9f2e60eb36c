/** What is known of who looked at a project (SPEC §2 analytics, CONTRACT §9 views). */
import type { ProjectId } from "../projects/model.ts"
import type { ShareLinkId } from "../share-links/model.ts"

/** One load of a page that this server answered, as the content plane hands it over. Never stored as it is. */
export interface Seen {
  readonly projectId: ProjectId
  /** Milliseconds since 1970. */
  readonly at: number
  /** As limits count it: IPv6 by its /64. */
  readonly address: string
  readonly userAgent: string
  /** The link whose pass the reader holds. */
  readonly shareLinkId: ShareLinkId | null
}
