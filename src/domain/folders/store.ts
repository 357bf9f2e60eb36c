/** The persistence port of folders. Implemented by services/database/folders.ts. */
import { Context } from "effect"
import type { DateTime, Effect, Option } from "effect"
import type { UserId } from "../accounts/model.ts"
import type { Page } from "../pages.ts"
import type { Role, WorkspaceId } from "../workspaces/model.ts"
import type { Folder, FolderChanges, FolderId } from "./model.ts"

/** A folder and its caller's role in the folder's workspace. */
export interface FolderReach {
  readonly folder: Folder
  /** Null for anyone outside its workspace. */
  readonly role: Role | null
}

export class FolderStore extends Context.Service<FolderStore, {
  readonly reach: (id: FolderId, userId: UserId) => Effect.Effect<Option.Option<FolderReach>>
  /** Newest first, without other people's private folders. */
  readonly list: (workspaceId: WorkspaceId, userId: UserId, page: Page) => Effect.Effect<ReadonlyArray<Folder>>
  /** All folders of a workspace, private ones included. */
  readonly count: (workspaceId: WorkspaceId) => Effect.Effect<number>
  /** How many projects in the folder its creator does not own. */
  readonly othersIn: (folder: Folder) => Effect.Effect<number>
  readonly create: (folder: Folder) => Effect.Effect<void>
  readonly change: (folder: Folder, changes: FolderChanges, now: DateTime.Utc) => Effect.Effect<void>
  /** The folder's projects stay in the workspace, in no folder. */
  readonly remove: (folder: Folder, now: DateTime.Utc) => Effect.Effect<void>
}>()("svc/domain/folders/FolderStore") {}
