/** The project that a publish is for: found by its slug, or made when nobody holds it. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { Atomically } from "../ports/atomically.ts"
import { Tokens } from "../ports/tokens.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { noSuchWorkspace } from "../workspaces/member-rules.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import type { Project, PublishSettings } from "./model.ts"
import { ProjectId } from "./model.ts"
import { ProjectSettings } from "./project-settings.ts"
import * as Rules from "./rules.ts"
import { readableSlug } from "./slugs.ts"
import type { Place } from "./store.ts"
import { ProjectStore } from "./store.ts"
import { Versions } from "./versions.ts"

/** How often a made-up slug may meet a held one before we give up. */
const SLUG_TRIES = 5

/** The project that a publish was permitted for; "none" where it is to make one; undefined where either will do. */
export type Expected = ProjectId | "none" | undefined

export class Claiming extends Context.Service<Claiming>()("svc/domain/projects/Claiming", {
  make: Effect.gen(function*() {
    const store = yield* ProjectStore
    const versions = yield* Versions
    const workspaces = yield* Workspaces
    const projectSettings = yield* ProjectSettings
    const tokens = yield* Tokens
    const { atomically } = yield* Atomically

    /**
     * May the caller publish to this slug? What is certain to be refused is refused before its bytes travel. `mustExist`:
     * a new version of what is there, and never a project.
     */
    const permit = Effect.fn("Claiming.permit")(function*(user: User, slug: string, asked: WorkspaceId | undefined, mustExist = false) {
      const now = yield* DateTime.now
      const found = yield* store.claimable(slug, user.id, { workspaceId: asked, folderId: null }, DateTime.subtract(now, Rules.SLUG_KEPT))
      if (mustExist) yield* Effect.fromResult(Rules.changeable(found.reach, user))
      const reach = Option.getOrUndefined(found.reach)
      if (reach !== undefined) yield* Effect.fromResult(Rules.publishes(reach, user, mustExist))
      // A workspace that is named must be the project's own; to a stranger it is as good as missing.
      const workspace = workspaces.standing(Option.getOrUndefined(found.workspace) ?? (yield* noSuchWorkspace()), now)
      if (reach !== undefined && workspace.id !== reach.project.workspaceId) return yield* Rules.slugTaken()
      yield* Effect.fromResult(Rules.publishable(user, workspace.billingState))
      if (reach !== undefined) {
        yield* Effect.fromResult(Rules.standing(reach.project))
        return { workspace, expected: reach.project.id, held: reach.project }
      }
      yield* Effect.fromResult(Rules.claim(slug, Option.getOrUndefined(found.keptFor), workspace.id))
      yield* Effect.fromResult(Rules.roomForProject(workspace))
      return { workspace, expected: undefined, held: undefined }
    })

    /** Settings as they come to be beside what the project holds. */
    const settle = Effect.fn("Claiming.settle")(function*(settings: PublishSettings, held: Project | undefined, now: DateTime.Utc) {
      const { expiresInDays, ...given } = settings
      const password = settings.password ?? held?.password ?? null
      const made = yield* projectSettings.doorcode(settings.visibility ?? held?.visibility ?? "public", password)
      const expiresAt = Rules.expiryIn(expiresInDays, now)
      return { ...given, ...made, ...(expiresAt === undefined ? {} : { expiresAt }) }
    })

    const blank = Effect.fn("Claiming.blank")(function*(user: User, workspaceId: WorkspaceId, slug: string, title: string, now: DateTime.Utc) {
      return {
        id: ProjectId.make(yield* tokens.uuid),
        workspaceId,
        owner: { id: user.id, name: user.name },
        folderId: null,
        slug,
        title,
        visibility: "public",
        password: null,
        commentsEnabled: false,
        htmlDisplayMode: "auto",
        commentAccess: "allowlist",
        commentAllowlistInherit: true,
        indexable: false,
        expiresAt: null,
        kind: null,
        version: 0,
        currentVersionId: null,
        sizeBytes: 0,
        fileCount: 0,
        createdAt: now,
        updatedAt: now,
        publishedAt: null,
        takenDownAt: null
      } satisfies Project
    })

    /** A slug that nobody held a moment ago, held on to until the transaction ends. */
    const free = Effect.fn("Claiming.free")(function*(user: User, slug: string, place: Place, now: DateTime.Utc) {
      yield* store.lockSlug(slug)
      return yield* store.claimable(slug, user.id, place, DateTime.subtract(now, Rules.SLUG_KEPT))
    })

    /** The project of this slug, made when nobody holds it. Runs behind the workspace's lock. */
    const claim = Effect.fn("Claiming.claim")(function*(
      user: User,
      workspaceId: WorkspaceId,
      slug: string,
      settings: PublishSettings,
      title: string | undefined,
      now: DateTime.Utc,
      expected: Expected
    ) {
      const workspace = yield* versions.locked(workspaceId)
      const meant = expected === "none" ? undefined : expected
      const found = meant === undefined
        ? yield* free(user, slug, { workspaceId, folderId: settings.folderId }, now)
        : { reach: yield* store.reach(slug, user.id), keptFor: Option.none(), workspace: Option.none() }
      const reach = Option.getOrUndefined(found.reach)
      // Made by another request meanwhile: what makes a project never goes into one.
      if (expected === "none" && reach !== undefined) return yield* Rules.slugTaken()
      // Renamed or deleted while the bytes travelled: they were meant for that project and become no other.
      if (meant !== undefined && reach?.project.id !== meant) return yield* Rules.noSuchProject()
      if (reach !== undefined) {
        // What was permitted was permitted for this project; one that came up meanwhile is a colleague's or the caller's own.
        yield* Effect.fromResult(Rules.publishes(reach, user, meant !== undefined))
        if (reach.project.workspaceId !== workspaceId) return yield* Rules.slugTaken()
        yield* Effect.fromResult(Rules.standing(reach.project))
        yield* projectSettings.checkFolder(workspaceId, user, reach.project.owner.id, settings.folderId)
        const changes = yield* settle(settings, reach.project, now)
        if (Object.values(changes).some((value) => value !== undefined)) yield* store.change(reach.project, changes, now)
        yield* projectSettings.note(user, reach.project, changes, now)
        return { workspace, project: { ...reach.project, ...given(changes) }, created: false }
      }
      // Whoever was taken out of the workspace meanwhile makes nothing there.
      const { commentAccess } = Option.getOrUndefined(found.workspace) ?? (yield* noSuchWorkspace())
      yield* Effect.fromResult(Rules.claim(slug, Option.getOrUndefined(found.keptFor), workspaceId))
      yield* Effect.fromResult(Rules.roomForProject(workspace))
      yield* projectSettings.checkFolder(workspaceId, user, user.id, settings.folderId)
      const fresh = yield* blank(user, workspaceId, slug, settings.title ?? title ?? slug, now)
      const project: Project = { ...fresh, commentAccess, ...given(yield* settle(settings, undefined, now)) }
      if (!(yield* store.create(project))) return yield* Rules.slugTaken()
      return { workspace, project, created: true }
    })

    const empty = Effect.fn("Claiming.empty")(
      function*(user: User, workspaceId: WorkspaceId, slug: string, settings: PublishSettings) {
        const now = yield* DateTime.now
        return (yield* claim(user, workspaceId, slug, settings, undefined, now, "none")).project
      },
      atomically
    )

    /** A readable slug that nobody holds; someone may still be faster, which is then a plain `slug_taken`. */
    const freeSlug = Effect.fn("Claiming.freeSlug")(function*(user: User) {
      for (let left = SLUG_TRIES;; left--) {
        const slug = readableSlug(yield* tokens.random(16))
        if (left === 0 || Option.isNone(yield* store.reach(slug, user.id))) return slug
      }
    })

    return { permit, claim, empty, freeSlug }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

/** The settings that are given, so that absent ones do not cover what stands. */
const given = <A extends object>(settings: A): { [K in keyof A]: Exclude<A[K], undefined> } =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as never
