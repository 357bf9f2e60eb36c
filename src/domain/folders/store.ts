/** What the folder programs need remembered. Implemented by services/database/folders.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Role, WorkspaceId } from "../workspaces/model.ts"
import type { Folder, FolderChanges, FolderId } from "./model.ts"

/** A folder and what its caller is to it. */
export interface FolderReach {
  readonly folder: Folder
  /** Null for anyone outside its workspace. */
  readonly role: Role | null
}

export interface FolderPage {
  /** The id after which the page starts. */
  readonly after: string | undefined
  readonly limit: number
}

export class FolderStore extends Context.Service<FolderStore, {
  readonly reach: (id: FolderId, userId: UserId) => Effect.Effect<Option.Option<FolderReach>>
  /** Newest first; others' private folders left out. */
  readonly list: (workspaceId: WorkspaceId, userId: UserId, page: FolderPage) => Effect.Effect<ReadonlyArray<Folder>>
  /** All of a workspace's, private ones too. */
  readonly count: (workspaceId: WorkspaceId) => Effect.Effect<number>
  /** Projects in it that are not its creator's. */
  readonly othersIn: (folder: Folder) => Effect.Effect<number>
  readonly create: (folder: Folder) => Effect.Effect<void>
  readonly change: (folder: Folder, changes: FolderChanges, now: DateTime.Utc) => Effect.Effect<void>
  /** What lies in it stays, in no folder. */
  readonly remove: (folder: Folder, now: DateTime.Utc) => Effect.Effect<void>
}>()("svc/domain/folders/FolderStore") {}
