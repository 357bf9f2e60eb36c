/** The persistence ports of projects. Implemented by services/database/projects.ts, versions.ts and packs.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { FolderId } from "../folders/model.ts"
import type { Manifest } from "../hosting/model.ts"
import type { Page } from "../pages.ts"
import type { Membership, Plan, Role, WorkspaceId } from "../workspaces/model.ts"
import type { CommentAccess, Kind, Project, ProjectChanges, ProjectId, StoredVersion, Version, VersionId } from "./model.ts"
import type { Pruning } from "./rules.ts"

/** A project and its caller's relation to it. */
export interface Reach {
  readonly project: Project
  /** Null for anyone outside its workspace. */
  readonly role: Role | null
  /** Whether it is in someone else's private folder, and so invisible to the caller, even to admins. */
  readonly hidden: boolean
}

/** The same with its versions, newest first. */
export interface Detail extends Reach {
  readonly versions: ReadonlyArray<Version>
}

/** Where to create a project: by default in the caller's first workspace. */
export interface Place {
  readonly workspaceId: WorkspaceId | undefined
  readonly folderId: FolderId | null | undefined
}

/** A slug that a rename or a deletion left behind a while ago, and no project has. */
export interface Freed {
  /** Where it was used last. */
  readonly workspaceId: WorkspaceId
  readonly plan: Plan
  /** How many slugs that workspace freed after it, counted as far as it may matter. */
  readonly later: number
  /** Whether a project that had it was deleted while it was taken down. */
  readonly takenDown: boolean
}

/** The facts that decide whether somebody may publish at a slug, read in one statement. */
export interface Claimable {
  readonly reach: Option.Option<Reach>
  /** None while a project has the slug. */
  readonly freed: Option.Option<Freed>
  /** The workspace asked for, else the project's own, else the caller's first. `commentAccess`: the default for a project created there. */
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
  /** The pack that this publish wrote; null if it wrote none. */
  readonly pack: NewPack | null
  /** The packs in which bytes were found by their hashes, each with how often it had been thinned by then. */
  readonly found: ReadonlyMap<string, number>
  /** How it is called while nobody gives a title, whether a document says so, and its excerpt: how it begins, in plain words. */
  readonly title: string | null
  readonly titleOwn: boolean
  readonly excerpt: string | null
  /** The earlier version that it takes them from, if it begins like that one. */
  readonly beginsAs: VersionId | null
}

export interface NewPack {
  readonly id: string
  readonly sizeBytes: number
  readonly contents: ReadonlyArray<{ readonly hash: string; readonly offset: number; readonly length: number }>
}

/** Where the bytes of a hash are stored. */
export interface Content {
  readonly pack: string
  readonly offset: number
  readonly length: number
  /** How often the pack has been thinned. */
  readonly thinnings: number
}

export interface ProjectFilter extends Page {
  readonly folderId: FolderId | undefined
  readonly query: string | undefined
  /** Whether to include excerpts, and how large thumbnails are. */
  readonly excerpts?: boolean
}

export class ProjectStore extends Context.Service<ProjectStore, {
  readonly reach: (slug: string, userId: UserId) => Effect.Effect<Option.Option<Reach>>
  /** Where a project is now that is not deleted. */
  readonly slugOf: (id: ProjectId) => Effect.Effect<Option.Option<string>>
  readonly detail: (slug: string, userId: UserId, excerpt?: boolean) => Effect.Effect<Option.Option<Detail>>
  /** `since`: slugs freed before are free for everybody. `place`: where a new project would be created. */
  readonly claimable: (
    slug: string,
    userId: UserId,
    place: Place,
    since: DateTime.Utc
  ) => Effect.Effect<Claimable>
  /** The same of a slug that no project has. */
  readonly freed: (slug: string, since: DateTime.Utc) => Effect.Effect<Option.Option<Freed>>
  /** Newest first, without projects in other people's private folders. */
  readonly list: (workspaceId: WorkspaceId, userId: UserId, filter: ProjectFilter) => Effect.Effect<ReadonlyArray<Project>>
  /** Locks a slug until the transaction ends, so that freeing it and taking it are serialised. */
  readonly lockSlug: (slug: string) => Effect.Effect<void>
  /** False if the slug is taken. */
  readonly create: (project: Project) => Effect.Effect<boolean>
  /** Null clears. False if a new slug is taken. The old one stays reserved for the workspace for a while, unless `keepsSlug` is false. `endsPasses`: those given for the doorcode, by this very change. */
  readonly change: (
    project: Project,
    changes: ProjectChanges,
    effects: { readonly endsPasses: boolean; readonly keepsSlug?: boolean },
    now: DateTime.Utc
  ) => Effect.Effect<boolean>
  /** Deletes the project with all its versions, revokes its share links and frees the slug. `keepsSlug`: as above. */
  readonly remove: (project: Project, effects: { readonly keepsSlug?: boolean }, now: DateTime.Utc) => Effect.Effect<void>
  /** Erases projects that were deleted before `before` with everything that refers to them, except the freed slugs; at most `limit`, returns how many. */
  readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
}>()("svc/domain/projects/ProjectStore") {}

export class VersionStore extends Context.Service<VersionStore, {
  /** Where the bytes of these hashes are stored, except in packs that have been unnamed since before `revivable`. */
  readonly contents: (
    workspaceId: WorkspaceId,
    hashes: ReadonlyArray<string>,
    revivable: DateTime.Utc
  ) => Effect.Effect<ReadonlyMap<string, Content>>
  /**
   * Adds the version, serves it and prunes old versions, the oldest first. Packs that no version names any more stop counting;
   * those that another version still names are marked as loosened.
   * Returns by how many bytes the counted storage grew (negative if it shrank): plus new packs and packs that count
   * again, minus those that stop counting. None if a pack that the version names no longer exists, or was thinned of bytes
   * that were found in it.
   */
  readonly add: (version: NewVersion, pruning: Pruning) => Effect.Effect<Option.Option<number>>
  /** Newest first. */
  readonly list: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<Version>>
  readonly find: (projectId: ProjectId, version: number) => Effect.Effect<Option.Option<StoredVersion>>
}>()("svc/domain/projects/VersionStore") {}

export class PackStore extends Context.Service<PackStore, {
  /** Deletes the rows of at most `limit` packs that have been unnamed since before `cutoff`; returns their ids. */
  readonly forget: (cutoff: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<string>>
  /** Which of these ids have a row. */
  readonly known: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  /** Of those of these ids that have a row, what was and is being wiped: null where nothing ever was, and else another mark at each step. */
  readonly marks: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string | null>>
  /** How many packs have a row. */
  readonly count: Effect.Effect<number>
  /** The deployment id of this database: created with it, never changed. */
  readonly deployment: Effect.Effect<string>
}>()("svc/domain/projects/PackStore") {}
