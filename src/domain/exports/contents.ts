/**
 * What an export holds (CONTRACT §7), one entry after the other, as its requester may see it: others' private folders,
 * doorcodes and tokens are left out. A project's settings and files are of one moment; no entry is read before its turn.
 */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import type { User } from "../accounts/model.ts"
import * as AnalyticsRules from "../analytics/rules.ts"
import { ViewStore } from "../analytics/store.ts"
import { CommentStore } from "../comments/store.ts"
import { dayAt } from "../days.ts"
import { FolderStore } from "../folders/store.ts"
import { every } from "../pages.ts"
import type { ArchiveEntry } from "../ports/archives.ts"
import type { Project, ProjectId } from "../projects/model.ts"
import { ShareLinkStore } from "../share-links/store.ts"
import type { Membership } from "../workspaces/model.ts"
import { PLANS } from "../workspaces/rules.ts"
import { WorkspaceStore } from "../workspaces/store.ts"
import { wireForm } from "../wire-form.ts"
import { ExportStore } from "./store.ts"

const PAGE = 100

/** As the API writes it, which those who read an export know. */
const json = (value: unknown) => JSON.stringify(wireForm(value), null, 2)

const written = (path: string, text: Effect.Effect<string>): ArchiveEntry => ({ path, text: Stream.fromEffect(text) })

const document = <A>(path: string, read: Effect.Effect<A>) => written(path, Effect.map(read, (value) => `${json(value)}\n`))

/** A JSON array that is never in memory as a whole. */
const list = <A>(path: string, items: Stream.Stream<A>): ArchiveEntry => ({
  path,
  text: Stream.make("[").pipe(
    Stream.concat(items.pipe(Stream.zipWithIndex, Stream.map(([item, index]) => `${index === 0 ? "" : ","}\n${json(item)}`))),
    Stream.concat(Stream.make("\n]\n"))
  )
})

export class ExportContents extends Context.Service<ExportContents>()("svc/domain/exports/ExportContents", {
  make: Effect.gen(function*() {
    const store = yield* ExportStore
    const workspaces = yield* WorkspaceStore
    const folders = yield* FolderStore
    const comments = yield* CommentStore
    const shareLinks = yield* ShareLinkStore
    const views = yield* ViewStore

    const summary = Effect.fnUntraced(function*(user: User, workspace: Membership, now: DateTime.Utc) {
      const { createdAt, id, name, plan, trialEndsAt } = workspace
      const all = yield* Stream.runCollect(every(PAGE, (page) => folders.list(id, user.id, page)))
      return {
        id,
        name,
        plan,
        trialEndsAt,
        createdAt,
        exportedAt: now,
        folders: all.map(({ createdAt, createdBy, id, name, sharing }) => ({ id, name, sharing, createdBy, createdAt }))
      }
    })

    const analytics = Effect.fnUntraced(function*({ id }: Project, { plan }: Membership, now: DateTime.Utc) {
      const today = dayAt(now)
      const { analyticsDays } = PLANS[plan]
      return AnalyticsRules.csvOf(AnalyticsRules.series(today, analyticsDays, yield* views.days(id, today - analyticsDays + 1, today)))
    })

    const everyThread = (id: ProjectId) =>
      Stream.paginate(undefined as string | undefined, (after) =>
        Effect.map(comments.list(id, { status: "all", after, limit: PAGE }), (page) => [page.comments, Option.fromNullOr(page.nextCursor)] as const))

    const ofProject = Effect.fnUntraced(function*(user: User, workspace: Membership, { id, slug }: Pick<Project, "id" | "slug">, now: DateTime.Utc) {
      const found = Option.getOrUndefined(yield* store.project(id, user.id))
      if (found === undefined) return Stream.empty
      const { manifest, project: { currentVersionId: _, password: __, titleGiven: ___, servedTitle: ____, servedTitleOwn: _____, ...project } } = found
      // Named by the slug it had when the export began: two projects that swap theirs meanwhile stay apart.
      const folder = `projects/${slug}`
      const files = Object.entries(manifest).map(([path, { length, offset, pack }]): ArchiveEntry => ({ path: `${folder}/files/${path}`, pack, offset, length }))
      return Stream.fromIterable([
        document(`${folder}/project.json`, Effect.succeed(project)),
        ...files,
        list(`${folder}/comments.json`, everyThread(id)),
        document(`${folder}/share_links.json`, shareLinks.list(id)),
        written(`${folder}/analytics.csv`, analytics(found.project, workspace, now))
      ])
    })

    const of = (user: User, workspace: Membership, now: DateTime.Utc): Stream.Stream<ArchiveEntry> =>
      Stream.fromIterable([
        document("workspace.json", summary(user, workspace, now)),
        document("members.json", workspaces.members(workspace.id))
      ]).pipe(Stream.concat(
        Stream.fromIterableEffect(store.projects(workspace.id, user.id)).pipe(
          Stream.flatMap((project) => Stream.unwrap(ofProject(user, workspace, project, now)))
        )
      ))

    return { of }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
