/** What hosting knows about a project: the facts that decide who may open it, and where its bytes are. */
import type { DateTime } from "effect"
import { Schema } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { CommentAccess, HtmlDisplayMode, Kind, ProjectId, VersionId, Visibility } from "../projects/model.ts"
import type { ShareLinkId } from "../share-links/model.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { isId } from "../ids.ts"

/** One file of a version: a range of a pack. */
export const Asset = Schema.Struct({
  pack: Schema.String,
  offset: Schema.Int,
  length: Schema.Int,
  /** SHA-256, lower-case hex. */
  hash: Schema.String,
  /** The whole Content-Type, charset included. */
  type: Schema.String,
  /** The name that it came under, if its path is another: a page that is published alone becomes index.html. */
  name: Schema.optionalKey(Schema.String)
})
export type Asset = typeof Asset.Type

/** A version's files by path (no leading slash). Never changes once written. */
export const Manifest = Schema.Record(Schema.String, Asset)
export type Manifest = typeof Manifest.Type

/** A path may be the name of something that every object has. */
export const assetAt = (files: Manifest, path: string): Asset | undefined => Object.hasOwn(files, path) ? files[path] : undefined

export const inPathOrder = (files: Manifest): ReadonlyArray<readonly [path: string, asset: Asset]> =>
  Object.entries(files).sort(([a], [b]) => a < b ? -1 : 1)

/** The version that a project serves. */
export interface ServedVersion {
  readonly id: VersionId
  readonly number: number
  readonly kind: Kind
  /** The path that `/` answers: `index.html` of a site, the one file of every other kind. */
  readonly entry: string
  readonly publishedAt: DateTime.Utc
}

/** The project at an address, as the database has it now. */
export interface Site {
  readonly projectId: ProjectId
  readonly workspaceId: WorkspaceId
  readonly slug: string
  readonly title: string
  readonly visibility: Visibility
  readonly indexable: boolean
  readonly htmlDisplayMode: HtmlDisplayMode
  readonly commentsEnabled: boolean
  readonly commentAccess: CommentAccess
  /** Whether its workspace is scheduled for erasure; the project is unreachable from the request on. */
  readonly deleted: boolean
  /** Whether the service's operator took it down. */
  readonly takenDown: boolean
  readonly expiresAt: DateTime.Utc | null
  readonly trialEndsAt: DateTime.Utc | null
  /** The status of the subscription that its workspace was last charged for; `subscriptionEndsAt` is when that ends or ended. */
  readonly subscriptionStatus: "active" | "past_due" | null
  readonly subscriptionEndsAt: DateTime.Utc | null
  /** Whether another project held this address before: its pages may still sit in a browser's cache. */
  readonly succeeds: boolean
  /** Incremented by every change of visibility or doorcode. */
  readonly accessEpoch: number
  /** Whether author HTML was ever served on this host: its script may still run in an open tab. */
  readonly servedRaw: boolean
  /** The label, after `svc--`, of its frame's host while it is public. */
  readonly frameName: string
  /** Null if nothing was ever published. */
  readonly version: ServedVersion | null
}

export const PassId = Schema.String.check(isId).pipe(Schema.brand("PassId"))
export type PassId = typeof PassId.Type

/** A browser's pass, as the database has it now. Whether it holds is decided on every request. */
export interface Pass {
  readonly id: PassId
  readonly via: "doorcode" | "member" | "link"
  readonly givenAt: DateTime.Utc
  /** The project's access epoch when the pass was given. */
  readonly accessEpoch: number
  /** The label, after `svc--`, of its frame's host. Each pass has its own, so that what a page stores there survives. */
  readonly frameName: string
  /** Null unless it is a member's pass. */
  readonly member: {
    readonly belongs: boolean
    /** Whether the project lies in someone else's private folder. */
    readonly hidden: boolean
    /** Whether the user's session epoch is still the one of that sign-in. */
    readonly sessionHolds: boolean
    /** When the session that gave the pass began. */
    readonly signedInAt: DateTime.Utc
  } | null
  /** Null unless it is a share link's pass. */
  readonly link: {
    readonly id: ShareLinkId
    readonly expiresAt: DateTime.Utc | null
    readonly revoked: boolean
  } | null
}

/** A request at a project's host, with its pass if it has one. */
export interface Visit {
  readonly site: Site
  readonly pass: Pass | null
}

/** A request at a frame's host; `pass` is null on a public project's frame. */
export interface FrameVisit extends Visit {
  /** Whether the request carries the frame's cookie. True on a public frame, which needs none. */
  readonly entered: boolean
}

/** The pass that a gate stores for a browser that it lets in. */
export interface NewPass {
  readonly id: PassId
  readonly projectId: ProjectId
  /** The hash of the cookie on the project's host. */
  readonly hash: string
  readonly accessEpoch: number
  readonly frameName: string
  /** The hash of the cookie on the frame's host. */
  readonly frameHash: string
  readonly givenAt: DateTime.Utc
  readonly by:
    | { readonly via: "doorcode" }
    | { readonly via: "member"; readonly userId: UserId; readonly sessionEpoch: number; readonly signedInAt: DateTime.Utc }
    | { readonly via: "link"; readonly shareLinkId: ShareLinkId }
}
