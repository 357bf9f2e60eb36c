/** What any change of a project's settings must hold to, whichever door it comes by. */
import { Context, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import type { FolderId } from "../folders/model.ts"
import * as Folders from "../folders/rules.ts"
import { FolderStore } from "../folders/store.ts"
import { Tokens } from "../ports/tokens.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { doorcodeFrom } from "./doorcodes.ts"
import type { Visibility } from "./model.ts"

export class ProjectSettings extends Context.Service<ProjectSettings>()("svc/domain/projects/ProjectSettings", {
  make: Effect.gen(function*() {
    const folders = yield* FolderStore
    const tokens = yield* Tokens

    /** A folder of another workspace, or someone else's private one, is as good as missing. */
    const folder = Effect.fn("ProjectSettings.folder")(function*(workspaceId: WorkspaceId, user: User, id: FolderId) {
      const reach = Option.getOrUndefined(yield* folders.reach(id, user.id))
      const there = reach !== undefined && reach.folder.workspaceId === workspaceId && Folders.maySee(reach, user)
      return there ? reach.folder : yield* Folders.noSuchFolder("folder_id")
    })

    /** Whether a project of this owner may lie in the folder. Runs behind the workspace's lock. */
    const checkFolder = Effect.fn("ProjectSettings.checkFolder")(function*(
      workspaceId: WorkspaceId,
      user: User,
      ownerId: string,
      id: FolderId | null | undefined
    ) {
      if (id === undefined || id === null) return
      yield* Effect.fromResult(Folders.take(yield* folder(workspaceId, user, id), ownerId))
    })

    /** The doorcode to set beside the others: a fresh one where the project will need it and has none. */
    const doorcode = Effect.fn("ProjectSettings.doorcode")(function*(visibility: Visibility, password: string | null) {
      return visibility === "password" && password === null ? { password: doorcodeFrom(yield* tokens.random(16)) } : {}
    })

    return { folder, checkFolder, doorcode }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
