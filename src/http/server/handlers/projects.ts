/** Projects over HTTP. */
import { isUtf8 } from "node:buffer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { Comparing } from "../../../domain/projects/comparing.ts"
import { Projects } from "../../../domain/projects/projects.ts"
import type { MissingFiles } from "../../../domain/projects/missing-files.ts"
import type { ChangesAsked, Every, Project, PublishSettings } from "../../../domain/projects/model.ts"
import { Publishing } from "../../../domain/projects/publishing.ts"
import { Reading } from "../../../domain/projects/reading.ts"
import { Versions } from "../../../domain/projects/versions.ts"
import type { Incoming } from "../../../domain/projects/receiving.ts"
import { Thumbnails } from "../../../domain/thumbnails/thumbnails.ts"
import { Api } from "../../contract/api.ts"
import { Caller } from "../../contract/authentication.ts"
import { PublishedView } from "../../contract/project-views.ts"
import { FilesForm, PublishForm } from "../../contract/projects.ts"
import type { ProjectChangesBody } from "../../contract/projects.ts"
import { ok, PAGE } from "../../contract/wire.ts"
import { addressed } from "../addressed.ts"
import { fileAnswer } from "../answers.ts"
import { handlersOf } from "../carried.ts"
import { declaredLength, formOf } from "../forms.ts"
import { answered, detailOnWire, listOnWire } from "./project-answers.ts"

const FILES_PAGE = 100

/** The whole body as one file. Reading does not destroy the request, so that a refusal can still be answered. */
const incoming = (request: HttpServerRequest.HttpServerRequest): Incoming => ({
  path: fileName(request.headers["x-filename"]),
  contentType: request.headers["content-type"],
  length: declaredLength(request),
  owned: true,
  bytes: { [Symbol.asyncIterator]: () => NodeHttpServerRequest.toIncomingMessage(request).iterator({ destroyOnReturn: false }) }
})

const fileName = (header: string | undefined): string | undefined => {
  if (header === undefined || header === "") return undefined
  // Node decodes headers as Latin-1; a name sent as raw UTF-8 is decoded anew.
  const bytes = Buffer.from(header, "latin1")
  const name = isUtf8(bytes) ? bytes.toString("utf8") : header
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const settingsOf = (form: Omit<PublishForm, "slug">): Every<PublishSettings> => ({
  title: form.title,
  visibility: form.visibility,
  password: form.password,
  folderId: form.folder_id,
  expiresAt: form.expires_at,
  expiresInDays: form.expires_in_days,
  commentsEnabled: form.comments_enabled,
  commentAccess: form.comment_access,
  commentAllowlistInherit: form.comment_allowlist_inherit,
  htmlDisplayMode: form.html_display_mode,
  indexable: form.indexable
})

const conditionsOf = (headers: { readonly "if-match"?: "*"; readonly "if-none-match"?: "*" }) =>
  ({ mustExist: headers["if-match"] !== undefined, mustBeNew: headers["if-none-match"] !== undefined })

const draftOf = (form: PublishForm) => ({ ...settingsOf(form), slug: form.slug, workspace: form.workspace })

const fileChangesOf = (form: FilesForm) => ({
  removed: form.delete,
  base: form.base_version,
  workspace: form.workspace,
  settings: settingsOf(form)
})

const changesOf = (body: ProjectChangesBody): Every<ChangesAsked> => ({
  slug: body.slug,
  title: body.title,
  visibility: body.visibility,
  password: body.password,
  commentsEnabled: body.comments_enabled,
  commentAccess: body.comment_access,
  commentAllowlistInherit: body.comment_allowlist_inherit,
  htmlDisplayMode: body.html_display_mode,
  indexable: body.indexable,
  expiresAt: body.expires_at,
  folderId: body.folder_id
})

export const ProjectsHandlers = handlersOf(
  Api,
  "projects",
  Effect.fnUntraced(function*(handlers) {
    const projects = yield* Projects
    const publishing = yield* Publishing
    const versions = yield* Versions
    const comparing = yield* Comparing
    const thumbnails = yield* Thumbnails
    const reading = yield* Reading
    const withUrl = addressed(yield* Addresses)
    const lacking = ({ missing, project }: { readonly missing: MissingFiles | undefined; readonly project: Project }) => ({ ...withUrl(project), ...(missing && { missing }) })
    const published = HttpServerResponse.schemaJson(PublishedView)

    return handlers.handleAll({
      list: ({ query }) =>
        Caller.use(({ user }) =>
          projects.list(user, query.workspace, {
            folderId: query.folder_id,
            query: query.query,
            after: query.cursor,
            limit: query.limit ?? PAGE,
            excerpts: query.include === "excerpt"
          })
        ).pipe(Effect.map((page) => answered(listOnWire({ ...page, projects: page.projects.map(withUrl) })))),
      create: ({ query, request }) =>
        Caller.use(({ user }) => publishing.create(user, formOf(request, PublishForm, query, draftOf)))
          .pipe(Effect.map(lacking)),
      publish: ({ headers, params, query, request }) =>
        Caller.use(({ user }) => publishing.put(user, params.slug, incoming(request), { ...settingsOf(query), ...conditionsOf(headers), workspace: query.workspace, base: query.base_version })).pipe(
          Effect.flatMap(({ created, missing, project }) => {
            const { kind, ...view } = lacking({ missing, project })
            return Effect.orDie(published({ ...view, kind: kind! }, { status: created ? 201 : 200 }))
          })
        ),
      get: ({ params, query }) =>
        Caller.use(({ user }) => projects.get(user, params.slug, query.include === "excerpt")).pipe(Effect.map((found) => answered(detailOnWire(withUrl(found))))),
      change: ({ params, payload }) =>
        Caller.use(({ user }) => projects.change(user, params.slug, changesOf(payload))).pipe(Effect.map(withUrl)),
      remove: ({ params }) => Caller.use(({ user }) => Effect.as(projects.remove(user, params.slug), ok)),
      addFiles: ({ params, query, request }) =>
        Caller.use(({ user }) => publishing.addFiles(user, params.slug, formOf(request, FilesForm, { ...query, slug: params.slug }, fileChangesOf, new Set(["delete"]))))
          .pipe(Effect.map(lacking)),
      missing: ({ params }) => Caller.use(({ user }) => reading.missing(user, params.slug)),
      files: ({ params, query }) =>
        Caller.use(({ user }) => projects.files(user, params.slug, { cursor: query.cursor, limit: query.limit ?? FILES_PAGE })),
      available: ({ params, query }) => Caller.use(({ user }) => projects.available(user, params.slug, query.workspace)),
      restore: ({ params }) =>
        Caller.use(({ user }) => versions.restore(user, params.slug, params.version)).pipe(Effect.map(withUrl)),
      compare: ({ params }) => Caller.use(({ user }) => comparing.compare(user, params.slug, params.from, params.to)),
      thumbnail: ({ params, request }) =>
        Caller.use(({ user }) => thumbnails.of(user, params.slug, params.version)).pipe(
          Effect.map(({ image, versionId }) => fileAnswer(request, { type: "image/webp", etag: `"${versionId}"`, bytes: { identity: image } }, { "cache-control": "private, no-cache" }))
        ),
      download: ({ params }) =>
        Caller.use(({ user }) => projects.download(user, params.slug, params.version)).pipe(
          Effect.map(({ bytes, name }) =>
            HttpServerResponse.stream(bytes, {
              contentType: "application/zip",
              headers: { "content-disposition": `attachment; filename="${name}"`, "cache-control": "private, no-store" }
            })
          )
        )
    })
  })
)
