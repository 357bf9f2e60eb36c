/** The folders of a workspace. Changes to them are in folder-changes.ts. */
import { queryOptions } from "@tanstack/react-query"
import { plain } from "../ui/plain.ts"
import { namedAhead } from "./account.ts"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"

const PAGE = 100

export type Folder = components["schemas"]["Folder"]

/** Whether a project of this owner may be put into it: a private folder holds its creator's alone. */
export const takes = ({ created_by, sharing }: Pick<Folder, "created_by" | "sharing">, ownerId: string): boolean => sharing === "team" || created_by.id === ownerId

/** Of names: "Client 2" before "Client 10". */
export const { compare } = new Intl.Collator(undefined, { numeric: true })

/** Of these, the ones with this in their name. */
export const foldersNamed = (folders: ReadonlyArray<Folder>, query: string): ReadonlyArray<Folder> =>
  folders.filter(({ name }) => plain(name).includes(plain(query)))

/** By name. Reads all pages: the library and the pickers show every folder. */
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
      return folders.sort((a, b) => compare(a.name, b.name))
    },
    staleTime: 60_000
  })
