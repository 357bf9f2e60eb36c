/** API tokens (SPEC §4.3): made in a session, shown once. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiTokenId } from "../../domain/api-tokens/model.ts"
import { Conflict, NotFound } from "../../domain/failures.ts"
import { annotate } from "./annotations.ts"
import { Authenticated, SessionOnly } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { idOf, line, Status, Timestamp, wire } from "./wire.ts"

const token = {
  id: ApiTokenId,
  label: Schema.String,
  prefix: Schema.String.annotate({ description: "The first characters of the token, to recognise it by" }),
  createdAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp)
}

const ApiTokenView = wire(token).annotate({ identifier: "ApiToken" })

const NewApiTokenView = wire({
  ...token,
  token: Schema.String.annotate({ description: "The raw token. Shown this once." })
}).annotate({ identifier: "NewApiToken" })

export class ApiTokensContract extends HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.post("create", "/tokens", {
      payload: Schema.Struct({ label: line(1, 100) }),
      success: NewApiTokenView.pipe(HttpApiSchema.status(201)),
      error: refusal(Conflict, 409)
    }).annotateMerge(annotate("Create an API token", "In a session only. The raw token is in this answer and nowhere else. An account holds 100 at most, beside those of devices that signed in: of these the hundred used last."))
  )
  .middleware(SessionOnly)
  .add(
    HttpApiEndpoint.get("list", "/tokens", { success: Schema.Array(ApiTokenView) })
      .annotateMerge(annotate("List API tokens", "Newest first, without the tokens themselves."))
      .middleware(Authenticated),
    HttpApiEndpoint.delete("revoke", "/tokens/:token_id", {
      params: { token_id: idOf(ApiTokenId) },
      success: Status,
      error: refusal(NotFound, 404)
    }).annotateMerge(annotate("Revoke an API token", "It stops working at once."))
      .middleware(Authenticated)
  )
  .prefix("/v1")
  .annotateMerge(OpenApi.annotations({ title: "API tokens", description: "Bearer tokens for scripts. A token can do anything its account can." }))
{}
