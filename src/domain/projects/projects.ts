/** Projects: list, get, change, rename, delete, download (SPEC §4.6, CONTRACT §8). */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import type { User } from "../accounts/model.ts"
import { Audit } from "../audit/audit.ts"
import { unavailable } from "../failures.ts"
import { orFail } from "../found.ts"
import { pageOf } from "../pages.ts"
import { Archives } from "../ports/archives.ts"
import { Atomically } from "../ports/atomically.ts"
import { Packs } from "../ports/packs.ts"
import { makeTurns } from "../turns.ts"
import { makeBehindLock } from "../workspaces/behind-lock.ts"
import * as ThumbnailRules from "../thumbnails/rules.ts"
import { Thumbnails } from "../thumbnails/thumbnails.ts"
import { noSuchWorkspace } from "../workspaces/member-rules.ts"
import type { WorkspaceId } from "../workspaces/model.ts"
import { Workspaces } from "../workspaces/workspaces.ts"
import * as AccessRules from "./access-rules.ts"
import { filePage, readCursor } from "./file-pages.ts"
import type { ChangesAsked, Project, ProjectId } from "./model.ts"
import { ProjectSettings } from "./project-settings.ts"
import { makeReaching, withProject } from "./reaching.ts"
import * as Rules from "./rules.ts"
import { slugFault } from "./slugs/slugs.ts"
import type { ProjectFilter } from "./store.ts"
import { ProjectStore } from "./store.ts"
import { makeContentsOf } from "./version-contents.ts"
import type { VersionContents } from "./version-contents.ts"

/** Zips that are sent to one person at once: each takes some megabytes for as long as it is read. */
const DOWNLOADS = 16
/** Zips of many files that are sent at once, two of them to one person. */
const ZIPS = 32
/** Lists of files that are read at once, one of each person. */
const LISTS = 4
/** Searches that are under way at once, two of a person: each looks through every project, on a connection to the database. */
const SEARCHES = 4
const EACH = 2

type Availability = "validation_error" | ReturnType<typeof Rules.availability>

export class Projects extends Context.Service<Projects>()("svc/domain/projects/Projects", {
  make: Effect.gen(function*() {
    const store = yield* ProjectStore
    const { changeable, seen } = yield* makeReaching
    const contentsOf = yield* makeContentsOf
    const workspaces = yield* Workspaces
    const behindLock = yield* makeBehindLock
    const archives = yield* Archives
    const packs = yield* Packs
    const projectSettings = yield* ProjectSettings
    const audit = yield* Audit
    const thumbnails = yield* Thumbnails
    const { atomically } = yield* Atomically
    const downloads = makeTurns(Infinity, DOWNLOADS)
    const turns = makeTurns(ZIPS, EACH)
    const searches = makeTurns(SEARCHES, EACH)

    /** The same at whichever address it is by now. */
    const stillChangeable = Effect.fn("Projects.stillChangeable")(function*(user: User, id: ProjectId) {
      const found = withProject(
        Effect.map(store.slugOf(id).pipe(orFail(AccessRules.noSuchProject)), (slug) => ({ slug })),
        ({ slug }) => Effect.map(store.reach(slug, user.id), Option.filter(({ project }) => project.id === id))
      )
      return yield* Effect.fromResult(AccessRules.changeable(Option.map(yield* found, ([, reach]) => reach), user))
    })

    /** A project that its caller may change, behind its workspace's lock. */
    const held = (user: User, slug: string) => behindLock(changeable(user, slug), ({ project }) => project.workspaceId)

    const drawMissing = (met: ReadonlyArray<Project>) =>
      Effect.flatMap(DateTime.now, (now) => Effect.forEach(met.filter((project) => ThumbnailRules.isDue(project, now)), thumbnails.begin, { discard: true }))

    const list = Effect.fn("Projects.list")(function*(
      user: User,
      workspaceId: WorkspaceId | undefined,
      filter: ProjectFilter
    ) {
      const workspace = yield* workspaces.used(user.id, workspaceId)
      if (filter.folderId !== undefined) yield* projectSettings.folder(workspace.id, user, filter.folderId)
      const found = store.list(workspace.id, user.id, { ...filter, limit: filter.limit + 1 })
      const { nextCursor, page } = pageOf(yield* filter.query === undefined ? found : searches.inTurn({ of: user.id, awaited: true }, found), filter.limit)
      if (filter.excerpts === true) yield* drawMissing(page)
      return {
        projects: page.map((project) => AccessRules.seenBy({ project, role: workspace.role, hidden: false }, user)),
        usage: workspace.usage,
        nextCursor
      }
    })

    const get = Effect.fn("Projects.get")(function*(user: User, slug: string, excerpt = false) {
      const { versions, ...reach } = yield* Effect.fromResult(AccessRules.visible(yield* store.detail(slug, user.id, excerpt)))
      if (excerpt) yield* drawMissing([reach.project])
      return { ...AccessRules.seenBy(reach, user), versions }
    })

    const change = Effect.fn("Projects.change")(
      function*(user: User, slug: string, asked: ChangesAsked) {
        const { title: _, ...changes } = asked
        const now = yield* DateTime.now
        const { project } = yield* held(user, slug)
        yield* Effect.fromResult(Rules.doorcode(changes, project))
        if (changes.slug !== undefined && changes.slug !== project.slug) {
          yield* Effect.fromResult(AccessRules.notTakenDown(project))
          yield* Effect.forEach([changes.slug, project.slug].sort(), store.lockSlug)
          const freed = yield* store.freed(changes.slug, Rules.freedSince(now))
          yield* Effect.fromResult(Rules.claim(changes.slug, freed, [project.workspaceId]))
        }
        yield* projectSettings.checkFolder(project.workspaceId, user, project.owner.id, changes.folderId)
        const all = {
          ...changes,
          ...Rules.retitled(asked, project),
          ...(yield* projectSettings.door(changes, project))
        }
        const changed = yield* store.change(project, all, { endsPasses: Rules.endsPasses(project, all), keepsSlug: Rules.keepsSlug(project, user) }, now)
        if (!changed) return yield* AccessRules.slugTaken()
        yield* projectSettings.note(user, project, all, now)
        return yield* get(user, changes.slug ?? slug)
      },
      atomically
    )

    const remove = Effect.fn("Projects.remove")(
      function*(user: User, slug: string) {
        const now = yield* DateTime.now
        const { project } = yield* held(user, slug)
        yield* store.lockSlug(project.slug)
        yield* store.remove(project, { keepsSlug: Rules.keepsSlug(project, user) }, now)
        const { id, workspaceId } = project
        yield* audit.write({ workspaceId, actor: user.id, action: "project.deleted", target: { type: "project", id } }, now)
      },
      atomically
    )

    /** Whether the caller could make a project at a slug in the workspace asked for, or in their first one, as publishing does. */
    const available = Effect.fn("Projects.available")(function*(user: User, slug: string, workspaceId: WorkspaceId | undefined) {
      const now = yield* DateTime.now
      const reason = Effect.fnUntraced(function*() {
        if (slugFault(slug) !== undefined) return "validation_error"
        const found = yield* store.claimable(slug, user.id, { workspaceId, folderId: null }, Rules.freedSince(now))
        if (workspaceId !== undefined && Option.isNone(found.workspace)) return yield* noSuchWorkspace()
        return Rules.availability(slug, found, Option.toArray(found.workspace).map(({ id }) => id))
      })
      const found: Availability = yield* reason()
      return { slug, available: found === null, reason: found }
    })

    const zipOf = Effect.fnUntraced(function*({ createdAt, manifest }: VersionContents, keepsTurn: typeof Rules.keepsTurn = () => true) {
      const begun = yield* DateTime.now
      const ends = DateTime.add(begun, Rules.READ_WITHIN)
      let sent = 0
      const inTime = ({ length }: Uint8Array) => Effect.flatMap(DateTime.now, (now) =>
        DateTime.isLessThan(now, ends) && keepsTurn(sent += length, begun, now) ? Effect.void : Effect.fail(unavailable()))
      return Stream.tap(archives.zip(Stream.fromIterable(Object.entries(manifest).map(([path, asset]) => ({ path, ...asset }))), createdAt), inTime)
    })

    /** Of a version with ten thousand files, all of the list is read, for each page of it and before each download. */
    const listing = makeTurns(LISTS)

    /** Nothing of a version with many files, whose list is not in memory while it waits. */
    const fewIn = Effect.fnUntraced(function*(_: User, project: ProjectId, number: number) {
      const version = yield* contentsOf(project, number)
      // Reads one byte first, so that unavailable storage is reported before the answer begins.
      const first = Object.values(version.manifest).find(({ length }) => length > 0)
      if (first !== undefined) yield* packs.slice(first.pack, first.offset, 1)
      return Rules.isMany(Object.keys(version.manifest).length) ? undefined : version
    }, (look, { id }) => listing.inTurn({ of: id, awaited: true }, look))

    /** Waits before the answer begins: one that has begun, and of which nothing comes, is taken for one that nobody reads. */
    const bytesOf = Effect.fnUntraced(function*(user: User, project: ProjectId, number: number) {
      yield* downloads.turn({ of: user.id, awaited: true })
      const few = yield* fewIn(user, project, number)
      if (few !== undefined) return yield* zipOf(few)
      yield* turns.turn({ of: user.id, awaited: true })
      // Pruned meanwhile.
      return yield* zipOf(yield* Effect.mapError(contentsOf(project, number), unavailable), Rules.keepsTurn)
    })

    /** One version's files as a streamed zip; its turn ends with the scope. */
    const download = Effect.fn("Projects.download")(function*(user: User, slug: string, number: number) {
      const { project } = yield* seen(user, slug)
      return { name: `${project.slug}-v${number}.zip`, bytes: yield* bytesOf(user, project.id, number) }
    })

    /** The files of the version being served, or of the version that the cursor names. */
    const files = Effect.fn("Projects.files")(function*(user: User, slug: string, page: { readonly cursor: string | undefined; readonly limit: number }) {
      const { project } = yield* seen(user, slug)
      const from = page.cursor === undefined ? undefined : yield* Effect.fromResult(readCursor(page.cursor))
      const number = from?.version ?? project.version
      if (number === 0) return filePage({}, 0, undefined, page.limit)
      const { manifest } = yield* contentsOf(project.id, number, "cursor")
      return filePage(manifest, number, from?.after, page.limit)
    }, (list, { id }) => listing.inTurn({ of: id, awaited: true }, list))

    return { list, get, changeable, stillChangeable, change, remove, available, download, files }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
