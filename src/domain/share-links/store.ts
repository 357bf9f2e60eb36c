/** What the share link programs need remembered. Implemented by services/database/share-links.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { ProjectId } from "../projects/model.ts"
import type { ShareLink, ShareLinkId } from "./model.ts"

/** A link and the address its project has now. */
export interface Placed {
  readonly link: ShareLink
  readonly slug: string
}

export class ShareLinkStore extends Context.Service<ShareLinkStore, {
  /** In the order they were made; revoked ones left out, expired ones not. */
  readonly list: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<ShareLink>>
  /** How many `list` would answer. */
  readonly count: (projectId: ProjectId) => Effect.Effect<number>
  /** None once it is revoked or its project is gone. */
  readonly find: (id: ShareLinkId) => Effect.Effect<Option.Option<Placed>>
  readonly add: (link: ShareLink, by: UserId, hash: string) => Effect.Effect<void>
  /** As it is afterwards, with the opens counted meanwhile; none once it is revoked. */
  readonly change: (id: ShareLinkId, to: Pick<ShareLink, "expiresAt" | "label" | "notifyOnFirstOpen">) => Effect.Effect<Option.Option<ShareLink>>
  /** True for the one who revokes it. */
  readonly revoke: (id: ShareLinkId, now: DateTime.Utc) => Effect.Effect<boolean>
}>()("svc/domain/share-links/ShareLinkStore") {}
