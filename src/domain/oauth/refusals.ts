/** The errors of `/oauth/*`, which standard clients understand: RFC 6749 §5.2, 7591 §3.2.2, 8628 §3.5, 8707 §2. */
import { Schema } from "effect"

export const OauthError = Schema.Literals([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type",
  "invalid_scope",
  "invalid_target",
  "invalid_redirect_uri",
  "invalid_client_metadata",
  "authorization_pending",
  "slow_down",
  "access_denied",
  "expired_token"
])
export type OauthError = typeof OauthError.Type

export class OauthRefusal extends Schema.TaggedError<OauthRefusal>()("oauth_refusal", {
  error: OauthError,
  message: Schema.String
}) {}

export const refuse = (error: OauthError, message: string): OauthRefusal => new OauthRefusal({ error, message })

/** The same refusal for an unknown code, a used one, an expired one and another client's. */
export const refusedCode = () => refuse("invalid_grant", "This authorization code is not valid.")
export const refusedRefresh = () => refuse("invalid_grant", "This refresh token is not valid.")
