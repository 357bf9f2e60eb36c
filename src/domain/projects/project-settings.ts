/** Checks and audit entries that every change of a project's settings shares, whichever endpoint makes it. */
import { Context, type DateTime, Effect, Layer } from "effect"
import type { User } from "../accounts/model.ts"
import { noted as listNoted } from "../allowlists/rules.ts"
import { Audit } from "../audit/audit.ts"
import type { FolderId } from "../folders/model.ts"
import * as FolderRules from "../folders/rules.ts"
import { FolderStore } from "../folders/store.ts"
import { Tokens } from "../ports/tokens.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { doorcodeFrom } from "./doorcodes.ts"
import type { Project, ProjectChanges } from "./model.ts"
import * as Rules from "./rules.ts"

export class ProjectSettings extends Context.Service<ProjectSettings>()("svc/domain/projects/ProjectSettings", {
  make: Effect.gen(function*() {
    const folders = yield* FolderStore
    const tokens = yield* Tokens
    const audit = yield* Audit

    /** A folder of another workspace, or someone else's private one, is refused as missing. */
    const folder = Effect.fn("ProjectSettings.folder")(function*(workspaceId: WorkspaceId, user: User, id: FolderId) {
      const reach = yield* Effect.fromResult(FolderRules.visible(yield* folders.reach(id, user.id), user, "folder_id"))
      return reach.folder.workspaceId === workspaceId ? reach.folder : yield* FolderRules.noSuchFolder("folder_id")
    })

    /** Whether a project of this owner may be put into the folder. Runs behind the workspace's lock. */
    const checkFolder = Effect.fn("ProjectSettings.checkFolder")(function*(
      workspaceId: WorkspaceId,
      user: User,
      ownerId: string,
      id: FolderId | null | undefined
    ) {
      if (id === undefined || id === null) return
      yield* Effect.fromResult(FolderRules.take(yield* folder(workspaceId, user, id), ownerId))
    })

    /** What follows from the other settings: that a doorcode is asked for, and a new one if the project will need it and has none. */
    const door = Effect.fn("ProjectSettings.door")(function*(
      changes: Pick<ProjectChanges, "password" | "visibility">,
      held: Pick<Project, "password" | "visibility">
    ) {
      const visibility = Rules.visibilityIn(changes, held.visibility)
      const password = changes.password === undefined ? held.password : changes.password
      return {
        ...(visibility === held.visibility ? {} : { visibility }),
        ...(visibility === "password" && password === null ? { password: doorcodeFrom(yield* tokens.random(16)) } : {})
      }
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

    return { folder, checkFolder, door, note }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
