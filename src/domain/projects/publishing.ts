/**
 * A publish: (1) may the caller (claiming.ts), (2) bytes into a draft, (3) what kind they make, (4) new bodies kept as one
 * pack, (5) one transaction that makes the version live and ends once the pack is durable. Before (5) nothing is visible,
 * after it all is.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { User } from "../accounts/model.ts"
import { invalid } from "../failures.ts"
import type { Unavailable } from "../failures.ts"
import { HostingStore } from "../hosting/store.ts"
import { Atomically } from "../ports/atomically.ts"
import { Packs } from "../ports/packs.ts"
import type { PackDraft } from "../ports/packs.ts"
import { Ahead } from "../renderings/ahead.ts"
import type { Plan, WorkspaceId } from "../workspaces/model.ts"
import { mayPublish, PLANS } from "../workspaces/rules.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import { Claiming } from "./claiming.ts"
import type { Expected } from "./claiming.ts"
import { filePath } from "./file-paths.ts"
import type { Project, PublishSettings } from "./model.ts"
import { inSite, Receiving, SlowPack, tooLarge } from "./receiving.ts"
import type { Content, Incoming, KeptContent, Received } from "./receiving.ts"
import * as Rules from "./rules.ts"
import { ProjectStore } from "./store.ts"
import { tally, Versions } from "./versions.ts"

/** Reads a form: hands each file on as it streams by, and answers the fields at the end. */
export type Form<A, E> = <F>(accept: (file: Incoming) => Effect.Effect<void, F>) => Effect.Effect<A, E | F>

/** A form whose files are here already. */
export const formOf = <A>(files: ReadonlyArray<Incoming>, fields: A): Form<A, never> => (accept) =>
  Effect.as(Effect.forEach(files, accept, { discard: true }), fields)

/** What a form of files says beside them, by the names it has on the wire. */
interface FileChanges {
  readonly delete?: ReadonlyArray<string> | undefined
  /** The version that the changes are meant for. */
  readonly base_version?: number | undefined
}

/** A publish as it was permitted. */
interface Permitted {
  readonly user: User
  readonly workspace: { readonly id: WorkspaceId; readonly plan: Plan }
  readonly slug: string
  readonly settings: PublishSettings
  readonly expected: Expected
  /** The version that it is meant for, where its caller said so. */
  readonly base?: number | undefined
}

/** How long a transaction may wait for its pack. What takes longer is waited for with nothing locked, and then it runs again. */
const PATIENCE = "100 millis"

export class Publishing extends Context.Service<Publishing>()("svc/domain/projects/Publishing", {
  make: Effect.gen(function*() {
    const store = yield* ProjectStore
    const versions = yield* Versions
    const ahead = yield* Ahead
    const workspaces = yield* Workspaces
    const hosting = yield* HostingStore
    const packs = yield* Packs
    const receiving = yield* Receiving
    const claiming = yield* Claiming
    const { atomically } = yield* Atomically

    const publishContent = Effect.fn("Publishing.publishContent")(
      function*({ base, expected, settings, slug, user, workspace: { id } }: Permitted, content: Content, kept: KeptContent) {
        const now = yield* DateTime.now
        const { created, project, workspace } = yield* claiming.claim(user, id, slug, settings, content.title, now, expected)
        yield* Effect.fromResult(Rules.onBase(project, base))
        const { entry, excerpt, kind } = content
        const manifest = Object.fromEntries(kept.assets)
        const live = yield* versions.advance(user, workspace, project, { kind, entry, manifest, pack: kept.pack, excerpt, beginsAs: null }, now)
        yield* kept.durable
        return { created, project: live }
      },
      atomically
    )

    /**
     * Runs a publish while its pack goes to the disk. One that is refused names none of its new bytes: they go at once, and
     * not a day later as those of one that was cut off.
     */
    const durably = <A, E, R>(kept: KeptContent, publish: (kept: KeptContent) => Effect.Effect<A, E | SlowPack, R>) => {
      const { durable, pack } = kept
      const patient = Effect.timeoutOrElse(durable, { duration: PATIENCE, orElse: () => new SlowPack() })
      const again = Effect.andThen(durable, publish({ ...kept, durable: Effect.void }))
      const letGo = pack === null ? Effect.void : Effect.andThen(Effect.exit(durable), Effect.ignore(packs.remove(pack.id)))
      return publish({ ...kept, durable: patient }).pipe(
        Effect.catch((error) => error instanceof SlowPack ? again : Effect.fail(error)),
        Effect.catch((error): Effect.Effect<never, E | Unavailable> => error instanceof SlowPack ? Effect.die(error) : Effect.fail(error)),
        Effect.tapError(() => letGo)
      )
    }

    const manifestOf = (project: Project) =>
      Effect.flatMap(hosting.manifest(project.currentVersionId!), Effect.fromOption).pipe(Effect.orDie)

    /** What is served now, where that is one file. A version that was pruned meanwhile says nothing. */
    const onlyFileOf = Effect.fnUntraced(function*({ currentVersionId, fileCount }: Project) {
      if (currentVersionId === null || fileCount !== 1) return undefined
      const manifest = Option.getOrElse(yield* hosting.manifest(currentVersionId), () => ({}))
      return Object.entries(manifest).map(([name, { type }]) => ({ name, type }))[0]
    })

    /** One file as it is named, several each at a path of its own. */
    const receive = Effect.fn("Publishing.receive")(function*(draft: PackDraft, files: ReadonlyArray<Incoming>, cap: number, held: Project | undefined) {
      const [only] = files
      if (files.length === 1 && only !== undefined) {
        const path = only.path === undefined ? undefined : yield* Effect.fromResult(filePath(only.path))
        const before = only.stays === true && path === undefined && held !== undefined ? yield* onlyFileOf(held) : undefined
        return [yield* receiving.receive(draft, { ...only, path }, cap, before)]
      }
      const { accept, received } = receiving.intake(draft, cap, Effect.void)
      yield* Effect.forEach(files, accept, { discard: true })
      return received.values().toArray()
    })

    /** Everything that arrived, made one version: understood, kept, and published in one transaction. */
    const bringLive = Effect.fn("Publishing.bringLive")(function*(publish: Permitted, draft: PackDraft, received: ReadonlyArray<Received>) {
      const content = yield* receiving.understand(draft, received, PLANS[publish.workspace.plan].uploadBytes)
      const kept = yield* receiving.keep(draft, publish.workspace.id, content.files)
      const published = yield* durably(kept, (kept) => publishContent(publish, content, kept))
      yield* tally(published.project, kept)
      yield* ahead(published.project)
      return published
    })

    const publishFiles = Effect.fn("Publishing.publishFiles")(
      function*(publish: Permitted, files: ReadonlyArray<Incoming>, held: Project | undefined) {
        const draft = yield* packs.draft
        const received = yield* receive(draft, files, PLANS[publish.workspace.plan].uploadBytes, held)
        return yield* bringLive(publish, draft, received)
      },
      Effect.scoped
    )

    /** PUT /v1/projects/{slug}: one body, one request. An agent may send several files in one. */
    const put = Effect.fn("Publishing.put")(function*(
      user: User,
      slug: string,
      files: Incoming | ReadonlyArray<Incoming>,
      settings: PublishSettings & { readonly workspace?: WorkspaceId | undefined; readonly mustExist?: boolean }
    ) {
      const { mustExist, workspace: asked, ...rest } = settings
      // What is permitted here is one project, and the transaction publishes to that one alone.
      const { expected, held, workspace } = yield* claiming.permit(user, slug, asked, mustExist)
      return yield* publishFiles({ user, workspace, slug, settings: rest, expected }, [files].flat(), held)
    })

    /** The whole content of a project that is there; never makes one. */
    const replace = Effect.fn("Publishing.replace")(function*(user: User, slug: string, files: ReadonlyArray<Incoming>, base?: number) {
      const { project, workspace } = yield* versions.permitAgain(user, slug)
      yield* Effect.fromResult(Rules.onBase(project, base))
      return yield* publishFiles({ user, workspace, slug, settings: {}, expected: project.id, base }, files, project)
    })

    /**
     * A form names its workspace only as it streams by: until then the largest upload that any of the caller's takes
     * holds, and whoever may publish in none of them is refused at the first file.
     */
    const anywhere = Effect.fn("Publishing.anywhere")(function*(user: User) {
      const all = yield* workspaces.of(user.id)
      const best = all.find((workspace) => mayPublish(workspace.billingState)) ?? all[0]
      const cap = Math.max(...all.map((workspace) => PLANS[workspace.plan].uploadBytes), PLANS.starter.uploadBytes)
      return { cap, permitted: Effect.fromResult(Rules.publishable(user, best?.billingState ?? "active")) }
    })

    /** POST /v1/projects: a form with files makes a project and its first version, one without an empty project. */
    const create = Effect.fn("Publishing.create")(
      function*<E>(
        user: User,
        form: Form<PublishSettings & { readonly slug?: string | undefined; readonly workspace?: WorkspaceId | undefined }, E>
      ) {
        const { cap, permitted } = yield* anywhere(user)
        const draft = yield* packs.draft
        const { accept, received } = receiving.intake(draft, cap, permitted)
        const { slug: asked, workspace: askedWorkspace, ...settings } = yield* form(accept)
        const slug = asked ?? (yield* claiming.freeSlug(user))
        const workspace = yield* workspaces.select(user.id, askedWorkspace)
        if (received.size === 0) return yield* claiming.empty(user, workspace.id, slug, settings)

        yield* versions.permit(user, workspace.id)
        if (Option.isSome(yield* store.reach(slug, user.id))) return yield* Rules.slugTaken()
        const { uploadBytes } = PLANS[workspace.plan]
        const total = [...received.values()].reduce((sum, file) => sum + file.body.length, 0)
        if (total > uploadBytes) return yield* tooLarge(uploadBytes)
        const { project } = yield* bringLive({ user, workspace, slug, settings, expected: "none" }, draft, [...received.values()])
        return project
      },
      Effect.scoped
    )

    const mergeFiles = Effect.fn("Publishing.mergeFiles")(
      function*(
        user: User,
        { id, slug, workspaceId }: Project,
        { base_version: base, delete: removed = [] }: FileChanges,
        kept: KeptContent,
        excerpt: string | null | undefined,
        instead: string
      ) {
        const now = yield* DateTime.now
        const { project, workspace } = yield* versions.standing(user, workspaceId, slug)
        // The files took their time to arrive: what is there now may be another project, or no site any more.
        if (project.id !== id) return yield* Rules.noSuchProject()
        yield* Effect.fromResult(Rules.takesFiles(project, instead))
        yield* Effect.fromResult(Rules.onBase(project, base))
        const held = project.currentVersionId === null ? {} : yield* manifestOf(project)
        const manifest = yield* Effect.fromResult(Rules.merged(held, kept.assets, removed))
        const begins = excerpt === undefined ? { excerpt: null, beginsAs: project.currentVersionId } : { excerpt, beginsAs: null }
        const content = { kind: "site", entry: Rules.INDEX, manifest, pack: kept.pack, ...begins } as const
        const live = yield* versions.advance(user, workspace, project, content, now)
        yield* kept.durable
        return live
      },
      atomically
    )

    /** POST /v1/projects/{slug}/files: parts replace or add by path, `delete` removes; the rest stays. */
    const addFiles = Effect.fn("Publishing.addFiles")(
      function*<E>(user: User, slug: string, form: Form<FileChanges, E>, instead = "Publish it anew with PUT.") {
        const { project: held, workspace } = yield* versions.permitAgain(user, slug)
        yield* Effect.fromResult(Rules.takesFiles(held, instead))
        const cap = PLANS[workspace.plan].uploadBytes
        const draft = yield* packs.draft
        const { accept, received } = receiving.intake(draft, cap, Effect.void)
        const changes = yield* form(accept)
        if (received.size === 0 && (changes.delete ?? []).length === 0) {
          return yield* invalid({ field: "file", message: "Send at least one file, or a path to delete." })
        }
        const index = received.get(Rules.INDEX)
        const excerpt = index && (yield* receiving.says(draft, "site", index.body, index.beside)).excerpt
        const kept = yield* receiving.keep(draft, workspace.id, received.values().map(inSite).toArray())
        const project = yield* durably(kept, (kept) => mergeFiles(user, held, changes, kept, excerpt, instead))
        yield* tally(project, kept)
        return project
      },
      Effect.scoped
    )

    return { put, replace, create, addFiles }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
