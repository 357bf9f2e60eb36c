/** Changes of single files: those that are sent are added or replace others, some go, and the rest of the version stays as it is. */
import { DateTime, Effect, Result } from "effect"
import type { User } from "../accounts/model.ts"
import { invalid } from "../failures.ts"
import { Atomically } from "../ports/atomically.ts"
import { Packs } from "../ports/packs.ts"
import type { PackDraft } from "../ports/packs.ts"
import { Ahead } from "../renderings/ahead.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { PLANS } from "../workspaces/rules.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import * as AccessRules from "./access-rules.ts"
import { Claiming } from "./claiming.ts"
import type { Durably } from "./durably.ts"
import type { Project, PublishSettings } from "./model.ts"
import { inSite, named, Receiving } from "./receiving.ts"
import type { Form, KeptContent, NewContent, Received, Spend } from "./receiving.ts"
import * as Rules from "./rules.ts"
import * as SiteRules from "./site-rules.ts"
import { makeContentsOf } from "./version-contents.ts"
import { tally, Versions } from "./versions.ts"

/** What comes with the files. */
interface FileChanges {
  /** The paths that go. */
  readonly removed?: ReadonlyArray<string> | undefined
  /** The version that the changes are meant for. */
  readonly base?: number | undefined
  readonly workspace?: WorkspaceId | undefined
  readonly settings?: PublishSettings | undefined
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

export const makeMerging = Effect.fnUntraced(function*(durably: Durably) {
  const versions = yield* Versions
  const ahead = yield* Ahead
  const workspaces = yield* Workspaces
  const packs = yield* Packs
  const receiving = yield* Receiving
  const claiming = yield* Claiming
  const contentsOf = yield* makeContentsOf
  const { atomically } = yield* Atomically

  const mergeFiles = Effect.fn("Publishing.mergeFiles")(
    function*({ added, before: { id, kind: kindBefore, slug, workspaceId }, changes, instead, says, spend, user }: Merge, kept: KeptContent) {
      const now = yield* DateTime.now
      const { base, removed = [], settings = {} } = changes
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
  return Effect.fn("Publishing.addFiles")(
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
      if (received.size === 0 && (changes.removed ?? []).length === 0) {
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
})
