/** What any change of a project's settings must hold to, whichever door it comes by. */
import { Context, Effect, Layer } from "effect"
import type { User } from "../accounts/model.ts"
import { NotFound } from "../failures.ts"
import { Tokens } from "../ports/tokens.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { doorcodeFrom } from "./doorcodes.ts"
import type { FolderId, Visibility } from "./model.ts"
import { ProjectStore } from "./store.ts"

export class ProjectSettings extends Context.Service<ProjectSettings>()("svc/domain/projects/ProjectSettings", {
  make: Effect.gen(function*() {
    const store = yield* ProjectStore
    const tokens = yield* Tokens

    /** A folder of another workspace, or someone else's private one, is as good as missing. */
    const checkFolder = Effect.fn("ProjectSettings.checkFolder")(function*(
      workspaceId: WorkspaceId,
      user: User,
      folderId: FolderId | null | undefined
    ) {
      if (folderId === undefined || folderId === null) return
      if (yield* store.folderOpen(workspaceId, user.id, folderId)) return
      return yield* new NotFound({ message: "There is no such folder.", field: "folder_id" })
    })

    /** The doorcode to set beside the others: a fresh one where the project will need it and has none. */
    const doorcode = Effect.fn("ProjectSettings.doorcode")(function*(visibility: Visibility, password: string | null) {
      return visibility === "password" && password === null ? { password: doorcodeFrom(yield* tokens.random(16)) } : {}
    })

    return { checkFolder, doorcode }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
