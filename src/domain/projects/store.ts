/** What the project programs need remembered. Implemented by services/database/projects.ts, versions.ts and packs.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { FolderId } from "../folders/model.ts"
import type { Manifest } from "../hosting/model.ts"
import type { Membership, Role, WorkspaceId } from "../workspaces/model.ts"
import type { CommentAccess, Kind, Project, ProjectChanges, ProjectId, Version, VersionId } from "./model.ts"
import type { Pruning } from "./rules.ts"

/** A project and what its caller is to it. */
export interface Reach {
  readonly project: Project
  /** Null for anyone outside its workspace. */
  readonly role: Role | null
  /** Whether it lies in someone else's private folder: then it is nobody else's, admins included. */
  readonly hidden: boolean
}

/** The same with its versions, newest first. */
export interface Detail extends Reach {
  readonly versions: ReadonlyArray<Version>
}

/** Where a project is to be made: in the caller's first workspace unless they name one. */
export interface Place {
  readonly workspaceId: WorkspaceId | undefined
  readonly folderId: FolderId | null | undefined
}

/** What decides whether somebody may publish at a slug, read at one moment. */
export interface Claimable {
  readonly reach: Option.Option<Reach>
  /** The workspace it is kept for, where nobody holds it; null: for none. */
  readonly keptFor: Option.Option<WorkspaceId | null>
  /** The workspace asked for, or the project's own, or the caller's first, and who may comment on what is made there and says nothing of it. */
  readonly workspace: Option.Option<Membership & { readonly commentAccess: CommentAccess }>
}

export interface NewVersion {
  readonly id: VersionId
  readonly projectId: ProjectId
  readonly workspaceId: WorkspaceId
  readonly version: number
  readonly kind: Kind
  readonly entry: string
  readonly manifest: Manifest
  readonly sizeBytes: number
  readonly createdBy: UserId
  readonly createdAt: DateTime.Utc
  /** The pack this publish wrote, with the bodies in it. */
  readonly pack: NewPack | null
  /** How it begins, in plain words. */
  readonly excerpt: string | null
  /** The version that it begins as, where it is one's again: then it has that one's excerpt. */
  readonly beginsAs: VersionId | null
}

export interface NewPack {
  readonly id: string
  readonly sizeBytes: number
  readonly contents: ReadonlyArray<{ readonly hash: string; readonly offset: number; readonly length: number }>
}

/** Where bytes of a hash already lie. */
export interface Content {
  readonly pack: string
  readonly offset: number
  readonly length: number
}

export interface StoredVersion {
  readonly id: VersionId
  readonly kind: Kind
  /** The path that `/` answers. */
  readonly entry: string
  readonly createdAt: DateTime.Utc
}

export interface ProjectFilter {
  readonly folderId: FolderId | undefined
  readonly query: string | undefined
  /** The id after which the page starts. */
  readonly after: string | undefined
  readonly limit: number
  /** Whether they come with their excerpts. */
  readonly excerpts?: boolean
}

export class ProjectStore extends Context.Service<ProjectStore, {
  readonly reach: (slug: string, userId: UserId) => Effect.Effect<Option.Option<Reach>>
  readonly detail: (slug: string, userId: UserId, excerpt?: boolean) => Effect.Effect<Option.Option<Detail>>
  /** Of a slug freed after `since`; what is made may go into a folder. */
  readonly claimable: (
    slug: string,
    userId: UserId,
    place: Place,
    since: DateTime.Utc
  ) => Effect.Effect<Claimable>
  /** The workspace a slug freed after `since` is kept for, when nobody holds it. */
  readonly keptFor: (slug: string, since: DateTime.Utc) => Effect.Effect<Option.Option<WorkspaceId | null>>
  /** Newest first; others' private folders left out. */
  readonly list: (workspaceId: WorkspaceId, userId: UserId, filter: ProjectFilter) => Effect.Effect<ReadonlyArray<Project>>
  /** Holds a slug until the transaction ends, so that who frees it and who takes it go one after the other. */
  readonly lockSlug: (slug: string) => Effect.Effect<void>
  /** False when the slug is held. */
  readonly create: (project: Project) => Effect.Effect<boolean>
  /** Null clears. False when a new slug is held. The slug it leaves stays its workspace's for a while. */
  readonly change: (project: Project, changes: ProjectChanges, now: DateTime.Utc) => Effect.Effect<boolean>
  /** Takes the project and all its versions away and frees the slug. */
  readonly remove: (project: Project, now: DateTime.Utc) => Effect.Effect<void>
  /** Erases projects that were deleted before, with all that hangs on them but their addresses; answers how many, some at a time. */
  readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
}>()("svc/domain/projects/ProjectStore") {}

export class VersionStore extends Context.Service<VersionStore, {
  /** Where bytes of these hashes already lie; packs that nothing names since before `revivable` left out. */
  readonly contents: (
    workspaceId: WorkspaceId,
    hashes: ReadonlyArray<string>,
    revivable: DateTime.Utc
  ) => Effect.Effect<ReadonlyMap<string, Content>>
  /**
   * Adds the version and serves it. Of old versions so many go, the oldest first; packs that nothing names any more stop counting.
   * Answers by how many bytes what counts has grown, below zero where it shrank: new ones, and those of packs that had
   * stopped counting, without those that stop now. None when a pack it names is no longer there.
   */
  readonly add: (version: NewVersion, pruning: Pruning) => Effect.Effect<Option.Option<number>>
  /** Newest first. */
  readonly list: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<Version>>
  readonly find: (projectId: ProjectId, version: number) => Effect.Effect<Option.Option<StoredVersion>>
}>()("svc/domain/projects/VersionStore") {}

export class PackStore extends Context.Service<PackStore, {
  /** Forgets at most `limit` packs unnamed since before `cutoff`, and answers their ids. */
  readonly forget: (cutoff: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<string>>
  /** Those of these ids that are known. */
  readonly known: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  /** The id of this database's deployment, made with it and never changed. */
  readonly deployment: Effect.Effect<string>
}>()("svc/domain/projects/PackStore") {}
