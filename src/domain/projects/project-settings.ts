/** Checks and audit entries that every change of a project's settings shares, whichever endpoint makes it. */
import { Context, type DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { noted as listNoted } from "../allowlists/rules.ts"
import { Audit } from "../audit/audit.ts"
import type { FolderId } from "../folders/model.ts"
import * as Folders from "../folders/rules.ts"
import { FolderStore } from "../folders/store.ts"
import { Tokens } from "../ports/tokens.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { doorcodeFrom } from "./doorcodes.ts"
import type { Project, ProjectChanges, Visibility } from "./model.ts"
import * as Rules from "./rules.ts"

export class ProjectSettings extends Context.Service<ProjectSettings>()("svc/domain/projects/ProjectSettings", {
  make: Effect.gen(function*() {
    const folders = yield* FolderStore
    const tokens = yield* Tokens
    const audit = yield* Audit

    /** A folder of another workspace, or someone else's private one, is refused as missing. */
    const folder = Effect.fn("ProjectSettings.folder")(function*(workspaceId: WorkspaceId, user: User, id: FolderId) {
      const reach = Option.getOrUndefined(yield* folders.reach(id, user.id))
      const there = reach !== undefined && reach.folder.workspaceId === workspaceId && Folders.maySee(reach, user)
      return there ? reach.folder : yield* Folders.noSuchFolder("folder_id")
    })

    /** Whether a project of this owner may be put into the folder. Runs behind the workspace's lock. */
    const checkFolder = Effect.fn("ProjectSettings.checkFolder")(function*(
      workspaceId: WorkspaceId,
      user: User,
      ownerId: string,
      id: FolderId | null | undefined
    ) {
      if (id === undefined || id === null) return
      yield* Effect.fromResult(Folders.take(yield* folder(workspaceId, user, id), ownerId))
    })

    /** A new doorcode to set with the other settings, if the project will need one and has none. */
    const doorcode = Effect.fn("ProjectSettings.doorcode")(function*(visibility: Visibility, password: string | null) {
      return visibility === "password" && password === null ? { password: doorcodeFrom(yield* tokens.random(16)) } : {}
    })

    /** Writes the audit entries of a change. */
    const note = Effect.fn("ProjectSettings.note")(function*(user: User, project: Project, changes: ProjectChanges, now: DateTime.Utc) {
      const { id, workspaceId } = project
      for (const { action, ...more } of Rules.noted(project, changes)) {
        yield* audit.write({ workspaceId, actor: user.id, action, target: { type: "project", id, ...more } }, now)
      }
      const { commentAccess, commentAllowlistInherit } = project
      const before = { commentAccess, commentAllowlistInherit, emails: [] }
      const after = {
        ...before,
        commentAccess: changes.commentAccess ?? commentAccess,
        commentAllowlistInherit: changes.commentAllowlistInherit ?? commentAllowlistInherit
      }
      const target = listNoted("project", id, before, after)
      if (target !== undefined) yield* audit.write({ workspaceId, actor: user.id, action: "allowlist.changed", target }, now)
    })

    return { folder, checkFolder, doorcode, note }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
