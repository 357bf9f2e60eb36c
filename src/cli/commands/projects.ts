/** Existing projects: list, look, open, rename, delete. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { given } from "../../domain/given.ts"
import { Slug } from "../../domain/projects/slugs/slugs.ts"
import { countText } from "../../domain/words.ts"
import { sizeText } from "../../http/contract/sizes.ts"
import { confirmed } from "../asking.ts"
import { browse } from "../browser.ts"
import { theirNow } from "../clock.ts"
import { signedIn } from "../connection.ts"
import { elsewhere, every, folderOf, inFolder, perhaps, slug, workspace, yes } from "../flags.ts"
import { downAmong, openingOf } from "../opening.ts"
import { done, Output } from "../output.ts"
import { inWordsOf } from "../refusal.ts"
import { facts, plain } from "../table.ts"
import { ago, audience, commenting, moment, opens } from "../words.ts"

const PAGE = 100

export const list = Command.make(
  "list",
  {
    query: perhaps(Flag.String("query").pipe(Flag.withAlias("q"), Flag.withDescription("Part of a title or slug"))),
    folder: inFolder("Only what lies in this folder"),
    workspace
  },
  Effect.fnUntraced(function*({ folder, query, workspace }) {
    const { answer, listed } = yield* Output
    const client = yield* signedIn
    const filter = given({ query, folder_id: folder === undefined ? undefined : yield* folderOf(client, folder, workspace), workspace })
    const projects = yield* every((cursor) =>
      Effect.map(client.projects.list({ query: { ...filter, ...given({ cursor }), limit: PAGE } }), (page) => [page.projects, page.nextCursor]))
    const down = yield* downAmong(client)
    const now = yield* theirNow
    const others = yield* elsewhere(projects.length === 0, client, workspace, "svc list")
    yield* answer({ projects }, () => listed(
      [{ title: "SLUG" }, { title: "TITLE", gives: true }, { title: "KIND", spare: true }, { title: "VERSION", right: true, spare: true }, { title: "OPENS FOR", spare: "late" }, { title: "SIZE", right: true, spare: true }, { title: "CHANGED", spare: "late" }],
      projects.map((project) => [
        project.slug,
        project.title,
        project.kind ?? "empty",
        String(project.version),
        opens[openingOf(project, down, now)],
        sizeText(project.sizeBytes),
        ago(project.updatedAt, now)
      ]),
      `${query === undefined && folder === undefined ? "Nothing is published yet. Begin with: svc publish <file or folder>" : "Nothing fits."}${others}`
    ))
  })
).pipe(Command.withAlias("ls"), Command.withDescription("List projects, newest first"))

export const info = Command.make(
  "info",
  { slug },
  Effect.fnUntraced(function*({ slug: named }) {
    const { answer } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    const project = yield* client.projects.get({ params: { slug }, query: {} })
    const down = yield* downAmong(client)
    const now = yield* theirNow
    yield* answer(project, ({ bold }) => [
      bold(plain(project.title)),
      project.url,
      "",
      ...facts([
        ["Kind", project.kind === null ? "nothing published yet" : `${project.kind}, ${countText(project.fileCount, "file")}, ${sizeText(project.sizeBytes)}`],
        ["Version", String(project.version)],
        ["Access", audience(openingOf(project, down, now), project)],
        ["Ends", project.expiresAt === null ? undefined : moment(project.expiresAt, now)],
        ["Comments", commenting(project)],
        ["Shown", project.htmlDisplayMode === "auto" ? undefined : project.htmlDisplayMode],
        ["Search", project.indexable ? "may list it" : "asked not to list it"],
        ["Folder", project.folderId ?? undefined],
        ["Owner", project.owner.name],
        ["Made", moment(project.createdAt, now)],
        ["Published", project.publishedAt === null ? undefined : moment(project.publishedAt, now)]
      ])
    ])
  })
).pipe(Command.withDescription("All about one project"))

export const open = Command.make(
  "open",
  { slug },
  Effect.fnUntraced(function*({ slug: named }) {
    const { answer, aside } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    const { url } = yield* client.projects.get({ params: { slug }, query: {} })
    const opened = yield* browse(url)
    yield* answer({ url, opened }, () => url)
    if (!opened) yield* aside("There is no browser to open here.")
  })
).pipe(Command.withDescription("Open a project in the browser; prints its address"))

export const rename = Command.make(
  "rename",
  { slug, to: Argument.String("new-slug").pipe(Argument.withSchema(Slug), Argument.withDescription("3 to 63 of a–z, 0–9 and -")) },
  Effect.fnUntraced(function*({ slug: named, to }) {
    const { answer, aside } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    const project = yield* client.projects.change({ params: { slug }, payload: { slug: to } }).pipe(
      inWordsOf(["slug_taken", "slug_reserved"], () => ({ next: `svc rename ${slug} <another-slug>` }))
    )
    yield* answer(project, () => project.url)
    if (project.slug !== slug) yield* aside(`${slug} no longer opens anything. It stays yours to take back for 30 days.`)
  })
).pipe(Command.withDescription("Move a project to another address"))

export const remove = Command.make(
  "delete",
  { slug, yes },
  Effect.fnUntraced(function*({ slug: named, yes }) {
    const { answer } = yield* Output
    const slug = yield* named
    const client = yield* signedIn
    const project = yield* client.projects.get({ params: { slug }, query: {} })
    yield* confirmed(`Delete ${project.slug} with ${countText(project.versions.length, "version")}, its comments and share links? There is no way back.`, yes)
    yield* client.projects.remove({ params: { slug } })
    yield* answer({ slug: project.slug, status: "deleted" }, (paint) => done(paint, `${project.slug} is deleted for good. Only its name stays yours for 30 days.`))
  })
).pipe(Command.withDescription("Delete a project; asks first"))
