/** The persistence port of share links. Implemented by services/database/share-links.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { ProjectId } from "../projects/model.ts"
import type { ShareLink, ShareLinkId } from "./model.ts"

/** A link and its project's current slug. */
export interface PlacedLink {
  readonly link: ShareLink
  readonly slug: string
}

export class ShareLinkStore extends Context.Service<ShareLinkStore, {
  /** In order of creation, without revoked links; expired ones are included. */
  readonly list: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<ShareLink>>
  /** How many links `list` would return. */
  readonly count: (projectId: ProjectId) => Effect.Effect<number>
  /** None once the link is revoked or its project deleted. */
  readonly find: (id: ShareLinkId) => Effect.Effect<Option.Option<PlacedLink>>
  readonly add: (link: ShareLink, by: UserId, hash: string) => Effect.Effect<void>
  /** Returns the changed link, with opens that were counted meanwhile; none once it is revoked. */
  readonly change: (id: ShareLinkId, to: Pick<ShareLink, "expiresAt" | "label" | "notifyOnFirstOpen">) => Effect.Effect<Option.Option<ShareLink>>
  /** True for the one call that revokes it. */
  readonly revoke: (id: ShareLinkId, now: DateTime.Utc) => Effect.Effect<boolean>
  /** Forgets the labels of revoked links that kept theirs; of at most `limit`, returns how many. */
  readonly sweepLabels: (limit: number) => Effect.Effect<number>
}>()("svc/domain/share-links/ShareLinkStore") {}
