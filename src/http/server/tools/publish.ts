/** `publish` (SPEC §4.9): files become a live address, at once. */
import { Effect, Schema } from "effect"
import type { DateTime } from "effect"
import { invalid } from "../../../domain/failures.ts"
import { FolderId } from "../../../domain/folders/model.ts"
import { spelled } from "../../../domain/projects/file-paths.ts"
import { CommentAccess, HtmlDisplayMode, VersionNumber, Visibility } from "../../../domain/projects/model.ts"
import type { Every, Project, PublishSettings } from "../../../domain/projects/model.ts"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { Publishing } from "../../../domain/projects/publishing.ts"
import { arrived } from "../../../domain/projects/receiving.ts"
import { siteFolder } from "../../../domain/projects/site-rules.ts"
import { Doorcode, Slug } from "../../../domain/projects/slugs/slugs.ts"
import { Workspaces } from "../../../domain/workspaces/workspaces.ts"
import { Caller } from "../../contract/authentication.ts"
import { published as fields } from "../../contract/project-views.ts"
import { sizeText } from "../../contract/sizes.ts"
import { days, idOf, line, Timestamp, wire } from "../../contract/wire.ts"
import { addressed } from "../addressed.ts"
import { commentAccess, listed, withListed } from "./allowlists.ts"
import { atMost, optional, workspace } from "./arguments.ts"
import { aroundOf } from "./around.ts"
import type { Told } from "./around.ts"
import { content, filesOf, MAX_BINARY, MAX_TEXT, namesOfContent, noticedIn, noticedWords } from "./content.ts"
import type { Noticed } from "./content.ts"
import { REPLACES, tool } from "./tool.ts"
import { audience, commentingNow, quoted } from "./words.ts"

/** What a publish may set beside its bytes. */
export const settings = {
  title: optional(atMost(line(1, 200), 200), "What it is called; read off each version until one is given"),
  visibility: optional(Visibility, "public (by default): anyone. password: whoever has the doorcode. private: members, or in a private folder its creator alone, and others by share link"),
  password: optional(Doorcode, "The doorcode, 6 to 128 characters; alone, it makes what would be public password. One is made up where visibility is password and none is given"),
  folder_id: optional(idOf(FolderId), "The folder it goes into"),
  expires_in_days: optional(Schema.Int.check(days), "The address stops answering after so many days, 1 to 3650"),
  comments_enabled: optional(Schema.Boolean, "Whether readers may comment; off by default"),
  comment_access: commentAccess,
  html_display_mode: optional(HtmlDisplayMode, "auto (by default) or framed: a site is framed while comments are on; raw: never, so it has no comments"),
  indexable: optional(Schema.Boolean, "Whether search engines may list it; off by default")
}
const Settings = Schema.Struct(settings)

/** The same settings by the domain’s names. */
export const settingsOf = (given: typeof Settings.Type): Omit<Every<PublishSettings>, "commentAllowlistInherit" | "expiresAt"> => ({
  title: given.title,
  visibility: given.visibility,
  password: given.password,
  folderId: given.folder_id,
  expiresInDays: given.expires_in_days,
  commentsEnabled: given.comments_enabled,
  commentAccess: given.comment_access,
  htmlDisplayMode: given.html_display_mode,
  indexable: given.indexable
})

export const baseVersion = optional(VersionNumber, "The version that this is meant for: where another is served by then, it is a conflict and nothing changes")

const Input = Schema.Struct({
  slug: optional(Slug, "The first label of its address: 3–63 of a–z, 0–9 and -. One of yours that exists gets its next version; a free readable one is made up where absent"),
  ...content,
  ...settings,
  workspace,
  base_version: baseVersion
})

export const Published = wire({
  ...fields,
  commentsEnabled: Schema.Boolean,
  commentAccess: CommentAccess,
  ...listed,
  expiresAt: Schema.NullOr(Timestamp).annotate({ description: "When its address stops answering" }),
  workspaceName: Schema.optionalKey(Schema.String).annotate({ description: "The workspace that it lies in; only where the account is in several" }),
  created: Schema.Boolean.annotate({ description: "False: an existing project got its next version" })
})

export const published = Effect.fnUntraced(function*({ created, project, ...rest }: Noticed & { readonly created: boolean; readonly project: Project }) {
  const { user } = yield* Caller
  const all = yield* (yield* Workspaces).of(user.id)
  const workspaceName = all.length > 1 ? all.find(({ id }) => id === project.workspaceId)?.name : undefined
  const shown = yield* withListed(addressed(yield* Addresses)(project))
  return { ...shown, around: yield* aroundOf(project), kind: project.kind!, created, ...noticedIn(rest), ...(workspaceName !== undefined && { workspaceName }) }
})

/** What is taken down takes no version. */
export const publishedWords = ({ around, created, kind, url, version, workspaceName, ...rest }: Told<typeof Published.Type> & Noticed & { readonly htmlDisplayMode: HtmlDisplayMode }, now: DateTime.Utc) =>
  `${created ? "Published" : `Version ${version} is live`}: ${url} (${kind}${workspaceName === undefined ? "" : `, in workspace ${quoted(workspaceName)}`}). Who can open it: ${audience({ ...rest, version, takenDownAt: null }, now, around)}.${commentingNow({ ...rest, kind }, around)}${noticedWords(rest)}`

export const publish = tool("publish", {
  title: "Publish",
  description:
    `Publish a document, a data file, an image or a whole site, and get its live address. Send text, base64 or files. Without a slug a new project is made; with one of yours its whole content is replaced by a next version, and every setting not named stays; update changes single files. It is public unless you say otherwise: ask before you publish what looks confidential, or use visibility password or private. ${sizeText(MAX_TEXT)} of text or ${sizeText(MAX_BINARY)} of binary files a call; larger content goes through begin_upload.`,
  annotations: REPLACES,
  elsewhere: {
    content: "Send it as text, base64 or files.",
    path: "Send the file itself as text or base64; file_name says what it is called.",
    expires_at: "Say for how long as expires_in_days."
  },
  input: Input,
  output: Published,
  run: Effect.fnUntraced(function*({ base_version: base, slug, workspace, ...given }) {
    const { user } = yield* Caller
    const publishing = yield* Publishing
    const files = yield* filesOf(given)
    const set = { ...settingsOf(given), workspace }
    const folder = siteFolder((given.files ?? []).map(({ path }) => spelled(path)))
    if (slug !== undefined) return yield* published({ ...(yield* publishing.put(user, slug, files, { ...set, base })), folder })
    if (base !== undefined) return yield* invalid({ field: "base_version", message: "base_version goes with the slug of a project." })
    return yield* published({ ...(yield* publishing.create(user, arrived(files, set))), folder })
  }),
  names: namesOfContent,
  words: publishedWords
})
