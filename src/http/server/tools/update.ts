/** `update` (SPEC §4.9): an existing project's files, content or settings; never makes one. */
import { Effect, Schema } from "effect"
import { invalid } from "../../../domain/failures.ts"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { VersionNumber } from "../../../domain/projects/model.ts"
import type { Project } from "../../../domain/projects/model.ts"
import { Projects } from "../../../domain/projects/projects.ts"
import { Publishing } from "../../../domain/projects/publishing.ts"
import { arrived } from "../../../domain/projects/receiving.ts"
import type { Incoming } from "../../../domain/projects/receiving.ts"
import { Caller } from "../../contract/authentication.ts"
import { lacks, project } from "../../contract/project-views.ts"
import { Changes } from "../../contract/projects.ts"
import { line, pathText, Timestamp, wire } from "../../contract/wire.ts"
import { addressed } from "../addressed.ts"
import { commentAccess, listed, withListed } from "./allowlists.ts"
import { atMost, optional, slug } from "./arguments.ts"
import { aroundOf } from "./around.ts"
import type { Told } from "./around.ts"
import { content, filesOf, hasContent, namesOfContent, noticedIn, noticedWords } from "./content.ts"
import type { Noticed } from "./content.ts"
import { REPLACES, tool } from "./tool.ts"
import { audience, commentingNow } from "./words.ts"

const { slug: newSlug, comments_enabled, html_display_mode, indexable } = Changes.fields

const Input = Schema.Struct({
  slug,
  ...content,
  base_version: optional(VersionNumber, "The version that files or text are meant for, as read_project answers it: where another is served by then, it is a conflict and nothing changes"),
  delete_files: optional(Schema.Array(pathText(1024)), "Paths that it loses"),
  new_slug: optional(newSlug.schema, "Moves it to another address; the old one stops answering at once"),
  title: optional(atMost(line(1, 200), 200), "What it is called"),
  own_title: optional(Schema.Boolean, "true: it is called what it calls itself again"),
  comments_enabled: optional(comments_enabled.schema, "Whether readers may comment"),
  comment_access: commentAccess,
  html_display_mode: optional(html_display_mode.schema, "auto or framed: a site is framed while comments are on; raw: never, so it has no comments"),
  indexable: optional(indexable.schema, "Whether search engines may list it"),
  expires_at: optional(Timestamp, "When its address stops answering"),
  no_expiry: optional(Schema.Boolean, "true: its address never stops answering")
})
type Input = typeof Input.Type

export const ToolProject = wire(project)
const Output = wire({ ...project, ...listed, ...lacks })

const settingsOf = (given: Input) => ({
  slug: given.new_slug,
  // Null says nothing here: some agents' libraries send it for whatever their model left out.
  title: given.own_title === true ? null : given.title,
  commentsEnabled: given.comments_enabled,
  commentAccess: given.comment_access,
  htmlDisplayMode: given.html_display_mode,
  indexable: given.indexable,
  expiresAt: given.no_expiry === true ? null : given.expires_at
})

const isGiven = (changes: object): boolean => Object.values(changes).some((value) => value !== undefined)

export const update = tool("update", {
  title: "Update a project",
  description:
    "Change a project that exists; never makes one. With files, a site or a Markdown with images gets those added or replaced by path and loses delete_files, the rest stays. With text or base64 its whole content is replaced; a Markdown with images keeps them, and anything else of several files takes files instead. Without content_type and file_name one text stays what it was, HTML or Markdown as may be. Either makes a new version that restore_version can undo. Settings change as they are named, in a call without files. Who may open it is set_visibility’s, who may comment set_commenters’s, its folder move_project’s.",
  annotations: REPLACES,
  elsewhere: {
    visibility: "set_visibility says who may open it.",
    password: "set_visibility says who may open it.",
    folder_id: "move_project puts it into a folder.",
    expires_in_days: "Say when it ends as expires_at."
  },
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function*(given) {
    const { user } = yield* Caller
    const projects = yield* Projects
    const publishing = yield* Publishing
    const { base_version: base, delete_files: removed, slug } = given
    const changes = settingsOf(given)
    const withContent = hasContent(given)
    if (!withContent && removed === undefined && !isGiven(changes)) {
      return yield* invalid({ field: "arguments", message: "Name what is to change: files, text, base64, delete_files or a setting." })
    }
    if (removed !== undefined && given.files === undefined && withContent) {
      return yield* invalid({ field: "delete_files", message: "delete_files goes with files, or alone." })
    }
    for (const [name, other] of [["own_title", "title"], ["no_expiry", "expires_at"]] as const) {
      if (given[name] === true && given[other] !== undefined) return yield* invalid({ field: name, message: `Choose one: ${name} or ${other}.` })
    }
    // The two are no single transaction: if the second were refused, the first would stay.
    if ((withContent || removed !== undefined) && isGiven(changes)) {
      return yield* invalid({ field: "arguments", message: "Files and settings change in calls of their own." })
    }
    if (base !== undefined && !withContent && removed === undefined) {
      return yield* invalid({ field: "base_version", message: "base_version goes with files, text, base64 or delete_files." })
    }
    const files: ReadonlyArray<Incoming> = withContent ? yield* filesOf(given) : []
    const { project: changed, ...rest }: Noticed & { readonly project: Project } = given.files !== undefined || removed !== undefined
      ? yield* publishing.addFiles(user, slug, arrived(files, { removed, base }), "Send its content as text or base64 instead of files.")
      : withContent
      ? yield* publishing.replace(user, slug, files[0]!, base)
      : { project: yield* projects.change(user, slug, changes) }
    return { ...(yield* withListed(addressed(yield* Addresses)(changed))), around: yield* aroundOf(changed), ...noticedIn(rest) }
  }),
  // Alone, delete_files is all that a refusal of files can mean.
  names: (given, code) => ({
    ...namesOfContent(given),
    ...(code === "slug_taken" || code === "slug_reserved" ? { slug: "new_slug" } : {}),
    ...(given.delete_files !== undefined && given.files === undefined ? { file: "delete_files" } : {})
  }),
  words: ({ around, ...changed }: Told<typeof Output.Type> & Noticed, now) =>
    `${changed.url} is at version ${changed.version} (${changed.kind ?? "nothing published yet"}). Who can open it: ${audience(changed, now, around)}.${commentingNow(changed, around)}${noticedWords(changed)}`
})
