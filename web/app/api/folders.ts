/** Folders, and who may comment on what is in them. */
import { queryOptions } from "@tanstack/react-query"
import { namedAhead } from "./account.ts"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"

const PAGE = 100

export type Folder = components["schemas"]["Folder"]

/** All of them: the rail and the pickers show every one. */
export const foldersIn = (workspace: string | undefined) =>
  queryOptions({
    queryKey: keys.folders(workspace),
    queryFn: async ({ client, signal }) => {
      const folders: Array<Folder> = []
      const named = namedAhead(client, workspace, `/v1/folders?limit=${PAGE}`)
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: components["schemas"]["FolderList"] = await take(api.GET("/v1/folders", {
          params: { query: { limit: PAGE, ...(named && { workspace: named }), ...(cursor && { cursor }) } },
          signal
        }))
        folders.push(...page.folders)
        cursor = page.next_cursor
      }
      return folders
    },
    staleTime: 60_000
  })

export const changeFolder: Change<{ readonly id: string; readonly changes: { readonly name?: string; readonly sharing?: "private" | "team" } }, Folder> = {
  send: ({ changes, id }) => take(api.PATCH("/v1/folders/{id}", { params: { path: { id } }, body: changes })),
  settles: () => [["folders"]]
}

/** `moveProjects`: they stay, outside of any folder. */
export const removeFolder: Change<{ readonly id: string; readonly name: string; readonly moveProjects: boolean }> = {
  send: ({ id, moveProjects }) =>
    take(api.DELETE("/v1/folders/{id}", { params: { path: { id }, query: { move_projects: moveProjects ? "true" : "false" } } })),
  // The list of what is in it is gone too: the screen leaves it, then reads the others anew.
  settles: () => [["folders"]],
  says: (_, { name }) => `The folder ${name} is gone.`
}
