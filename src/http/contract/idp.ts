/** Signing in through an identity provider, and linking an account to it (SPEC §4.1). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, Forbidden, OauthNotConfigured, Unavailable } from "../../domain/failures.ts"
import { annotate } from "./annotations.ts"
import { SessionOnly } from "./authentication.ts"
import { refusal } from "./envelope.ts"
import { Status, wire } from "./wire.ts"

const redirect = HttpApiSchema.Empty(303)
const forbidden = refusal(Forbidden, 403)
const provider = [refusal(OauthNotConfigured, 503), refusal(Unavailable, 503)] as const

/** Anything the provider may send the browser back with: a bad value is a 403, not a 422. */
const sent = Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)]))

export class IdpContract extends HttpApiGroup.make("idp")
  .add(
    HttpApiEndpoint.post("unlink", "/idp/unlink", { success: Status, error: refusal(Conflict, 409) })
      .annotateMerge(annotate("Unlink the identity provider", "Only where the account has a password to sign in with.")),
    HttpApiEndpoint.post("startLink", "/idp/link", { success: wire({ redirectTo: Schema.String }), error: provider })
      .annotateMerge(annotate("Start linking the account to the identity provider", "Answers where to send the browser; it comes back as from `GET`. For an app on another site."))
  )
  .middleware(SessionOnly)
  .add(
    HttpApiEndpoint.get("begin", "/idp", { query: { next: sent }, success: redirect, error: [forbidden, ...provider] })
      .annotateMerge(annotate(
        "Sign in through the identity provider",
        "For browsers: leads to the provider, and back to the callback. `next` is a path here to go on to; anything else is ignored. What a page loads, an image or a frame, is refused."
      )),
    HttpApiEndpoint.get("beginLink", "/idp/link", { success: redirect, error: [forbidden, ...provider] })
      .annotateMerge(annotate(
        "Link the account to the identity provider",
        "For browsers. Without a session it leads to the login page; from another origin it is refused."
      )),
    HttpApiEndpoint.get("callback", "/idp/callback", {
      query: { code: sent, state: sent, iss: sent, error: sent, error_description: sent },
      success: redirect,
      error: [forbidden, ...provider]
    }).annotateMerge(annotate(
      "Come back from the identity provider",
      "Leads to the app, or to the path asked for, with a session, or to its settings page with `idp_linked=1` or `idp_link_error=<code>`. A browser that is refused is shown a page."
    ))
  )
  .prefix("/v1/auth")
  .annotateMerge(OpenApi.annotations({ title: "Identity provider", description: "OpenID Connect, where the operator configured it." }))
{}
