/** Folders: projects kept together, for the whole team or for the folder's creator alone (SPEC §2, CONTRACT §8). */
import { Schema } from "effect"
import { isId } from "../ids.ts"
import { WorkspaceId } from "../workspaces/model.ts"

export const FolderId = Schema.String.check(isId).pipe(Schema.brand("FolderId"))
export type FolderId = typeof FolderId.Type

export const Sharing = Schema.Literals(["private", "team"])
export type Sharing = typeof Sharing.Type

export const Folder = Schema.Struct({
  id: FolderId,
  workspaceId: WorkspaceId,
  name: Schema.String,
  sharing: Sharing,
  /** Deleted projects are in no folder, so they are not counted. */
  projectCount: Schema.Int,
  createdBy: Schema.Struct({ id: Schema.String, name: Schema.String }),
  createdAt: Schema.DateTimeUtcFromDate,
  /** When the name or sharing last changed; moving projects in or out does not count. */
  updatedAt: Schema.DateTimeUtcFromDate
})
export type Folder = typeof Folder.Type

export interface FolderChanges {
  readonly name?: string | undefined
  readonly sharing?: Sharing | undefined
}
