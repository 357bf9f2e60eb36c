/** Changes of single files: those that are sent are added or replace others, some go, and the rest of the version stays as it is. */
import { DateTime, Effect, Result } from "effect"
import type { User } from "../accounts/model.ts"
import { makePlanPages } from "../billing/plan-pages.ts"
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
import { spelled } from "./file-paths.ts"
import { missingAmong } from "./missing-files.ts"
import type { Project, PublishSettings } from "./model.ts"
import { asEntry, asHeld, inSite, kindAlone, named, Receiving } from "./receiving.ts"
import type { Form, KeptContent, NewContent, PlacedBody, Received, Spend } from "./receiving.ts"
import * as Rules from "./rules.ts"
import * as SiteRules from "./site-rules.ts"
import { makeContentsOf } from "./version-contents.ts"
import type { VersionContents } from "./version-contents.ts"
import { tally, Versions } from "./versions.ts"

/** A page that was sent: where it is, and the name that it was sent under. */
export interface SentPage {
  readonly path: string
  readonly name: string
}

/** What comes with the files. */
interface FileChanges {
  /** The paths that go. */
  readonly removed?: ReadonlyArray<string> | undefined
  /** The version that the changes are meant for. */
  readonly base?: number | undefined
  readonly workspace?: WorkspaceId | undefined
  readonly settings?: PublishSettings | undefined
}

/** Where new files go in what a project holds, and which files go. */
interface Arranged {
  readonly added: ReadonlyArray<PlacedBody & SiteRules.NamedFile>
  readonly removed: ReadonlyArray<string>
  /** What a new entry says of itself. */
  readonly says: Rules.Says & Pick<NewContent, "entry" | "excerpt"> | undefined
}

/** Everything that a change came with, once it is here. */
interface Arrived {
  readonly user: User
  readonly draft: PackDraft
  readonly received: ReadonlyMap<string, Received>
  readonly changes: FileChanges
  readonly cap: number
  /** As the project was before, and as it is now. */
  readonly before: Project
  readonly there: Project
  /** What else to do with a project that takes no files. */
  readonly instead: string
  readonly spend: Spend
}

/** Files that were permitted to change a project. */
interface Merge extends Arranged, Pick<Arrived, "user" | "before" | "changes" | "instead" | "spend"> {
  /** What it held once they had arrived. */
  readonly seen: VersionContents | undefined
  /** Whether one of them goes elsewhere than its name says, because of what was held then. */
  readonly moved: boolean
}

export const makeMerging = Effect.fnUntraced(function*(durably: Durably) {
  const versions = yield* Versions
  const ahead = yield* Ahead
  const workspaces = yield* Workspaces
  const packs = yield* Packs
  const receiving = yield* Receiving
  const claiming = yield* Claiming
  const contentsOf = yield* makeContentsOf
  const { onPlanOf } = yield* makePlanPages
  const { atomically } = yield* Atomically

  const mergeFiles = Effect.fn("Publishing.mergeFiles")(
    function*({ added, before, changes, instead, moved, removed, says, seen, spend, user }: Merge, kept: KeptContent) {
      const now = yield* DateTime.now
      const { base, settings = {} } = changes
      const { project, workspace } = yield* versions.held(user, before.workspaceId, before.slug)
      // The upload took time: the slug may belong to another project by now, or the project may be something else.
      if (project.id !== before.id) return yield* AccessRules.noSuchProject()
      if (before.kind !== null && project.kind !== before.kind) return yield* Rules.movedOn(project.version)
      yield* Effect.fromResult(Rules.onBase(project, base))
      const isSeen = project.currentVersionId === (seen?.id ?? null)
      if (moved && !isSeen) return yield* Rules.movedOn(project.version)
      const held = isSeen ? seen : yield* Effect.orDie(contentsOf(project.id, project.version))
      const manifest = yield* SiteRules.merged(held?.manifest ?? {}, kept.assets, removed)
      yield* Effect.yieldNow
      const sent = new Set(added.map(({ path }) => path))
      const left = Object.keys(manifest).filter((path) => !sent.has(path))
      yield* Effect.fromResult(SiteRules.takesFiles(project, left, added, instead))
      const { entry, kind } = yield* Effect.fromResult(SiteRules.becomes({ kind: project.kind, entry: held?.entry }, left, added))
      const begins = says?.entry === entry
        ? { ...Rules.called(says, project), excerpt: says.excerpt, beginsAs: null }
        : { title: project.servedTitle, titleOwn: project.servedTitleOwn, excerpt: null, beginsAs: project.currentVersionId }
      yield* Effect.yieldNow
      const content = { kind, entry, manifest, pack: kept.pack, found: kept.found, ...begins }
      const adjusted = yield* claiming.adjust(user, project, settings, begins.title, now)
      const live = yield* versions.advance({ user, workspace, project: adjusted, content }, now)
      yield* spend
      yield* kept.durable
      return { manifest, project: live }
    },
    atomically
  )

  /** What the entry among new files says of itself; undefined where the entry, if there is one, is a file that stays. */
  const beginning = Effect.fn("Publishing.beginning")(function*(draft: PackDraft, sent: ReadonlyArray<Received>) {
    const found = Result.getOrUndefined(SiteRules.kindOfFiles(sent.map(named)))
    if (found === undefined) return undefined
    const { beside, body, name } = sent.find(({ path }) => path === found.entry)!
    return { entry: found.entry, ...(yield* receiving.says(draft, found.kind, body, beside, found.kind === "site" ? name : found.entry)) }
  })

  /** Every file goes to its path; but under the name that the entry came under it is the entry, and one that is left alone is what it would be if it were new. */
  const arrange = Effect.fn("Publishing.arrange")(function*(draft: PackDraft, held: SiteRules.Held | undefined, received: ReadonlyMap<string, Received>, asked: ReadonlyArray<string>, cap: number) {
    const files = received.values().toArray()
    const other = held && SiteRules.otherName(held)
    const removed = asked.map((path) => held !== undefined && spelled(path) === other ? held.entry : path)
    const inPlace = held === undefined || received.has(held.entry) ? files : files.map((file) => file.path === other ? asEntry(file, held) : file)
    const sent = held === undefined ? inPlace : inPlace.map((file) => asHeld(file, held))
    const replaced = new Set([...removed.map(spelled), ...sent.map(({ path }) => path)])
    const isAlone = files.length === 1 && !received.has(SiteRules.INDEX) && Object.keys(held?.manifest ?? {}).every((path) => replaced.has(path))
    if (!isAlone) return { added: sent.map((file) => ({ ...inSite(file), kind: kindAlone(file) })), removed, says: yield* beginning(draft, sent) } satisfies Arranged
    const { entry, excerpt, files: placed, fileTitle, kind, title } = yield* receiving.understand(draft, files, cap)
    return { added: placed.map((file) => ({ ...file, kind: file.path === entry ? kind : undefined })), removed, says: { entry, excerpt, fileTitle, title } } satisfies Arranged
  })

  /** Makes the next version of what the last one holds and what has arrived. */
  const makeVersion = Effect.fn("Publishing.makeMergedVersion")(function*({ before, cap, changes, draft, instead, received, spend, there, user }: Arrived) {
    const seen = there.currentVersionId === null ? undefined : yield* contentsOf(there.id, there.version)
    // Each step takes some milliseconds for ten thousand files: others have their turn in between.
    yield* Effect.yieldNow
    const arranged = yield* onPlanOf(before.workspaceId)(arrange(draft, seen, received, changes.removed ?? [], cap))
    yield* Effect.yieldNow
    const { added, removed } = arranged
    const replaced = new Set([...removed.map(spelled), ...added.map(({ path }) => path)])
    const left = Object.keys(seen?.manifest ?? {}).filter((path) => !replaced.has(path))
    yield* Effect.fromResult(SiteRules.takesFiles(there, left, added, instead))
    const kind = left.length > 0 ? there.kind : Result.getOrUndefined(SiteRules.kindOfFiles(added))?.kind ?? null
    const names = yield* receiving.names(draft, kind, added)
    const moved = added.some(({ path }) => !received.has(path))
    const kept = yield* receiving.keep(draft, before.workspaceId, added)
    const { manifest, project } = yield* durably(before.workspaceId, kept, (kept) => mergeFiles({ ...arranged, user, before, seen, changes, moved, instead, spend }, kept))
    yield* tally(project, kept)
    yield* ahead(project)
    return { project, missing: missingAmong(names, () => Object.keys(manifest)), pages: added.filter(({ kind }) => kind === "site").map(({ name, path }) => ({ path, name: name ?? path })) }
  })

  /** POST /v1/projects/{slug}/files: parts add or replace files by path, `delete` removes files, the others stay; so do settings that are not given. */
  return Effect.fn("Publishing.addFiles")(
    function*<E>(user: User, slug: string, form: Form<FileChanges, E>, instead = "Publish it anew with PUT.", spend: Spend = Effect.void) {
      const { project: before, workspace } = yield* versions.permitAgain(user, slug)
      const [cap, onPlan] = [PLANS[workspace.plan].uploadBytes, onPlanOf(workspace.id)]
      const draft = yield* packs.draft
      const { accept, received } = receiving.intake(draft, cap, Effect.void)
      const changes = yield* form((file) => onPlan(accept(file)))
      if (changes.workspace !== undefined && changes.workspace !== workspace.id) {
        yield* workspaces.select(user.id, changes.workspace)
        return yield* AccessRules.elsewhere({ project: before }, user)
      }
      if (received.size === 0 && (changes.removed ?? []).length === 0) {
        return yield* invalid({ field: "file", message: "Send at least one file, or a path to delete." })
      }
      const { project: there } = yield* versions.permitAgain(user, slug)
      yield* Effect.fromResult(Rules.onBase(there, changes.base))
      return yield* receiving.inTurn(user, draft, received.values().toArray(), there, makeVersion({ user, draft, received, before, there, changes, cap, instead, spend }))
    },
    Effect.scoped
  )
})
