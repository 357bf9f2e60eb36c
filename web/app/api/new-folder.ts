/** A folder that is made: with the dialog that asks for it, since few visits make one. */
import { api, take } from "./client.ts"
import type { Folder } from "./folders.ts"
import { once } from "./once.ts"
import { keys } from "./queries.ts"
import type { Change } from "./queries.ts"

/** Where a new one is made, for `anew`. */
export const folderPlace = (workspace: string): string => `folder ${workspace}`

export const createFolder: Change<{ readonly workspace: string; readonly name: string; readonly sharing?: "private" | "team" }, Folder> = {
  send: ({ workspace, ...body }) => once(folderPlace(workspace), body, (headers) => take(api.POST("/v1/folders", { params: { query: { workspace } }, body, headers }))),
  settles: ({ workspace }) => [keys.folders(workspace)]
}
