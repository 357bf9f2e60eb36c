/**
 * A publish: (1) check permission (claiming.ts), (2) write the bytes to a draft, (3) determine the kind, (4) store new bodies as
 * one pack, (5) make the version live in one transaction, which commits once the pack is durable. Nothing is visible before (5)
 * commits, everything afterwards.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { makePlanPages } from "../billing/plan-pages.ts"
import { assetAt } from "../hosting/model.ts"
import { Atomically } from "../ports/atomically.ts"
import { Packs } from "../ports/packs.ts"
import type { PackDraft } from "../ports/packs.ts"
import { Ahead } from "../renderings/ahead.ts"
import type { Plan, WorkspaceId } from "../workspaces/model.ts"
import { mayPublish, PLANS } from "../workspaces/rules.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import * as AccessRules from "./access-rules.ts"
import { Claiming } from "./claiming.ts"
import type { Claim } from "./claiming.ts"
import { makeDurably } from "./durably.ts"
import { filePath } from "./file-paths.ts"
import { makeMerging } from "./merging.ts"
import { missingAmong } from "./missing-files.ts"
import type { Kind, Project, PublishSettings } from "./model.ts"
import { arrived, kindAlone, Receiving, tooLarge } from "./receiving.ts"
import type { Form, Incoming, KeptContent, NewContent, Received, Spend } from "./receiving.ts"
import * as Rules from "./rules.ts"
import * as SiteRules from "./site-rules.ts"
import { ProjectStore } from "./store.ts"
import { makeContentsOf } from "./version-contents.ts"
import { tally, Versions } from "./versions.ts"

/** A publish that was permitted. */
interface Permitted extends Omit<Claim, "says" | "workspaceId"> {
  readonly workspace: { readonly id: WorkspaceId; readonly plan: Plan }
  /** The version that it is based on, if the caller named one. */
  readonly base?: number | undefined
  /** What was sent, if it takes the place of several files only on purpose. */
  readonly sent?: Kind | "zip" | undefined
  readonly spend?: Spend | undefined
}

export class Publishing extends Context.Service<Publishing>()("svc/domain/projects/Publishing", {
  make: Effect.gen(function*() {
    const store = yield* ProjectStore
    const versions = yield* Versions
    const ahead = yield* Ahead
    const workspaces = yield* Workspaces
    const packs = yield* Packs
    const receiving = yield* Receiving
    const claiming = yield* Claiming
    const durably = yield* makeDurably
    const contentsOf = yield* makeContentsOf
    const addFiles = yield* makeMerging(durably)
    const { onPlanOf } = yield* makePlanPages
    const { atomically } = yield* Atomically

    const publishContent = Effect.fn("Publishing.publishContent")(
      function*({ base, expected, sent, settings, slug, spend = Effect.void, user, workspace: { id } }: Permitted, content: NewContent, kept: KeptContent) {
        const now = yield* DateTime.now
        const { created, project, workspace } = yield* claiming.claim({ user, workspaceId: id, slug, settings, says: content, expected }, now)
        yield* Effect.fromResult(Rules.onBase(project, base))
        if (sent !== undefined) yield* Effect.fromResult(SiteRules.replaces(project, sent))
        const { entry, excerpt, guessed, kind } = content
        const manifest = Object.fromEntries(kept.assets)
        yield* Effect.yieldNow
        const next = { kind, entry, manifest, pack: kept.pack, found: kept.found, ...Rules.called(content, project), excerpt, beginsAs: null }
        const live = yield* versions.advance({ user, workspace, project, content: next }, now)
        yield* spend
        yield* kept.durable
        return { created, guessed, project: live }
      },
      atomically
    )

    /** The document that is served: the only file, or the one that others go with, which no name need call Markdown. Undefined for a site of several, and if its version was pruned meanwhile. */
    const documentOf = Effect.fnUntraced(function*({ fileCount, id, kind, version }: Project) {
      if (kind === null || (fileCount !== 1 && SiteRules.HOLDS[kind] === undefined)) return undefined
      const held = Option.getOrUndefined(yield* Effect.option(contentsOf(id, version)))
      const asset = held && assetAt(held.manifest, held.entry)
      return held && asset && { path: held.entry, name: asset.name ?? held.entry, type: kind === "markdown" ? "text/markdown" : asset.type }
    })

    /** Takes a single file under its own name, or several, each at its path. */
    const receive = Effect.fn("Publishing.receive")(function*(draft: PackDraft, files: ReadonlyArray<Incoming>, cap: number, held: Project | undefined) {
      const [only] = files
      if (files.length === 1 && only !== undefined) {
        const path = only.path === undefined ? undefined : yield* Effect.fromResult(filePath(only.path))
        const before = only.stays === true && path === undefined && held !== undefined ? yield* documentOf(held) : undefined
        return [yield* receiving.receive(draft, { ...only, path }, cap, before)]
      }
      const { accept, received } = receiving.intake(draft, cap, Effect.void)
      yield* Effect.forEach(files, accept, { discard: true })
      return received.values().toArray()
    })

    /** Makes one version of everything that arrived: determines its kind, stores it, and publishes it in one transaction. */
    const makeVersion = Effect.fn("Publishing.makeVersion")(function*(publish: Permitted, draft: PackDraft, received: ReadonlyArray<Received>) {
      const content = yield* onPlanOf(publish.workspace.id)(receiving.understand(draft, received, PLANS[publish.workspace.plan].uploadBytes))
      const names = yield* receiving.names(draft, content.kind, content.files)
      const kept = yield* receiving.keep(draft, publish.workspace.id, content.files)
      const published = yield* durably(publish.workspace.id, kept, (kept) => publishContent(publish, content, kept))
      yield* tally(published.project, kept)
      yield* ahead(published.project)
      return { ...published, missing: missingAmong(names, () => content.files.map(({ path }) => path)) }
    })

    const bringLive = (publish: Permitted, draft: PackDraft, received: ReadonlyArray<Received>) =>
      receiving.inTurn(publish.user, draft, received, undefined, makeVersion(publish, draft, received))

    /** PUT /v1/projects/{slug}: the body is one file. An agent may send several files in one call. */
    const put = Effect.fn("Publishing.put")(
      function*(
        user: User,
        slug: string,
        files: Incoming | ReadonlyArray<Incoming>,
        settings: PublishSettings & { readonly workspace?: WorkspaceId | undefined; readonly mustExist?: boolean; readonly mustBeNew?: boolean; readonly base?: number | undefined },
        spend?: Spend
      ) {
        const { base, mustBeNew = false, mustExist = false, workspace: asked, ...rest } = settings
        // `expected` is the project that was permitted here; the transaction publishes to no other.
        const { expected, held, workspace } = yield* claiming.permit(user, slug, asked, { mustExist: mustExist || base !== undefined, mustBeNew, update: mustExist })
        if (held !== undefined) yield* Effect.fromResult(Rules.onBase(held, base))
        const draft = yield* packs.draft
        const received = yield* onPlanOf(workspace.id)(receive(draft, [files].flat(), PLANS[workspace.plan].uploadBytes, held))
        return yield* bringLive({ user, workspace, slug, settings: rest, expected, base, spend }, draft, received)
      },
      Effect.scoped
    )

    /** Replaces the whole content of an existing project by one file; of a Markdown with images, the Markdown alone. */
    const replace = Effect.fn("Publishing.replace")(
      function*(user: User, slug: string, file: Incoming, base?: number) {
        const { project, workspace } = yield* versions.permitAgain(user, slug)
        yield* Effect.fromResult(Rules.onBase(project, base))
        const draft = yield* packs.draft
        const received = yield* onPlanOf(workspace.id)(receive(draft, [file], PLANS[workspace.plan].uploadBytes, project))
        const sent = kindAlone(received[0]!)
        const document = project.fileCount > 1 ? yield* documentOf(project) : undefined
        if (document !== undefined && SiteRules.takesPlace(project, sent, file.path, document.path)) {
          return { guessed: false, ...(yield* addFiles(user, slug, arrived([{ ...file, path: document.path }], { base }))) }
        }
        yield* Effect.fromResult(SiteRules.replaces(project, sent, document?.path))
        return yield* bringLive({ user, workspace, slug, settings: {}, expected: project.id, base, sent }, draft, received)
      },
      Effect.scoped
    )

    /**
     * A form names its workspace only while it streams in. Until then the largest upload limit of the caller's workspaces
     * applies, and a caller who may publish in none of them is refused at the first file.
     */
    const anywhere = Effect.fn("Publishing.anywhere")(function*(user: User) {
      const all = yield* workspaces.of(user.id)
      const best = all.find((workspace) => mayPublish(workspace.billingState)) ?? all[0]
      const widest = all.toSorted((one, other) => PLANS[other.plan].uploadBytes - PLANS[one.plan].uploadBytes)[0]
      const onPlan = <A, E, R>(program: Effect.Effect<A, E, R>) => widest === undefined ? program : onPlanOf(widest.id)(program)
      const cap = PLANS[widest?.plan ?? "starter"].uploadBytes
      return { cap, onPlan, permitted: versions.publishable(user, best ?? { billingState: "active", linksDownOn: null }) }
    })

    /** POST /v1/projects: a form with files creates a project and its first version; a form without files, an empty project. */
    const create = Effect.fn("Publishing.create")(
      function*<E>(
        user: User,
        form: Form<PublishSettings & { readonly slug?: string | undefined; readonly workspace?: WorkspaceId | undefined }, E>
      ) {
        const { cap, onPlan, permitted } = yield* anywhere(user)
        const draft = yield* packs.draft
        const { accept, received } = receiving.intake(draft, cap, permitted)
        const { slug: asked, workspace: askedWorkspace, ...settings } = yield* form((file) => onPlan(accept(file)))
        const slug = asked ?? (yield* claiming.freeSlug(user))
        const workspace = yield* workspaces.select(user.id, askedWorkspace)
        if (received.size === 0) return { created: true, guessed: false, missing: undefined, project: yield* claiming.empty({ user, workspaceId: workspace.id, slug, settings }) }

        yield* versions.permit(user, workspace.id)
        const there = Option.getOrUndefined(yield* store.reach(slug, user.id))
        if (there !== undefined) return yield* AccessRules.madeAlready(there, user)
        const { uploadBytes } = PLANS[workspace.plan]
        const total = [...received.values()].reduce((sum, file) => sum + file.body.length, 0)
        if (total > uploadBytes) return yield* onPlanOf(workspace.id)(Effect.fail(tooLarge(uploadBytes)))
        return yield* bringLive({ user, workspace, slug, settings, expected: "none" }, draft, [...received.values()])
      },
      Effect.scoped
    )

    return { put, replace, create, addFiles }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
