/**
 * Comment allowlists (SPEC §2, §4.6; CONTRACT §8): a project inherits from its folder, or from the workspace if it lies in
 * none, and a folder from the workspace. What is inherited is derived at every read, so a project that moves inherits from
 * its new folder at once.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { normaliseEmail } from "../accounts/email.ts"
import type { User } from "../accounts/model.ts"
import { Audit } from "../audit/audit.ts"
import * as FolderRules from "../folders/rules.ts"
import { FolderStore } from "../folders/store.ts"
import { Atomically } from "../ports/atomically.ts"
import * as AccessRules from "../projects/access-rules.ts"
import type { Project } from "../projects/model.ts"
import { makeReaching } from "../projects/reaching.ts"
import { makeBehindLock } from "../workspaces/behind-lock.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import type { AskedChanges, LevelPlace, Named } from "./model.ts"
import * as Rules from "./rules.ts"
import { AllowlistStore } from "./store.ts"

interface SeenLevel {
  readonly place: LevelPlace
  readonly mayChange: boolean
}

type Placed = Pick<Project, "folderId" | "id" | "workspaceId">

const placeOf = ({ folderId, id, workspaceId }: Placed): LevelPlace => ({ project: id, folder: folderId, workspace: workspaceId })

export class Allowlists extends Context.Service<Allowlists>()("svc/domain/allowlists/Allowlists", {
  make: Effect.gen(function*() {
    const store = yield* AllowlistStore
    const reaching = yield* makeReaching
    const folders = yield* FolderStore
    const workspaces = yield* Workspaces
    const behindLock = yield* makeBehindLock
    const audit = yield* Audit
    const { atomically } = yield* Atomically

    const ofProject = Effect.fn("Allowlists.ofProject")(function*(user: User, slug: string) {
      const reach = yield* reaching.seen(user, slug)
      return { place: placeOf(reach.project), mayChange: AccessRules.mayChange(reach, user) } satisfies SeenLevel
    })

    const ofFolder = Effect.fn("Allowlists.ofFolder")(function*(user: User, id: Extract<Named, { level: "folder" }>["id"]) {
      const reach = yield* Effect.fromResult(FolderRules.visible(yield* folders.reach(id, user.id), user, "id"))
      const place = { project: null, folder: id, workspace: reach.folder.workspaceId }
      return { place, mayChange: FolderRules.mayChange(reach, user) } satisfies SeenLevel
    })

    const ofWorkspace = Effect.fn("Allowlists.ofWorkspace")(function*(user: User, asked: Extract<Named, { level: "workspace" }>["id"]) {
      const { id, role } = yield* workspaces.select(user.id, asked)
      return { place: { project: null, folder: null, workspace: id }, mayChange: role === "admin" } satisfies SeenLevel
    })

    /** A level that the caller may see; any other is reported as missing. */
    const seen = (user: User, named: Named) =>
      named.level === "project"
        ? ofProject(user, named.slug)
        : named.level === "folder"
        ? ofFolder(user, named.id)
        : ofWorkspace(user, named.id)

    const look = (place: LevelPlace) => Effect.map(store.levels(place), Rules.allowlistOf)

    const get = Effect.fn("Allowlists.get")(function*(user: User, named: Named) {
      return yield* look((yield* seen(user, named)).place)
    })

    /** The list of a project that its caller was just shown: by then it may be at another address. */
    const of = (project: Placed) => look(placeOf(project))

    const change = Effect.fn("Allowlists.change")(
      function*(user: User, named: Named, changes: AskedChanges) {
        const now = yield* DateTime.now
        const { mayChange, place } = yield* behindLock(seen(user, named), ({ place }) => place.workspace)
        if (!mayChange) return yield* Rules.notYours(named)
        const [before] = yield* store.levels(place)
        yield* store.change(place, yield* Effect.fromResult(Rules.change(named, before!, changes)), now)
        const levels = yield* store.levels(place)
        const target = Rules.noted(named.level, place.project ?? place.folder ?? place.workspace, before!, levels[0]!)
        if (target !== undefined) yield* audit.write({ workspaceId: place.workspace, actor: user.id, action: "allowlist.changed", target }, now)
        return Rules.allowlistOf(levels)
      },
      atomically
    )

    /** Whether an address is on a project’s list, its own or an inherited one. For `mayComment`. */
    const listed = (project: Placed, email: string) => Effect.map(store.levels(placeOf(project)), (levels) => Rules.given(levels).includes(normaliseEmail(email)))

    return { get, of, change, listed }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
