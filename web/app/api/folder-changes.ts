/** Making, changing and removing folders: loaded with the dialogs for it, since few visits need them. */
import { apart } from "../ui/apart.ts"
import { api, take } from "./client.ts"
import type { Folder } from "./folders.ts"
import { keys } from "./queries.ts"
import type { Change, ChangeOnce } from "./queries.ts"

export const folderPlace = (workspace: string): string => `folder ${workspace}`

export const createFolder: ChangeOnce<{ readonly workspace: string; readonly name: string; readonly sharing?: "private" | "team" }, Folder> = {
  place: ({ workspace }) => folderPlace(workspace),
  send: ({ workspace, ...body }, header) => take(api.POST("/v1/folders", { params: { query: { workspace }, header }, body })),
  settles: ({ workspace }) => [keys.folders(workspace)]
}

export const changeFolder: Change<{ readonly id: string; readonly changes: { readonly name?: string; readonly sharing?: "private" | "team" } }, Folder> = {
  send: ({ changes, id }) => take(api.PATCH("/v1/folders/{id}", { params: { path: { id } }, body: changes })),
  settles: () => [keys.allFolders],
  tells: "Saved"
}

/** `moveProjects`: its projects stay, outside any folder. */
export const removeFolder: Change<{ readonly id: string; readonly name: string; readonly moveProjects: boolean }> = {
  send: ({ id, moveProjects }) =>
    take(api.DELETE("/v1/folders/{id}", { params: { path: { id }, query: { move_projects: moveProjects ? "true" : "false" } } })),
  // The list of what was in it is gone too: the screen leaves it, then reads the others again.
  settles: () => [keys.allFolders],
  says: (_, { name }) => `The folder ${apart(name)} is gone.`
}
