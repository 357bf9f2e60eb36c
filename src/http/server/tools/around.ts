/** What decides, beside a project’s own settings, who can open it: how its workspace stands, and who sees its folder. */
import { Effect } from "effect"
import { Folders } from "../../../domain/folders/folders.ts"
import type { Sharing } from "../../../domain/folders/model.ts"
import type { Project } from "../../../domain/projects/model.ts"
import type { Standing } from "../../../domain/projects/rules.ts"
import { Workspaces } from "../../../domain/workspaces/workspaces.ts"
import { Caller } from "../../contract/authentication.ts"

export interface Around extends Standing {
  /** Of its folder; undefined where it lies in none. */
  readonly sharing: Sharing | undefined
}

/** An answer about a project, with what its words tell beside it. */
export type Told<T> = T & { readonly around: Around }

/** Of a project that the caller sees. */
export const aroundOf = Effect.fnUntraced(function*({ folderId, workspaceId }: Pick<Project, "folderId" | "workspaceId">) {
  const { user } = yield* Caller
  const { billingState, linksDownOn } = yield* (yield* Workspaces).select(user.id, workspaceId)
  const folders = yield* Folders
  // Gone meanwhile: what was done before this is answered all the same.
  const folder = folderId === null ? undefined : yield* Effect.orElseSucceed(folders.seen(user, folderId), () => undefined)
  return { billingState, linksDownOn, sharing: folder?.folder.sharing } satisfies Around
})
