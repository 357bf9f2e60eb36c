/** Who may see, change and fill a folder (CONTRACT §8): facts in, verdict out. */
import { Option, Result } from "effect"
import type { User } from "../accounts/model.ts"
import { Conflict, Forbidden, NotFound } from "../failures.ts"
import { countText } from "../words.ts"
import type { Folder, FolderChanges, Sharing } from "./model.ts"
import type { FolderReach } from "./store.ts"

/** Folders a workspace may have. */
export const MAX_FOLDERS = 1000

/** The same refusal for a missing folder, someone else's private one and, where a project is to lie in it, one of another workspace. */
export const noSuchFolder = (field: "id" | "folder_id") =>
  new NotFound({ message: field === "id" ? "There is no such folder." : "There is no such folder in this workspace.", field })

const isCreator = (folder: Folder, user: { readonly id: string }): boolean => folder.createdBy.id === user.id

/** Only its creator sees a private folder; admins do not. */
export const maySee = ({ folder, role }: FolderReach, user: Pick<User, "id">): boolean =>
  role !== null && (folder.sharing === "team" || isCreator(folder, user))

/** The folder if the caller may see it; otherwise refused as missing. `field`: where it was named. */
export const visible = (found: Option.Option<FolderReach>, user: Pick<User, "id">, field: "id" | "folder_id"): Result.Result<FolderReach, NotFound> =>
  Result.fromOption(Option.filter(found, (reach) => maySee(reach, user)), () => noSuchFolder(field))

export const mayChange = (reach: FolderReach, user: Pick<User, "id">): boolean =>
  maySee(reach, user) && (reach.role === "admin" || isCreator(reach.folder, user))

export const create = (folders: number): Result.Result<void, Conflict> =>
  folders < MAX_FOLDERS
    ? Result.succeed(undefined)
    : Result.fail(new Conflict({ message: `A workspace holds ${MAX_FOLDERS} folders. Delete one first.`, details: { limit: MAX_FOLDERS } }))

export const hides = (folder: Folder, changes: FolderChanges): boolean => folder.sharing === "team" && changes.sharing === "private"

/** `others`: projects in it that its creator does not own. A folder made private would hide them from their owners. */
export const change = (
  reach: FolderReach,
  user: Pick<User, "id">,
  changes: FolderChanges,
  others: number
): Result.Result<void, Forbidden | Conflict> => {
  const { folder } = reach
  if (!mayChange(reach, user)) return Result.fail(notYours())
  if (changes.sharing !== undefined && changes.sharing !== folder.sharing && !isCreator(folder, user)) {
    return Result.fail(new Forbidden({ message: "Only the creator of a folder may change who sees it.", field: "sharing" }))
  }
  if (hides(folder, changes) && others > 0) {
    return Result.fail(
      new Conflict({
        message: `This folder holds ${countText(others, "project")} of other people, who could no longer see ${others === 1 ? "it. Move it" : "them. Move those"} out first.`,
        field: "sharing",
        details: { projects: others }
      })
    )
  }
  return Result.succeed(undefined)
}

/** A folder that holds projects is deleted only if the caller asked to move them out. */
export const remove = (reach: FolderReach, user: Pick<User, "id">, moveProjects: boolean): Result.Result<void, Forbidden | Conflict> => {
  const { folder } = reach
  const { projectCount } = folder
  if (!mayChange(reach, user)) return Result.fail(notYours())
  if (projectCount > 0 && !moveProjects) {
    return Result.fail(
      new Conflict({
        message: `This folder holds ${countText(projectCount, "project")}. Delete it with move_projects=true, and ${projectCount === 1 ? "it stays" : "they stay"} in the workspace, in no folder${uncovers(folder) ? `, where the whole team sees ${projectCount === 1 ? "it" : "them"}` : ""}.`,
        details: { projects: projectCount }
      })
    )
  }
  return Result.succeed(undefined)
}

/** What a private folder becomes once its creator left the workspace or is erased: nobody else sees it, and its projects would be lost to the team. */
export const LEFT_BEHIND: Sharing = "team"

/** Whether deleting the folder shows the team projects that it could not see before. */
export const uncovers = ({ projectCount, sharing }: Folder): boolean => sharing === "private" && projectCount > 0

/** Whether a project of this owner may be put into a folder that the caller sees. */
export const take = (folder: Folder, ownerId: string): Result.Result<void, Forbidden> =>
  folder.sharing === "team" || isCreator(folder, { id: ownerId })
    ? Result.succeed(undefined)
    : Result.fail(
      new Forbidden({
        message: "This project is someone else’s, and a private folder would hide it from them. Choose a team folder.",
        field: "folder_id"
      })
    )

const notYours = () => new Forbidden({ message: "Only its creator and the workspace’s admins may change this folder." })
