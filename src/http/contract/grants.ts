/** Connected devices and agents (CONTRACT §3). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { NotFound } from "../../domain/failures.ts"
import { GrantKind } from "../../domain/grants/model.ts"
import { annotate } from "./annotations.ts"
import { Authenticated } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { Status, Timestamp, Uuid, wire } from "./wire.ts"

const GrantView = wire({
  id: Schema.String,
  kind: GrantKind,
  client: Schema.String.annotate({ description: "What it called itself" }),
  address: Schema.NullOr(Schema.String).annotate({ description: "The address that a device asked from" }),
  createdAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Grant" })

export class GrantsContract extends HttpApiGroup.make("grants")
  .add(
    HttpApiEndpoint.get("list", "/me/grants", { success: Schema.Array(GrantView) })
      .annotateMerge(annotate("List connected devices and agents", "Newest first.")),
    HttpApiEndpoint.delete("revoke", "/me/grants/:id", { params: { id: Uuid }, success: Status, error: refusal(NotFound, 404) })
      .annotateMerge(annotate("Disconnect a device or an agent", "Its tokens stop working at once."))
  )
  .prefix("/v1")
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({ title: "Connections", description: "Devices and agents that were let into the account." }))
{}
