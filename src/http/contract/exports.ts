/** Exporting a workspace's data (SPEC §4.5, CONTRACT §7). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ExportId, ExportStatus } from "../../domain/exports/model.ts"
import { ExportTaken, Forbidden, NotFound, RateLimited, Unavailable } from "../../domain/failures.ts"
import { WorkspaceId } from "../../domain/workspaces/model.ts"
import { annotate } from "./annotations.ts"
import { Authenticated } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { Idempotent } from "./idempotency.ts"
import { idOf, Secret, Timestamp, wire } from "./wire.ts"

const ExportView = wire({
  id: ExportId,
  status: ExportStatus,
  requestedAt: Timestamp,
  completedAt: Schema.NullOr(Timestamp),
  expiresAt: Schema.NullOr(Timestamp).annotate({ description: "When the mailed link expires or expired" }),
  sizeBytes: Schema.NullOr(Schema.Finite).annotate({ description: "Bytes of the zip" })
}).annotate({ identifier: "Export" })

const NoExport = Schema.Struct({ status: Schema.Null }).annotate({ identifier: "NoExport" })

const refusals = [refusal(NotFound, 404), refusal(Forbidden, 403)] as const

const RANGE = { "Content-Range": { description: "Which bytes, of how many", schema: { type: "string" } } }

/** Adds the answers to a Range header. */
const inParts = (operation: Record<string, any>) => ({
  ...operation,
  responses: {
    ...operation["responses"],
    "206": { description: "The part asked for", content: operation["responses"]["200"].content, headers: RANGE },
    "416": { description: "It has no such part", content: { "application/json": { schema: { $ref: "#/components/schemas/validation_error" } } }, headers: RANGE }
  }
})

const text = (name: string, where: "path" | "query", schema: object) => ({ name, in: where, required: true, schema: { type: "string", ...schema } })

export class ExportsContract extends HttpApiGroup.make("exports")
  .add(
    HttpApiEndpoint.post("request", "/workspace/export", {
      payload: Schema.Struct({ workspace: idOf(WorkspaceId), password: Secret }),
      success: ExportView.pipe(HttpApiSchema.status(202)),
      error: [...refusals, refusal(ExportTaken, 429), refusal(RateLimited, 429), refusal(Unavailable, 503)]
    }).middleware(Idempotent).annotateMerge(annotate(
      "Take an export",
      "For admins, who confirm it with their password. One at a time and one a UTC day; one that failed does not count. The link comes by mail."
    )),
    HttpApiEndpoint.get("latest", "/workspace/export", {
      query: { workspace: idOf(WorkspaceId) },
      success: [ExportView, NoExport],
      error: refusals
    }).annotateMerge(annotate("See how the latest export stands", "For admins. The status is null where none was ever taken."))
  )
  .middleware(Authenticated)
  .add(
    // Parsed by hand: a missing or malformed id or token gets the same refusal as a wrong one.
    HttpApiEndpoint.get("download", "/exports/:export_id/download", {
      params: { export_id: Schema.String },
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/zip" }),
      error: [refusal(NotFound, 404), refusal(Unavailable, 503)]
    }).annotateMerge(OpenApi.annotations({
      summary: "Download an export",
      description: "By the mailed link, for seven days, any number of times, as long as whoever requested it is an admin. Takes ranges. Every failure is the same 404.",
      override: { parameters: [text("export_id", "path", { format: "uuid" }), text("token", "query", {})] },
      transform: inParts
    }))
  )
  .prefix("/v1")
  .annotateMerge(OpenApi.annotations({ title: "Exports", description: "A workspace in one zip: its projects as they are now, without earlier versions." }))
{}
