/** Consent for agents (SPEC §4.2, CONTRACT §4). The other half of OAuth, under `/oauth`, speaks the RFCs' own form. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Invalid, RateLimited } from "../../domain/failures.ts"
import { annotate } from "./annotations.ts"
import { SessionOnly } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { wire } from "./wire.ts"

const text = (maximum: number) => Schema.String.check(Schema.isMaxLength(maximum, { message: `At most ${maximum} characters.` }))
const optional = (maximum: number) => Schema.optionalKey(Schema.NullOr(text(maximum)))

const ClientId = text(2000).check(Schema.isPattern(/^[^\x00-\x1f\x7f-\x9f]+$/, { message: "This is not a valid client id." }))

const ConsentView = wire({
  clientId: Schema.String,
  clientName: Schema.String.annotate({ description: "What the client calls itself. Nobody checked it." }),
  clientUri: Schema.NullOr(Schema.String),
  redirectHosts: Schema.Array(Schema.String).annotate({
    description: "Where an answer may be sent: hosts, or private-use schemes. With `redirect_uri`, where it will be."
  }),
  scope: Schema.String,
  fault: Schema.NullOr(wire({ message: Schema.String, redirectTo: Schema.String })).annotate({
    description: "What is wrong with the request that was passed along, and the way to tell the client; null where nothing is"
  })
}).annotate({ identifier: "OauthConsent" })

const refusals = [refusal(Invalid, 422), refusal(RateLimited, 429)] as const

export class OauthContract extends HttpApiGroup.make("oauth")
  .add(
    HttpApiEndpoint.get("info", "/authorize/info", {
      query: {
        client_id: ClientId,
        scope: Schema.optionalKey(text(2000)),
        redirect_uri: Schema.optionalKey(text(2000)),
        response_type: Schema.optionalKey(text(100)),
        code_challenge: Schema.optionalKey(text(200)),
        code_challenge_method: Schema.optionalKey(text(20)),
        state: Schema.optionalKey(text(4000)),
        resource: Schema.optionalKey(text(2000))
      },
      success: ConsentView,
      error: refusals
    }).annotateMerge(annotate("See which client asks for consent", "For the consent page. `scope` is `mcp` where none is given. With `redirect_uri` the whole request is vetted: an unknown address is an error, any other fault comes in `fault`.")),
    HttpApiEndpoint.post("authorize", "/authorize", {
      payload: Schema.Struct({
        decision: Schema.Literals(["approve", "deny"]),
        client_id: ClientId,
        redirect_uri: text(2000),
        code_challenge: optional(200),
        code_challenge_method: optional(20),
        scope: optional(2000),
        state: optional(4000),
        resource: optional(2000)
      }),
      success: wire({ redirectTo: Schema.String }).annotate({ identifier: "OauthDecision" }),
      error: refusals
    }).annotateMerge(annotate(
      "Approve or deny a client",
      "Answers where to send the browser, with a code or `access_denied`. An unknown client or redirect address is an error, never a redirect."
    ))
  )
  .prefix("/v1/oauth")
  .middleware(SessionOnly)
  .annotateMerge(OpenApi.annotations({ title: "Consent", description: "Letting agents in by OAuth 2.0, in a session." }))
{}
