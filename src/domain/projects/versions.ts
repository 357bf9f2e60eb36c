/** Versions: who may publish the next one, how it goes live, and how an old one is restored (CONTRACT §8). */
import { Context, DateTime, Effect, Layer, Metric, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { makePlanPages } from "../billing/plan-pages.ts"
import { Unavailable } from "../failures.ts"
import { orFail } from "../found.ts"
import type { Manifest } from "../hosting/model.ts"
import { Atomically } from "../ports/atomically.ts"
import { Tokens } from "../ports/tokens.ts"
import { Ahead } from "../renderings/ahead.ts"
import type { Workspace, WorkspaceId } from "../workspaces/model.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import * as AccessRules from "./access-rules.ts"
import type { Project } from "./model.ts"
import { VersionId } from "./model.ts"
import { makeReaching } from "./reaching.ts"
import * as Rules from "./rules.ts"
import type { NewPack, NewVersion } from "./store.ts"
import { ProjectStore, VersionStore } from "./store.ts"
import { makeContentsOf } from "./version-contents.ts"

const published = Metric.counter("svc_publishes_total", { description: "Versions that went live, by kind", incremental: true })

const publishedBytes = Metric.counter("svc_published_bytes_total", { description: "New bytes that publishes stored", incremental: true })

/** Counts a version that went live. Runs outside the transaction, so that a rolled-back publish is not counted. */
export const tally = Effect.fnUntraced(function*(project: Project, { pack }: { readonly pack: NewPack | null }) {
  if (project.kind !== null) yield* Metric.update(Metric.withAttributes(published, { kind: project.kind }), 1)
  yield* Metric.update(publishedBytes, pack?.sizeBytes ?? 0)
})

const metCleanUp = () => new Unavailable({ message: "The publish met a clean-up. Try again." })

const sizeOf = (manifest: Manifest): number => Object.values(manifest).reduce((sum, asset) => sum + asset.length, 0)

/** A publish that its workspace's lock has let through: whose it is, and what it makes live. */
interface Publish {
  readonly user: User
  readonly workspace: Workspace
  readonly project: Project
  readonly content: Pick<NewVersion, "kind" | "entry" | "manifest" | "pack" | "found" | "title" | "titleOwn" | "excerpt" | "beginsAs">
}

export class Versions extends Context.Service<Versions>()("svc/domain/projects/Versions", {
  make: Effect.gen(function*() {
    const projects = yield* ProjectStore
    const { changeable } = yield* makeReaching
    const store = yield* VersionStore
    const workspaces = yield* Workspaces
    const workspaceStore = yield* WorkspaceStore
    const contentsOf = yield* makeContentsOf
    const { planPage } = yield* makePlanPages
    const tokens = yield* Tokens
    const ahead = yield* Ahead
    const { atomically } = yield* Atomically

    /** Fails unless the caller may publish to a workspace that stands like this. */
    const publishable = (user: User, standing: Rules.Standing & { readonly id?: WorkspaceId }) =>
      Effect.fromResult(Rules.publishable(user, standing, standing.id && planPage(standing.id)))

    /** The workspace that a publish counts towards; fails if the caller may not publish there. */
    const permit = Effect.fn("Versions.permit")(function*(user: User, workspaceId: WorkspaceId | undefined) {
      const workspace = yield* workspaces.select(user.id, workspaceId)
      yield* publishable(user, workspace)
      return workspace
    })

    /** An existing project that the caller may publish to, and its workspace. */
    const permitAgain = Effect.fn("Versions.permitAgain")(function*(user: User, slug: string) {
      const { project } = yield* changeable(user, slug)
      yield* Effect.fromResult(AccessRules.notTakenDown(project))
      return { project, workspace: yield* permit(user, project.workspaceId) }
    })

    const locked = (workspaceId: WorkspaceId) =>
      Effect.flatMap(workspaceStore.lock(workspaceId), Effect.fromOption).pipe(Effect.orDie)

    /** A project that must still exist, read behind its workspace's lock. */
    const held = Effect.fn("Versions.held")(function*(user: User, workspaceId: WorkspaceId, slug: string) {
      const workspace = yield* locked(workspaceId)
      const reach = Option.getOrUndefined(yield* projects.reach(slug, user.id))
      if (reach === undefined || !AccessRules.mayChange(reach, user)) return yield* AccessRules.noSuchProject()
      yield* Effect.fromResult(AccessRules.notTakenDown(reach.project))
      return { workspace, project: reach.project }
    })

    /** Makes the next version live, and prunes one that is older than the plan keeps. Runs behind the workspace's lock. */
    const advance = Effect.fn("Versions.advance")(function*({ content, project, user, workspace }: Publish, now: DateTime.Utc) {
      // Checked again: the upload may have taken long, and the trial or subscription may have ended meanwhile.
      yield* publishable(user, workspaces.withBillingState(workspace, now))
      const version = project.version + 1
      const sizeBytes = sizeOf(content.manifest)
      const id = VersionId.make(yield* tokens.uuid)
      const added = { ...content, id, version, sizeBytes, projectId: project.id, workspaceId: project.workspaceId, createdBy: user.id, createdAt: now }
      const gained = yield* store.add(added, Rules.pruning(version, workspace.plan)).pipe(orFail(metCleanUp))
      yield* Effect.fromResult(Rules.roomForBytes(workspace, gained, planPage(workspace.id)))
      const fileCount = Object.keys(content.manifest).length
      return { ...project, servedTitle: content.title, servedTitleOwn: content.titleOwn, kind: content.kind, version, currentVersionId: id, sizeBytes, fileCount, updatedAt: now, publishedAt: now }
    })

    /** The project under the title of what it serves from now on, unless somebody gave it one. */
    const retitled = Effect.fn("Versions.retitled")(function*(project: Project, read: string | null, now: DateTime.Utc) {
      const titled = Rules.titled(undefined, read, project)
      if (titled.title !== undefined || titled.titleGiven !== undefined) yield* projects.change(project, titled, { endsPasses: Rules.endsPasses(project, titled) }, now)
      return { ...project, ...titled }
    })

    /** Publishes an old version's content again as the newest version. */
    const restore = Effect.fn("Versions.restore")(
      function*(user: User, slug: string, number: number) {
        const { workspace: { id } } = yield* permitAgain(user, slug)
        const now = yield* DateTime.now
        const { project, workspace } = yield* held(user, id, slug)
        const { entry, id: beginsAs, kind, manifest, title, titleOwn } = yield* contentsOf(project.id, number)
        const content = { kind, entry, manifest, pack: null, found: new Map(), title, titleOwn, excerpt: null, beginsAs }
        return yield* advance({ user, workspace, project: yield* retitled(project, title, now), content }, now)
      },
      atomically,
      Effect.tap((project) => tally(project, { pack: null })),
      Effect.tap(ahead)
    )

    return { publishable, permit, permitAgain, locked, held, advance, restore }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
