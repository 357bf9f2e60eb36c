/**
 * A publish: (1) check permission (claiming.ts), (2) write the bytes to a draft, (3) determine the kind, (4) store new bodies as
 * one pack, (5) make the version live in one transaction, which commits once the pack is durable. Nothing is visible before (5)
 * commits, everything afterwards.
 */
import { Context, DateTime, Effect, Layer, Option, Result } from "effect"
import type { User } from "../accounts/model.ts"
import { invalid } from "../failures.ts"
import type { NotFound } from "../failures.ts"
import { HostingStore } from "../hosting/store.ts"
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
import type { Kind, Project, PublishSettings } from "./model.ts"
import { inSite, kindAlone, named, Receiving, tooLarge } from "./receiving.ts"
import type { Incoming, KeptContent, NewContent, Received } from "./receiving.ts"
import * as Rules from "./rules.ts"
import * as SiteRules from "./site-rules.ts"
import { ProjectStore } from "./store.ts"
import { makeContentsOf } from "./version-contents.ts"
import { tally, Versions } from "./versions.ts"

/** Reads a form: hands over each file as it streams in, and returns the fields at the end. */
export type Form<A, E> = <F>(accept: (file: Incoming) => Effect.Effect<void, F>) => Effect.Effect<A, E | F>

/** A form whose files have arrived already. */
export const formOf = <A>(files: ReadonlyArray<Incoming>, fields: A): Form<A, never> => (accept) =>
  Effect.as(Effect.forEach(files, accept, { discard: true }), fields)

/** The other fields of a form of files, by their wire names. */
interface FileChanges {
  readonly delete?: ReadonlyArray<string> | undefined
  /** The version that the changes are meant for. */
  readonly base_version?: number | undefined
  readonly workspace?: WorkspaceId | undefined
  readonly settings?: PublishSettings | undefined
}

/** What a publish uses up, in its own transaction: if that is gone by then, nothing is published. */
type Spend = Effect.Effect<void, NotFound>

/** A publish that was permitted. */
interface Permitted extends Omit<Claim, "title" | "workspaceId"> {
  readonly workspace: { readonly id: WorkspaceId; readonly plan: Plan }
  /** The version that it is based on, if the caller named one. */
  readonly base?: number | undefined
  /** What was sent, if it takes the place of a site of several files only on purpose. */
  readonly sent?: Kind | "zip" | undefined
  readonly spend?: Spend | undefined
}

/** Files that were permitted to change a project. */
interface Merge {
  readonly user: User
  /** As it was before they arrived. */
  readonly before: Project
  readonly changes: FileChanges
  readonly added: ReadonlyArray<SiteRules.NamedFile>
  /** What a new entry says of itself. */
  readonly says: Pick<NewContent, "entry" | "excerpt" | "title"> | undefined
  /** What else to do with a project that takes no files. */
  readonly instead: string
  readonly spend: Spend
}

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
    const durably = yield* makeDurably
    const contentsOf = yield* makeContentsOf
    const { atomically } = yield* Atomically

    const publishContent = Effect.fn("Publishing.publishContent")(
      function*({ base, expected, sent, settings, slug, spend = Effect.void, user, workspace: { id } }: Permitted, content: NewContent, kept: KeptContent) {
        const now = yield* DateTime.now
        const { created, project, workspace } = yield* claiming.claim({ user, workspaceId: id, slug, settings, title: content.title, expected }, now)
        yield* Effect.fromResult(Rules.onBase(project, base))
        if (sent !== undefined) yield* Effect.fromResult(SiteRules.replaces(project, sent))
        const { entry, excerpt, guessed, kind, title } = content
        const manifest = Object.fromEntries(kept.assets)
        const next = { kind, entry, manifest, pack: kept.pack, found: kept.found, title, excerpt, beginsAs: null }
        const live = yield* versions.advance({ user, workspace, project, content: next }, now)
        yield* spend
        yield* kept.durable
        return { created, guessed, project: live }
      },
      atomically
    )

    /** The file being served, if it is the only one. Undefined if its version was pruned meanwhile. */
    const onlyFileOf = Effect.fnUntraced(function*({ currentVersionId, fileCount }: Project) {
      if (currentVersionId === null || fileCount !== 1) return undefined
      const manifest = Option.getOrElse(yield* hosting.manifest(currentVersionId), () => ({}))
      return Object.entries(manifest).map(([name, { type }]) => ({ name, type }))[0]
    })

    /** Takes a single file under its own name, or several, each at its path. */
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

    /** Makes one version of everything that arrived: determines its kind, stores it, and publishes it in one transaction. */
    const bringLive = Effect.fn("Publishing.bringLive")(function*(publish: Permitted, draft: PackDraft, received: ReadonlyArray<Received>) {
      const content = yield* receiving.understand(draft, received, PLANS[publish.workspace.plan].uploadBytes)
      const kept = yield* receiving.keep(draft, publish.workspace.id, content.files)
      const published = yield* durably(publish.workspace.id, kept, (kept) => publishContent(publish, content, kept))
      yield* tally(published.project, kept)
      yield* ahead(published.project)
      return published
    })

    /** PUT /v1/projects/{slug}: the body is one file. An agent may send several files in one call. */
    const put = Effect.fn("Publishing.put")(
      function*(
        user: User,
        slug: string,
        files: Incoming | ReadonlyArray<Incoming>,
        settings: PublishSettings & { readonly workspace?: WorkspaceId | undefined; readonly mustExist?: boolean; readonly base?: number | undefined },
        spend?: Spend
      ) {
        const { base, mustExist = false, workspace: asked, ...rest } = settings
        // `expected` is the project that was permitted here; the transaction publishes to no other.
        const { expected, held, workspace } = yield* claiming.permit(user, slug, asked, { mustExist: mustExist || base !== undefined, update: mustExist })
        if (held !== undefined) yield* Effect.fromResult(Rules.onBase(held, base))
        const draft = yield* packs.draft
        const received = yield* receive(draft, [files].flat(), PLANS[workspace.plan].uploadBytes, held)
        return yield* bringLive({ user, workspace, slug, settings: rest, expected, base, spend }, draft, received)
      },
      Effect.scoped
    )

    /** Replaces the whole content of an existing project by one file. */
    const replace = Effect.fn("Publishing.replace")(
      function*(user: User, slug: string, file: Incoming, base?: number) {
        const { project, workspace } = yield* versions.permitAgain(user, slug)
        yield* Effect.fromResult(Rules.onBase(project, base))
        const draft = yield* packs.draft
        const received = yield* receive(draft, [file], PLANS[workspace.plan].uploadBytes, project)
        const sent = kindAlone(received[0]!)
        yield* Effect.fromResult(SiteRules.replaces(project, sent))
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
      const cap = Math.max(...all.map((workspace) => PLANS[workspace.plan].uploadBytes), PLANS.starter.uploadBytes)
      return { cap, permitted: versions.publishable(user, best ?? { billingState: "active", linksDownOn: null }) }
    })

    /** POST /v1/projects: a form with files creates a project and its first version; a form without files, an empty project. */
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
        if (received.size === 0) return { created: true, guessed: false, project: yield* claiming.empty({ user, workspaceId: workspace.id, slug, settings }) }

        yield* versions.permit(user, workspace.id)
        const there = Option.getOrUndefined(yield* store.reach(slug, user.id))
        if (there !== undefined) return yield* AccessRules.madeAlready(there, user)
        const { uploadBytes } = PLANS[workspace.plan]
        const total = [...received.values()].reduce((sum, file) => sum + file.body.length, 0)
        if (total > uploadBytes) return yield* tooLarge(uploadBytes)
        return yield* bringLive({ user, workspace, slug, settings, expected: "none" }, draft, [...received.values()])
      },
      Effect.scoped
    )

    const mergeFiles = Effect.fn("Publishing.mergeFiles")(
      function*({ added, before: { id, kind: kindBefore, slug, workspaceId }, changes, instead, says, spend, user }: Merge, kept: KeptContent) {
        const now = yield* DateTime.now
        const { base_version: base, delete: removed = [], settings = {} } = changes
        const { project, workspace } = yield* versions.held(user, workspaceId, slug)
        // The upload took time: the slug may belong to another project by now, or the project may be something else.
        if (project.id !== id) return yield* AccessRules.noSuchProject()
        yield* Effect.fromResult(SiteRules.takesFiles(project, instead))
        if (kindBefore !== null && project.kind !== kindBefore) return yield* Rules.movedOn(project.version)
        yield* Effect.fromResult(Rules.onBase(project, base))
        const held = project.currentVersionId === null ? undefined : yield* Effect.orDie(contentsOf(project.id, project.version))
        const manifest = yield* Effect.fromResult(SiteRules.merged(held?.manifest ?? {}, kept.assets, removed))
        const sent = new Set(added.map(({ path }) => path))
        const left = Object.keys(manifest).filter((path) => !sent.has(path))
        const { entry, kind } = yield* Effect.fromResult(SiteRules.becomes({ kind: project.kind, entry: held?.entry }, left, added))
        const begins = says?.entry === entry
          ? { title: says.title, excerpt: says.excerpt, beginsAs: null }
          : { title: project.servedTitle, excerpt: null, beginsAs: project.currentVersionId }
        const content = { kind, entry, manifest, pack: kept.pack, found: kept.found, ...begins }
        const adjusted = yield* claiming.adjust(user, project, settings, begins.title, now)
        const live = yield* versions.advance({ user, workspace, project: adjusted, content }, now)
        yield* spend
        yield* kept.durable
        return live
      },
      atomically
    )

    /** What the entry among new files says of itself; undefined where the entry, if there is one, is a file that stays. */
    const beginning = Effect.fn("Publishing.beginning")(function*(draft: PackDraft, received: ReadonlyMap<string, Received>, added: ReadonlyArray<SiteRules.NamedFile>) {
      const found = Result.getOrUndefined(SiteRules.kindOfFiles(added))
      if (found === undefined) return undefined
      const { beside, body } = received.get(found.entry)!
      return { entry: found.entry, ...(yield* receiving.says(draft, found.kind, body, beside, found.kind === "site" ? undefined : found.entry)) }
    })

    /** POST /v1/projects/{slug}/files: parts add or replace files by path, `delete` removes files, the others stay; so do settings that are not given. */
    const addFiles = Effect.fn("Publishing.addFiles")(
      function*<E>(user: User, slug: string, form: Form<FileChanges, E>, instead = "Publish it anew with PUT.", spend: Spend = Effect.void) {
        const { project: before, workspace } = yield* versions.permitAgain(user, slug)
        yield* Effect.fromResult(SiteRules.takesFiles(before, instead))
        const cap = PLANS[workspace.plan].uploadBytes
        const draft = yield* packs.draft
        const { accept, received } = receiving.intake(draft, cap, Effect.void)
        const changes = yield* form(accept)
        if (changes.workspace !== undefined && changes.workspace !== workspace.id) {
          yield* workspaces.select(user.id, changes.workspace)
          return yield* AccessRules.elsewhere({ project: before }, user)
        }
        if (received.size === 0 && (changes.delete ?? []).length === 0) {
          return yield* invalid({ field: "file", message: "Send at least one file, or a path to delete." })
        }
        const added = received.values().map(named).toArray()
        const says = yield* beginning(draft, received, added)
        const kept = yield* receiving.keep(draft, workspace.id, received.values().map(inSite).toArray())
        const project = yield* durably(before.workspaceId, kept, (kept) => mergeFiles({ user, before, changes, added, says, instead, spend }, kept))
        yield* tally(project, kept)
        yield* ahead(project)
        return project
      },
      Effect.scoped
    )

    return { put, replace, create, addFiles }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
