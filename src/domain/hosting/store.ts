/** The persistence ports of hosting. HostingStore is implemented by services/database/hosting.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { ProjectId, VersionId } from "../projects/model.ts"
import type { ShareLinkId } from "../share-links/model.ts"
import type { FrameVisit, Manifest, NewPass, Site, Visit } from "./model.ts"

export interface AtDoor {
  readonly slug: string
  /** The hash of the request's pass, or null. */
  readonly pass: string | null
}

export interface AtFrame {
  /** The host's label after `svc--`. */
  readonly name: string
  /** The hash of the frame's own cookie, or null. */
  readonly key: string | null
}

/** A share link that was opened. */
export interface OpenedLink {
  readonly id: ShareLinkId
  readonly label: string
  /** Whether this was its first open, and its maker asked that it be told. */
  readonly tells: boolean
  /** The project's. */
  readonly ownerId: UserId
}

export class HostingStore extends Context.Service<HostingStore, {
  /** The facts of this address; undefined where nobody holds it. */
  readonly site: (slug: string) => Effect.Effect<Site | undefined>
  /** The facts for these requests in one round trip, in their order; undefined where nobody holds the address. */
  readonly visits: (asked: ReadonlyArray<AtDoor>) => Effect.Effect<ReadonlyArray<Visit | undefined>>
  /** The same for requests at frames' hosts. */
  readonly frameVisits: (asked: ReadonlyArray<AtFrame>) => Effect.Effect<ReadonlyArray<FrameVisit | undefined>>
  /** None once the version is pruned. A manifest never changes, so it may be cached in memory. */
  readonly manifest: (version: VersionId) => Effect.Effect<Option.Option<Manifest>>
  /** How the version begins, in plain words; null where it has none, or is pruned. Never changes either. */
  readonly excerpt: (version: VersionId) => Effect.Effect<string | null>
}>()("svc/domain/hosting/HostingStore") {}

/** The persistence port of the gates. Implemented by services/database/passes.ts. */
export class PassStore extends Context.Service<PassStore, {
  readonly add: (pass: NewPass) => Effect.Effect<void>
  /** The project's current doorcode; none if it asks for none. */
  readonly doorcode: (projectId: ProjectId) => Effect.Effect<Option.Option<string>>
  /** Counts one open of a live link of this project, in one conditional UPDATE; none for any other token. */
  readonly openLink: (projectId: ProjectId, hash: string, now: DateTime.Utc) => Effect.Effect<Option.Option<OpenedLink>>
  /** Whether this token would open, without counting an open. */
  readonly linkOpens: (projectId: ProjectId, hash: string, now: DateTime.Utc) => Effect.Effect<boolean>
  /** True for the first request that spends this key, across all instances; forgotten an hour after `at`. */
  readonly spend: (hash: string, at: DateTime.Utc) => Effect.Effect<boolean>
  readonly isSpent: (hash: string) => Effect.Effect<boolean>
  /** Ends the member passes that this session led to. */
  readonly endSession: (user: UserId, signedInAt: DateTime.Utc) => Effect.Effect<void>
  /** Records that the project was served raw: from now on its shell must prove itself (Site.servedRaw). */
  readonly markServedRaw: (projectId: ProjectId) => Effect.Effect<void>
  /** Deletes passes given and keys spent before these moments, at most `limit` of each; returns how many. */
  readonly sweep: (before: { readonly passes: DateTime.Utc; readonly keys: DateTime.Utc }, limit: number) => Effect.Effect<number>
}>()("svc/domain/hosting/PassStore") {}
