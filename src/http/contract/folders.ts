/** Folders (SPEC §2, CONTRACT §8): projects kept together, for the team or for one person alone. */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, Forbidden, NotFound } from "../../domain/failures.ts"
import { FolderId, Sharing } from "../../domain/folders/model.ts"
import { WorkspaceId } from "../../domain/workspaces/model.ts"
import { annotate } from "./annotations.ts"
import { Authenticated } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { Idempotent } from "./idempotency.ts"
import { idOf, line, paging, shownOnly, Status, STRICT, Switch, Timestamp, wire } from "./wire.ts"
import { whichWorkspace } from "./workspaces.ts"

const sharing = Sharing.annotate({ description: "`team`: every member sees it. `private`: only its creator sees it and what is in it; admins do not." })

export const FolderView = wire({
  id: FolderId,
  name: Schema.String,
  sharing,
  projectCount: Schema.Int,
  createdBy: Schema.Struct({ id: Schema.String, name: Schema.String }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Folder" })

export const FolderList = wire({
  folders: Schema.Array(FolderView),
  nextCursor: Schema.NullOr(Schema.String)
}).annotate({ identifier: "FolderList" })

const readOnly = shownOnly("id", "project_count", "created_by", "created_at", "updated_at", "workspace_id")

const named = { id: idOf(FolderId) }

const noFolder = refusal(NotFound, 404)
const notYours = refusal(Forbidden, 403)
const conflict = refusal(Conflict, 409)

export class FoldersContract extends HttpApiGroup.make("folders")
  .add(
    HttpApiEndpoint.get("list", "/folders", {
      query: {
        ...whichWorkspace,
        ...paging
      },
      success: FolderList,
      error: noFolder
    }).annotateMerge(annotate("List folders", "Newest first, without the private folders of others.")),
    HttpApiEndpoint.post("create", "/folders", {
      query: whichWorkspace,
      payload: Schema.Struct({ name: line(1, 100), sharing: Schema.optionalKey(Schema.NullOr(sharing)), workspace: Schema.optionalKey(Schema.NullOr(idOf(WorkspaceId))) }),
      success: FolderView.pipe(HttpApiSchema.status(201)),
      error: [noFolder, conflict]
    }).middleware(Idempotent).annotateMerge(annotate(
      "Make a folder",
      "Shared with the team by default. `workspace` may stand in the query or in the body; two folders may have one name."
    )),
    HttpApiEndpoint.patch("change", "/folders/:id", {
      params: named,
      payload: Schema.Struct({ name: Schema.optionalKey(line(1, 100)), sharing: Schema.optionalKey(sharing), ...readOnly }),
      success: FolderView,
      error: [noFolder, notYours, conflict]
    }).annotate(HttpApi.PayloadParseOptions, STRICT)
      .annotateMerge(annotate(
        "Change a folder",
        "Its creator and the workspace’s admins may rename it; only its creator may change who sees it. It cannot become private while it holds projects of others."
      )),
    HttpApiEndpoint.delete("remove", "/folders/:id", {
      params: named,
      query: { move_projects: Schema.optionalKey(Switch).annotate({ description: "true: what is in it stays in the workspace, in no folder" }) },
      success: Status,
      error: [noFolder, notYours, conflict]
    }).annotateMerge(annotate(
      "Delete a folder",
      "One that holds projects is refused with `conflict` unless `move_projects=true`. The projects of a private folder then become visible to the team."
    ))
  )
  .prefix("/v1")
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Folders", description: "Projects kept together, for the team or for one person alone." }))
{}
