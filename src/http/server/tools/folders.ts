/** Folders (SPEC §4.9): list, make, change, delete. */
import { Effect, Schema } from "effect"
import { invalid } from "../../../domain/failures.ts"
import { Folders } from "../../../domain/folders/folders.ts"
import { Sharing } from "../../../domain/folders/model.ts"
import { countText } from "../../../domain/words.ts"
import { Caller } from "../../contract/authentication.ts"
import { FolderList, FolderView } from "../../contract/folders.ts"
import { line, ok, PAGE, Status } from "../../contract/wire.ts"
import { atMost, folderId, optional, paged, said, workspace } from "./arguments.ts"
import { ADDS, READS, REMOVES, SETS_BEFORE_OTHERS, tool } from "./tool.ts"
import { more, quoted } from "./words.ts"

const name = atMost(line(1, 100), 100)
const sharing = "team: every member sees it. private: its creator alone, with what is in it"

/** What a folder does to the projects in it, told to whoever sets it. */
const OPENS: Record<Sharing, string> = {
  team: "Every member sees its projects now, and can open those with visibility private.",
  private: "Its creator alone sees its projects now, and no other member can open those with visibility private. Public ones, doorcodes and share links open as before."
}

const folderLine = ({ id, name, projectCount, sharing }: typeof FolderView.Type) =>
  `- ${quoted(name)} (${sharing}, ${countText(projectCount, "project")}): ${id}`

export const listFolders = tool("list_folders", {
  title: "List folders",
  description: "The folders of a workspace that the account can see, newest first.",
  annotations: READS,
  input: Schema.Struct({ workspace, ...paged }),
  output: FolderList,
  run: Effect.fnUntraced(function*({ cursor, limit, workspace }) {
    const { user } = yield* Caller
    return yield* (yield* Folders).list(user, workspace, { after: cursor, limit: limit ?? PAGE })
  }),
  words: ({ folders, nextCursor }) => folders.length === 0 ? "No folders here." : [...folders.map(folderLine), ...more(nextCursor)].join("\n")
})

export const createFolder = tool("create_folder", {
  title: "Make a folder",
  description: "Projects kept together. Two folders may have one name: look with list_folders first.",
  annotations: ADDS,
  input: Schema.Struct({ name: said(name, "One line, 1–100 characters"), sharing: optional(Sharing, `${sharing}. team by default`), workspace }),
  output: FolderView,
  run: Effect.fnUntraced(function*({ name, sharing, workspace }) {
    const { user } = yield* Caller
    return yield* (yield* Folders).create(user, workspace, { name, sharing })
  }),
  words: folderLine
})

export const updateFolder = tool("update_folder", {
  title: "Change a folder",
  description: "Renames a folder, or says who sees it, at once: private hides its projects from the team and closes the private ones among them, team shows and opens them. Ask before you change sharing. It cannot become private while it holds projects of others.",
  annotations: SETS_BEFORE_OTHERS,
  input: Schema.Struct({ folder_id: folderId, name: optional(name, "Its new name"), sharing: optional(Sharing, sharing) }),
  output: FolderView,
  run: Effect.fnUntraced(function*({ folder_id: id, name, sharing }) {
    const { user } = yield* Caller
    if (name === undefined && sharing === undefined) return yield* invalid({ field: "name", message: "Name what is to change: name or sharing." })
    return yield* (yield* Folders).change(user, id, { name, sharing })
  }),
  words: (folder, _, { sharing }) => [folderLine(folder), ...(sharing === undefined || folder.projectCount === 0 ? [] : [OPENS[sharing]])].join("\n")
})

export const deleteFolder = tool("delete_folder", {
  title: "Delete a folder",
  description: "One that holds projects is refused with conflict unless move_projects is true: then they stay, in no folder, and those of a private one become visible to the team: ask before you do this.",
  annotations: REMOVES,
  input: Schema.Struct({ folder_id: folderId, move_projects: optional(Schema.Boolean, "true: what is in it moves out") }),
  output: Status,
  run: Effect.fnUntraced(function*({ folder_id: id, move_projects }) {
    const { user } = yield* Caller
    yield* (yield* Folders).remove(user, id, { moveProjects: move_projects === true })
    return ok
  }),
  words: () => "Deleted."
})
