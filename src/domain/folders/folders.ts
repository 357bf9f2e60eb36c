/** Folders: list, create, rename, share and delete (SPEC §2, CONTRACT §8). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { User } from "../accounts/model.ts"
import { Audit } from "../audit/audit.ts"
import { pageOf } from "../pages.ts"
import type { Page } from "../pages.ts"
import { Atomically } from "../ports/atomically.ts"
import { Tokens } from "../ports/tokens.ts"
import { makeBehindLock } from "../workspaces/behind-lock.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import { FolderId } from "./model.ts"
import type { Folder, FolderChanges, Sharing } from "./model.ts"
import * as Rules from "./rules.ts"
import { FolderStore } from "./store.ts"

export class Folders extends Context.Service<Folders>()("svc/domain/folders/Folders", {
  make: Effect.gen(function*() {
    const store = yield* FolderStore
    const workspaces = yield* Workspaces
    const behindLock = yield* makeBehindLock
    const tokens = yield* Tokens
    const audit = yield* Audit
    const { atomically } = yield* Atomically

    /** A folder that its caller may see; any other is refused as missing. */
    const seen = Effect.fn("Folders.seen")(function*(user: User, id: FolderId) {
      return yield* Effect.fromResult(Rules.visible(yield* store.reach(id, user.id), user, "id"))
    })

    /** The same behind the workspace's lock, so that nothing moves into or out of the folder meanwhile. */
    const held = (user: User, id: FolderId) => behindLock(seen(user, id), ({ folder }) => folder.workspaceId)

    const list = Effect.fn("Folders.list")(function*(user: User, workspaceId: WorkspaceId | undefined, { after, limit }: Page) {
      const workspace = yield* workspaces.select(user.id, workspaceId)
      const { nextCursor, page } = pageOf(yield* store.list(workspace.id, user.id, { after, limit: limit + 1 }), limit)
      return { folders: page, nextCursor }
    })

    const create = Effect.fn("Folders.create")(
      function*(user: User, asked: WorkspaceId | undefined, given: { readonly name: string; readonly sharing?: Sharing | undefined }) {
        const now = yield* DateTime.now
        const { id: workspaceId } = yield* behindLock(workspaces.select(user.id, asked), ({ id }) => id)
        yield* Effect.fromResult(Rules.create(yield* store.count(workspaceId)))
        const folder: Folder = {
          id: FolderId.make(yield* tokens.uuid),
          workspaceId,
          name: given.name,
          sharing: given.sharing ?? "team",
          projectCount: 0,
          createdBy: { id: user.id, name: user.name },
          createdAt: now,
          updatedAt: now
        }
        yield* store.create(folder)
        return folder
      },
      atomically
    )

    const change = Effect.fn("Folders.change")(
      function*(user: User, id: FolderId, changes: FolderChanges) {
        const now = yield* DateTime.now
        const reach = yield* held(user, id)
        const others = Rules.hides(reach.folder, changes) ? yield* store.othersIn(reach.folder) : 0
        yield* Effect.fromResult(Rules.change(reach, user, changes, others))
        yield* store.change(reach.folder, changes, now)
        const { sharing, workspaceId } = reach.folder
        if (changes.sharing !== undefined && changes.sharing !== sharing) {
          const target = { type: "folder", id, sharing: changes.sharing } as const
          yield* audit.write({ workspaceId, actor: user.id, action: "folder.sharing_changed", target }, now)
        }
        return (yield* seen(user, id)).folder
      },
      atomically
    )

    const remove = Effect.fn("Folders.remove")(
      function*(user: User, id: FolderId, { moveProjects }: { readonly moveProjects: boolean }) {
        const now = yield* DateTime.now
        const reach = yield* held(user, id)
        yield* Effect.fromResult(Rules.remove(reach, user, moveProjects))
        yield* store.remove(reach.folder, now)
        if (!Rules.uncovers(reach.folder)) return
        const target = { type: "folder", id, sharing: "team" } as const
        yield* audit.write({ workspaceId: reach.folder.workspaceId, actor: user.id, action: "folder.sharing_changed", target }, now)
      },
      atomically
    )

    return { list, seen, create, change, remove }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
