/** Projects and their versions (SPEC §4.6, CONTRACT §8). */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  Conflict,
  EmailNotVerified,
  Forbidden,
  NotFound,
  PaymentRequired,
  QuotaExceeded,
  SlugReserved,
  SlugTaken,
  Unavailable
} from "../../domain/failures.ts"
import { FolderId } from "../../domain/folders/model.ts"
import { CommentAccess, HtmlDisplayMode, VersionNumber, Visibility } from "../../domain/projects/model.ts"
import { Doorcode, Slug } from "../../domain/projects/slugs/slugs.ts"
import { WorkspaceId } from "../../domain/workspaces/model.ts"
import { annotate, wordsOf } from "./annotations.ts"
import { Authenticated } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { Idempotent } from "./idempotency.ts"
import { AvailabilityView, ComparisonView, FilesView, MissingView, ProjectDetail, ProjectList, ProjectView, PublishedView } from "./project-views.ts"
import { Spelt } from "./spelling.ts"
import { bySlug, days, idOf, line, paging, pathText, shownOnly, Status, STRICT, Switch, Timestamp } from "./wire.ts"
import { whichWorkspace } from "./workspaces.ts"

const numbered = { ...bySlug, version: VersionNumber }

const noProject = refusal(NotFound, 404)
const notYours = refusal(Forbidden, 403)
const slugRefusals = [refusal(SlugTaken, 409), refusal(SlugReserved, 409)] as const
const publishRefusals = [
  refusal(EmailNotVerified, 403),
  refusal(PaymentRequired, 402),
  refusal(QuotaExceeded, 402),
  refusal(Unavailable, 503)
] as const

const fromNow = { description: "1 to 3650 days from now" }

/** What the query of a publish may set. Never a doorcode: URLs end up in logs. */
const settings = {
  visibility: Schema.optionalKey(Visibility),
  title: Schema.optionalKey(line(1, 200)),
  folder_id: Schema.optionalKey(idOf(FolderId)),
  workspace: Schema.optionalKey(idOf(WorkspaceId)),
  expires_in_days: Schema.optionalKey(Schema.Int.check(days)).annotate(fromNow),
  expires_at: Schema.optionalKey(Timestamp),
  comments_enabled: Schema.optionalKey(Switch),
  comment_access: Schema.optionalKey(CommentAccess),
  comment_allowlist_inherit: Schema.optionalKey(Switch),
  html_display_mode: Schema.optionalKey(HtmlDisplayMode),
  indexable: Schema.optionalKey(Switch)
}

const aboutDoorcode = { description: "The doorcode: 6–128 characters. Without `visibility`, a project that is or would be public becomes `password`" }

const meantFor = "The version that this is meant for; a `conflict` where another one is served by then"
const base = { base_version: Schema.optionalKey(VersionNumber).annotate({ description: meantFor }) }

/** The same in a form. */
const fields = {
  ...settings,
  expires_in_days: Schema.optionalKey(Schema.NumberFromString.check(Schema.isInt({ message: "A whole number of days." }), days)).annotate(fromNow),
  password: Schema.optionalKey(Doorcode.annotate(aboutDoorcode))
}

const paths = Schema.Array(pathText(1024))

/** The fields of a publishing form, besides its files. */
export const PublishForm = Schema.Struct({ ...fields, slug: Schema.optionalKey(Slug) })
export type PublishForm = typeof PublishForm.Type

/** The fields of a form that changes a site’s files. */
export const FilesForm = Schema.Struct({
  ...fields,
  slug: Schema.optionalKey(Schema.String).annotate({ description: "That of the address, if it is sent at all" }),
  delete: Schema.optionalKey(paths),
  base_version: Schema.optionalKey(Schema.NumberFromString.pipe(Schema.decodeTo(VersionNumber))).annotate({ description: meantFor })
})
export type FilesForm = typeof FilesForm.Type

const readOnly = shownOnly("id", "url", "kind", "version", "versions", "owner", "workspace_id", "size_bytes", "file_count", "created_at", "updated_at", "published_at", "taken_down_at", "excerpt", "thumbnail")

export const Changes = Schema.Struct({
  slug: Schema.optionalKey(Slug),
  title: Schema.optionalKey(Schema.NullOr(line(1, 200)).annotate({ description: "Null hands it back: the project is called as its document calls itself, or else by the file’s name, as if none had been given" })),
  visibility: Schema.optionalKey(Visibility),
  /** The program knows the one that may stay. */
  password: Schema.optionalKey(Schema.NullOr(Schema.String.annotate(aboutDoorcode))),
  comments_enabled: Schema.optionalKey(Schema.Boolean),
  comment_access: Schema.optionalKey(CommentAccess),
  comment_allowlist_inherit: Schema.optionalKey(Schema.Boolean),
  html_display_mode: Schema.optionalKey(HtmlDisplayMode),
  indexable: Schema.optionalKey(Schema.Boolean),
  expires_at: Schema.optionalKey(Schema.NullOr(Timestamp)),
  folder_id: Schema.optionalKey(Schema.NullOr(idOf(FolderId))),
  ...readOnly
}).annotate({ identifier: "ProjectChanges" })
export type ProjectChangesBody = typeof Changes.Type

const include = { include: Schema.optionalKey(Schema.Literal("excerpt")).annotate({ description: "Adds how each document begins: in plain words, or how large its thumbnail is" }) }

/** A form as OpenAPI describes it: its files, and its fields from the schema that decodes them. */
const upload = (fields: Schema.Top) => {
  const { properties: own = {} } = Schema.toJsonSchemaDocument(fields).schema as { readonly properties?: Readonly<Record<string, object>> }
  const words = wordsOf(fields)
  const described = Object.entries(own).map(([name, property]) => [name, { ...property, ...(words[name] !== undefined && { description: words[name] }) }])
  const properties = { file: { type: "array", items: { type: "string", format: "binary" }, description: "Files; each one’s name is its path" } }
  return {
    required: true,
    content: { "multipart/form-data": { schema: { type: "object", properties: { ...properties, ...Object.fromEntries(described) } } } }
  }
}

/** One type, which says nothing of the bytes: of several, generated clients send one, whatever they upload. */
const anyBody = {
  required: true,
  description: "The file itself. Its Content-Type selects the kind: `text/html`, `text/markdown`, `text/plain`, `text/csv`, `text/tab-separated-values`, `application/json`, `application/x-ndjson`, `application/pdf`, `application/zip`, `image/*` or `video/*`. With `application/octet-stream`, its bytes and the name in `X-Filename` do, whose ending tells Markdown, CSV and HTML from plain text.",
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
}

export class ProjectsContract extends HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("list", "/projects", {
      query: {
        ...whichWorkspace,
        folder_id: Schema.optionalKey(idOf(FolderId)),
        query: Schema.optionalKey(line(0, 200)).annotate({ description: "Part of a title or slug" }),
        ...include,
        ...paging
      },
      success: ProjectList,
      error: noProject
    }).annotateMerge(annotate("List projects", "Newest first, with the workspace’s usage.")),
    HttpApiEndpoint.post("create", "/projects", {
      query: { ...settings, slug: Schema.optionalKey(Slug) },
      success: ProjectView.pipe(HttpApiSchema.status(201)),
      error: [...slugRefusals, ...publishRefusals, noProject]
    }).middleware(Spelt).middleware(Idempotent).annotateMerge(annotate(
      "Publish files as a new project",
      "A multipart form: every part with a file name is a file, at that path, without the one folder that holds all of a site; the other parts are settings, which may also be in the query, except for a doorcode. Without a file it makes an empty project.",
      { requestBody: upload(PublishForm) }
    )),
    HttpApiEndpoint.put("publish", "/projects/:slug", {
      params: { slug: Slug },
      query: { ...settings, ...base },
      headers: {
        "x-filename": Schema.optionalKey(Schema.String).annotate({ description: "The file’s name, percent-encoded where it needs to be" }),
        "if-match": Schema.optionalKey(Schema.Literal("*")).annotate({ description: "Publishes only to a project that exists: where there is none, it is `not_found` and nothing is made. A workspace’s admins need it to publish to a colleague’s project" }),
        "if-none-match": Schema.optionalKey(Schema.Literal("*")).annotate({ description: "Publishes only a new project: where there is one, it is `slug_taken` and nothing is changed" })
      },
      success: [PublishedView.pipe(HttpApiSchema.status(201)), PublishedView],
      error: [...slugRefusals, ...publishRefusals, noProject, notYours, refusal(Conflict, 409)]
    }).middleware(Spelt).middleware(Idempotent).annotateMerge(annotate(
      "Publish one file",
      "The body is the file. 201 makes the project, 200 adds a version to one of your own; another creator’s slug is `slug_taken`. `If-Match: *` only ever adds a version, and `If-None-Match: *` only ever makes a project; no other condition is taken, and a part of a file (`Content-Range`) is refused. The old version serves until the new one is whole and durable.",
      { requestBody: anyBody }
    )),
    HttpApiEndpoint.get("get", "/projects/:slug", { params: bySlug, query: include, success: ProjectDetail, error: noProject })
      .annotateMerge(annotate("Get a project", "With its versions, newest first.")),
    HttpApiEndpoint.patch("change", "/projects/:slug", {
      params: bySlug,
      payload: Changes,
      success: ProjectDetail,
      error: [noProject, notYours, refusal(Conflict, 409), ...slugRefusals]
    }).annotate(HttpApi.PayloadParseOptions, STRICT)
      .annotateMerge(annotate("Change a project", "Only what is named changes; null clears. A new slug ends the old address at once.")),
    HttpApiEndpoint.delete("remove", "/projects/:slug", { params: bySlug, success: Status, error: [noProject, notYours] })
      .annotateMerge(annotate("Delete a project", "Its address stops answering at once and stays yours to take back for 30 days; then its comments, share links and figures are erased. There is no way back.")),
    HttpApiEndpoint.post("addFiles", "/projects/:slug/files", {
      params: bySlug,
      query: { ...settings, ...base, delete: Schema.optionalKey(paths) },
      success: ProjectView,
      error: [noProject, notYours, refusal(Conflict, 409), refusal(SlugTaken, 409), ...publishRefusals]
    }).middleware(Spelt).middleware(Idempotent).annotateMerge(annotate(
      "Add, replace or remove files",
      "A multipart form: file parts replace or add by path, `delete` fields remove a path; settings in the form or the query change with them, and so may `delete` and `base_version` be in either. A site stays a site, a Markdown takes and keeps its images and a video its still and captions; where all that it held is replaced or removed, it becomes what the new files are. A page that was published alone is index.html, and goes by the name that it came under too. Makes one new version.",
      { requestBody: upload(FilesForm) }
    )),
    HttpApiEndpoint.get("files", "/projects/:slug/files", {
      params: bySlug,
      query: {
        cursor: Schema.optionalKey(line(1, 2000)),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }, { message: "Between 1 and 1000." }))).annotate({ description: "1 to 1000; 100 by default" })
      },
      success: FilesView,
      error: noProject
    }).annotateMerge(annotate(
      "List the files being served",
      "With the hash of each one’s bytes, so that a publisher sends only what changed. All pages are of the same version as the first."
    )),
    HttpApiEndpoint.get("missing", "/projects/:slug/missing", { params: bySlug, success: MissingView, error: [noProject, refusal(Unavailable, 503)] })
      .annotateMerge(annotate("See which files are missing", "Pictures, styles, scripts and pages that the pages of the version being served name and that it does not hold, or pictures of a Markdown.")),
    HttpApiEndpoint.get("available", "/projects/:slug/available", { params: bySlug, query: whichWorkspace, success: AvailabilityView, error: refusal(NotFound, 404) })
      .annotateMerge(annotate("Is a slug free?", "For a new project in this workspace. Slugs are one namespace for everybody; those that a workspace freed in the last 30 days stay its own, a hundred of them, or as many as its plan has projects.")),
    HttpApiEndpoint.post("restore", "/projects/:slug/versions/:version/restore", {
      params: numbered,
      success: ProjectView,
      error: [noProject, notYours, ...publishRefusals]
    }).middleware(Idempotent).annotateMerge(annotate("Restore a version", "Publishes its content again as the newest version; where the plan keeps no more of them, the oldest one goes.")),
    HttpApiEndpoint.get("download", "/projects/:slug/versions/:version/download", {
      params: numbered,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/zip" }),
      error: [noProject, refusal(Unavailable, 503)]
    }).annotateMerge(annotate("Download a version", "A zip of its files, streamed.")),
    HttpApiEndpoint.get("thumbnail", "/projects/:slug/versions/:version/thumbnail", {
      params: numbered,
      success: HttpApiSchema.StreamUint8Array({ contentType: "image/webp" }),
      error: noProject
    }).annotateMerge(annotate("See a version small", "An image, or the first page of a PDF, as a WebP of at most 640 pixels a side. It is drawn soon after the publish, and only for versions that were served since svc draws them.")),
    HttpApiEndpoint.get("compare", "/projects/:slug/versions/:from/compare/:to", {
      params: { ...bySlug, from: VersionNumber, to: VersionNumber },
      success: ComparisonView,
      error: [noProject, refusal(Unavailable, 503)]
    }).annotateMerge(annotate("Compare two versions", "Which files were added, changed and removed from the one to the other, and what changed in texts, line by line. A document under a new name is compared with its predecessor."))
  )
  .prefix("/v1")
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Projects", description: "Publishing files to addresses, and what may be done with them afterwards." }))
{}
