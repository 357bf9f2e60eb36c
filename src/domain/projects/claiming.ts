/** The project that a publish is for: found by its slug, or created if the slug is free. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { signedOut } from "../accounts/refusals.ts"
import { AccountStore } from "../accounts/store.ts"
import { makePlanPages } from "../billing/plan-pages.ts"
import { given } from "../given.ts"
import { Atomically } from "../ports/atomically.ts"
import { Tokens } from "../ports/tokens.ts"
import type { Workspace, WorkspaceId } from "../workspaces/model.ts"
import { noSuchWorkspace, notIn } from "../workspaces/member-rules.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import * as AccessRules from "./access-rules.ts"
import type { Project, PublishSettings } from "./model.ts"
import { ProjectId } from "./model.ts"
import { ProjectSettings } from "./project-settings.ts"
import * as Rules from "./rules.ts"
import { readableSlug } from "./slugs/slugs.ts"
import type { Claimable, Place, Reach } from "./store.ts"
import { ProjectStore } from "./store.ts"
import { Versions } from "./versions.ts"

/** How often a generated slug may be taken before we give up. */
const SLUG_TRIES = 5

/** The project that a publish was permitted for; "none" if it must create one; undefined if it may do either. */
type Expected = ProjectId | "none" | undefined

/** A slug that a publish asks for, and what the project there is to become. */
export interface Claim {
  readonly user: User
  readonly workspaceId: WorkspaceId
  readonly slug: string
  readonly settings: PublishSettings
  readonly says: Rules.Says
  readonly expected: Expected
}

export class Claiming extends Context.Service<Claiming>()("svc/domain/projects/Claiming", {
  make: Effect.gen(function*() {
    const store = yield* ProjectStore
    const accounts = yield* AccountStore
    const versions = yield* Versions
    const workspaces = yield* Workspaces
    const projectSettings = yield* ProjectSettings
    const tokens = yield* Tokens
    const { planPage } = yield* makePlanPages
    const { atomically } = yield* Atomically

    /**
     * May the caller publish to this slug? Checked before the upload, so that a publish that is sure to fail is refused early.
     * `mustExist`: only a new version of an existing project. `mustBeNew`: only a new project. `update`: an admin may mean a colleague's project.
     */
    const permit = Effect.fn("Claiming.permit")(function*(
      user: User,
      slug: string,
      asked: WorkspaceId | undefined,
      { mustBeNew = false, mustExist = false, update = mustExist }: { readonly mustBeNew?: boolean; readonly mustExist?: boolean | undefined; readonly update?: boolean } = {}
    ) {
      const now = yield* DateTime.now
      const found = yield* store.claimable(slug, user.id, { workspaceId: asked, folderId: null }, Rules.freedSince(now))
      if (mustExist) yield* Effect.fromResult(AccessRules.changeable(found.reach, user))
      const reach = Option.getOrUndefined(found.reach)
      if (mustBeNew && reach !== undefined) return yield* AccessRules.madeAlready(reach, user)
      if (reach !== undefined) yield* Effect.fromResult(AccessRules.publishes(reach, user, update))
      // A named workspace must be the project's own; one that the caller does not belong to is refused as missing.
      const workspace = workspaces.withBillingState(yield* Effect.fromOption(found.workspace, () => notIn(asked)), now)
      if (reach !== undefined && workspace.id !== reach.project.workspaceId) return yield* AccessRules.elsewhere(reach, user)
      yield* versions.publishable(user, workspace)
      if (reach !== undefined) {
        yield* Effect.fromResult(AccessRules.notTakenDown(reach.project))
        return { workspace, expected: reach.project.id, held: reach.project }
      }
      yield* Effect.fromResult(Rules.claim(slug, found.freed, [workspace.id]))
      yield* Effect.fromResult(Rules.roomForProject(workspace, planPage(workspace.id)))
      return { workspace, expected: mustBeNew ? "none" as const : undefined, held: undefined }
    })

    /** The settings to store, given those that the project has. `called`: how the version is. */
    const settingsToStore = Effect.fn("Claiming.settingsToStore")(function*(
      settings: PublishSettings,
      called: string | null,
      held: Rules.Titled & Pick<Project, "password" | "visibility">,
      now: DateTime.Utc
    ) {
      const { expiresInDays: _, ...given } = settings
      const expiresAt = yield* Effect.fromResult(Rules.endOf(settings, now))
      return { ...given, expiresAt, ...Rules.titled(settings.title, called, held), ...(yield* projectSettings.door(settings, held)) }
    })

    /** An existing project under the settings that a publish to it gives. Runs behind the workspace's lock. */
    const adjust = Effect.fn("Claiming.adjust")(function*(user: User, project: Project, settings: PublishSettings, called: string | null, now: DateTime.Utc) {
      yield* projectSettings.checkFolder(project.workspaceId, user, project.owner.id, settings.folderId)
      const changes = yield* settingsToStore(settings, called, project, now)
      if (Object.values(changes).some((value) => value !== undefined)) {
        yield* store.change(project, changes, { endsPasses: Rules.endsPasses(project, changes) }, now)
      }
      yield* projectSettings.note(user, project, { ...changes, title: settings.title }, now)
      return { ...project, ...given(changes) }
    })

    const blank = Effect.fn("Claiming.blank")(function*(user: User, workspaceId: WorkspaceId, slug: string, now: DateTime.Utc) {
      return {
        id: ProjectId.make(yield* tokens.uuid),
        workspaceId,
        owner: { id: user.id, name: user.name },
        folderId: null,
        slug,
        title: slug,
        titleGiven: false,
        servedTitle: null,
        servedTitleOwn: false,
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

    /** The facts about a slug that seems free, which is locked until the transaction ends. */
    const free = Effect.fn("Claiming.free")(function*(user: User, slug: string, place: Place, now: DateTime.Utc) {
      yield* store.lockSlug(slug)
      return yield* store.claimable(slug, user.id, place, Rules.freedSince(now))
    })

    /** The project that has the slug, with the settings that the publish gives. */
    const change = Effect.fn("Claiming.change")(function*(claim: Claim, reach: Reach, now: DateTime.Utc) {
      const { expected, says, settings, user, workspaceId } = claim
      // Permitted already for this project; one created meanwhile may be a colleague's.
      yield* Effect.fromResult(AccessRules.publishes(reach, user, expected !== undefined))
      if (reach.project.workspaceId !== workspaceId) return yield* AccessRules.elsewhere(reach, user)
      yield* Effect.fromResult(AccessRules.notTakenDown(reach.project))
      return yield* adjust(user, reach.project, settings, Rules.called(says, reach.project).title, now)
    })

    /** The names of all workspaces count, so it is the account that is held: each of those is behind a lock of its own. */
    const nameForUnproven = Effect.fn("Claiming.nameForUnproven")(function*(user: User) {
      if (!(yield* accounts.holdSession(user))) return yield* signedOut()
      yield* Effect.fromResult(Rules.mayHoldMore(user, yield* workspaces.of(user.id)))
    })

    /** A new project at the slug, which is free. */
    const create = Effect.fn("Claiming.create")(function*(claim: Claim, workspace: Workspace, found: Claimable, now: DateTime.Utc) {
      const { says, settings, slug, user, workspaceId } = claim
      // The caller may have been removed from the workspace meanwhile.
      const { commentAccess } = yield* Effect.fromOption(found.workspace, noSuchWorkspace)
      yield* Effect.fromResult(Rules.claim(slug, found.freed, [workspaceId]))
      if (!user.emailVerified) yield* nameForUnproven(user)
      yield* Effect.fromResult(Rules.roomForProject(workspace, planPage(workspace.id)))
      yield* projectSettings.checkFolder(workspaceId, user, user.id, settings.folderId)
      const fresh = yield* blank(user, workspaceId, slug, now)
      const project: Project = { ...fresh, commentAccess, ...given(yield* settingsToStore(settings, Rules.called(says, fresh).title, fresh, now)) }
      return (yield* store.create(project)) ? project : yield* AccessRules.slugTaken()
    })

    /** The project of this slug, created if the slug is free. Locks the workspace. */
    const claim = Effect.fn("Claiming.claim")(function*(claim: Claim, now: DateTime.Utc) {
      const { expected, settings: { folderId }, slug, user, workspaceId } = claim
      const workspace = yield* versions.locked(workspaceId)
      const meant = expected === "none" ? undefined : expected
      const found: Claimable = meant === undefined
        ? yield* free(user, slug, { workspaceId, folderId }, now)
        : { reach: yield* store.reach(slug, user.id), freed: Option.none(), workspace: Option.none() }
      const reach = Option.getOrUndefined(found.reach)
      // Created by another request meanwhile: a publish that must create a project never goes into an existing one.
      if (expected === "none" && reach !== undefined) return yield* AccessRules.madeAlready(reach, user)
      // Renamed or deleted during the upload: the publish was meant for that project and must not go into another.
      if (meant !== undefined && reach?.project.id !== meant) return yield* AccessRules.noSuchProject()
      const project = reach === undefined ? yield* create(claim, workspace, found, now) : yield* change(claim, reach, now)
      return { workspace, project, created: reach === undefined }
    })

    const empty = Effect.fn("Claiming.empty")(
      function*(wanted: Omit<Claim, "expected" | "says">) {
        const now = yield* DateTime.now
        return (yield* claim({ ...wanted, says: { title: null, fileTitle: null }, expected: "none" }, now)).project
      },
      atomically
    )

    /** A readable slug that is free; if another request takes it first, the publish fails with `slug_taken`. */
    const freeSlug = Effect.fn("Claiming.freeSlug")(function*(user: User) {
      for (let left = SLUG_TRIES;; left--) {
        const slug = readableSlug(yield* tokens.random(16))
        if (left === 0 || Option.isNone(yield* store.reach(slug, user.id))) return slug
      }
    })

    return { permit, claim, adjust, empty, freeSlug }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
