/** What the content plane knows of a project: the facts that decide who may open it, and where its bytes are. */
import type { DateTime } from "effect"
import { Schema } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { HtmlDisplayMode, Kind, ProjectId, VersionId, Visibility } from "../projects/model.ts"
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
  type: Schema.String
})
export type Asset = typeof Asset.Type

/** A version's files by path (no leading slash). Never changes once written. */
export const Manifest = Schema.Record(Schema.String, Asset)
export type Manifest = typeof Manifest.Type

/** A project at its address, as the database knows it now. */
export interface Site {
  readonly projectId: ProjectId
  readonly workspaceId: WorkspaceId
  readonly slug: string
  readonly title: string
  readonly visibility: Visibility
  readonly indexable: boolean
  readonly htmlDisplayMode: HtmlDisplayMode
  readonly commentsEnabled: boolean
  /** Whether its workspace is to be erased: dark from the request on. */
  readonly deleted: boolean
  /** Whether whoever runs the service took it down. */
  readonly takenDown: boolean
  readonly expiresAt: DateTime.Utc | null
  readonly trialEndsAt: DateTime.Utc | null
  /** What its workspace was charged for last, and until when that holds. */
  readonly subscriptionStatus: "active" | "past_due" | null
  readonly subscriptionEndsAt: DateTime.Utc | null
  /** Whether another project held this address before: its pages may still sit in a browser's cache. */
  readonly succeeds: boolean
  /** Moves with every change of visibility or doorcode. */
  readonly accessEpoch: number
  /** Whether a browser was ever given author HTML on this very host: its script may live on in an open tab. */
  readonly servedRaw: boolean
  /** The label, behind `svc--`, of the host that its frame lives on while it is public. */
  readonly frameName: string
  /** What is served; null where nothing was ever published. */
  readonly version: {
    readonly id: VersionId
    readonly number: number
    readonly kind: Kind
    /** The path that `/` answers: `index.html` of a site, the one file of every other kind. */
    readonly entry: string
    readonly publishedAt: DateTime.Utc
  } | null
}

export const PassId = Schema.String.check(isId).pipe(Schema.brand("PassId"))
export type PassId = typeof PassId.Type

/** What a gate gave one browser, as the database knows it now. Whether it holds is decided anew on every request. */
export interface Pass {
  readonly id: PassId
  readonly via: "doorcode" | "member" | "link"
  readonly givenAt: DateTime.Utc
  /** The project's when it was given. */
  readonly accessEpoch: number
  /** The label, behind `svc--`, of the host that its frame lives on: its own, so that what a page stores there survives. */
  readonly frameName: string
  /** Of a member's pass. */
  readonly member: {
    readonly belongs: boolean
    /** Whether the project lies in someone else's private folder. */
    readonly hidden: boolean
    /** Whether the sessions of that time are still good. */
    readonly sessionHolds: boolean
    /** When the session began that led here. */
    readonly signedInAt: DateTime.Utc
  } | null
  /** Of a share link's pass. */
  readonly link: {
    readonly id: ShareLinkId
    readonly expiresAt: DateTime.Utc | null
    readonly revoked: boolean
  } | null
}

/** Someone at a project's door: the pass they hold for it, if they hold one. */
export interface Visit {
  readonly site: Site
  readonly pass: Pass | null
}

/** Someone at a frame's host: `pass` is null on a project's public frame. */
export interface FrameVisit extends Visit {
  /** Whether they came in by the pass's own key. True on a public frame, which needs none. */
  readonly entered: boolean
}

/** What a gate lays down for a browser it lets in. */
export interface NewPass {
  readonly id: PassId
  readonly projectId: ProjectId
  /** Of the cookie on the project's host. */
  readonly hash: string
  readonly accessEpoch: number
  readonly frameName: string
  /** Of the cookie on the frame's host. */
  readonly frameHash: string
  readonly givenAt: DateTime.Utc
  readonly by:
    | { readonly via: "doorcode" }
    | { readonly via: "member"; readonly userId: UserId; readonly sessionEpoch: number; readonly signedInAt: DateTime.Utc }
    | { readonly via: "link"; readonly shareLinkId: ShareLinkId }
}
