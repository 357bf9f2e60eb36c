/** The rules of OAuth: lifetimes, PKCE, and what makes an authorization request valid (CONTRACT §4). */
import { DateTime, Result } from "effect"
import type { Limit } from "../ports/rate-limits.ts"
import type { AuthorizationRequest, Code, GrantType, OauthClient } from "./model.ts"
import { SCOPE } from "./model.ts"
import type { OauthError, OauthRefusal } from "./refusals.ts"
import { refuse, refusedCode } from "./refusals.ts"

/** The one resource that tokens open (RFC 8707): the agents' endpoint. */
export const resourceAt = (baseUrl: string): string => `${baseUrl}/mcp`

export const ACCESS_SECONDS = 3600

/** How long a registered client that nobody let in is kept. */
export const UNUSED_KEPT = { days: 30 } as const

/** How long a family is kept after its last use, and with it its client: an agent that comes back by then is known. */
export const FAMILIES_KEPT = { days: 365 } as const

/** How long a code is kept after it expired: until then, a second exchange revokes the tokens it gave. */
export const CODES_KEPT = { days: 1 } as const

export const LIMITS = {
  registerByAddress: { name: "oauth.register", limit: 20, window: "1 minute" },
  /** Documents fetched on behalf of one person; cached ones count too. */
  documents: { name: "oauth.documents", limit: 30, window: "1 minute" }
} as const satisfies Record<string, Limit>

export const codeExpiry = (now: DateTime.Utc): DateTime.Utc => DateTime.add(now, { seconds: 60 })
export const accessExpiry = (now: DateTime.Utc): DateTime.Utc => DateTime.add(now, { seconds: ACCESS_SECONDS })
export const refreshExpiry = (now: DateTime.Utc): DateTime.Utc => DateTime.add(now, { days: 30 })

/** SHA-256, base64url: 43 characters. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** `hash` is SHA-256 in hex. */
export const proves = (verifier: string, challenge: string, hash: (text: string) => string): boolean =>
  VERIFIER.test(verifier) && hash(verifier) === Buffer.from(challenge, "base64url").toString("hex")

export interface AuthorizationFault {
  readonly error: OauthError
  readonly field: string
  readonly message: string
}

type Check = (request: AuthorizationRequest, resource: string) => AuthorizationFault | undefined

const hasChallenge: Check = ({ codeChallenge }) =>
  codeChallenge !== undefined && CHALLENGE.test(codeChallenge)
    ? undefined
    : { error: "invalid_request", field: "code_challenge", message: "A code_challenge is needed: SHA-256 of the verifier, base64url." }

/** Without a method, RFC 7636 assumes `plain`. */
const hashesChallenge: Check = ({ codeChallengeMethod }) =>
  codeChallengeMethod === "S256"
    ? undefined
    : { error: "invalid_request", field: "code_challenge_method", message: "The code_challenge_method must be S256." }

/** Unknown scopes are ignored (RFC 6749 §3.3); without ours there is nothing to grant. */
export const mayBeGranted = (scope: string | undefined): boolean => scope === undefined || scope.split(" ").includes(SCOPE)

export const SCOPES = `The scope is ${SCOPE}.`

const asksForScope: Check = ({ scope }) => mayBeGranted(scope) ? undefined : { error: "invalid_scope", field: "scope", message: SCOPES }

const namesResource = ({ resource: asked }: Pick<AuthorizationRequest, "resource">, resource: string): AuthorizationFault | undefined =>
  asked === undefined || asked === resource
    ? undefined
    : { error: "invalid_target", field: "resource", message: `The resource is ${resource}.` }

/** The same at the token endpoint: whoever names a resource names ours. */
export const forResource = (asked: string | undefined, resource: string): Result.Result<void, OauthRefusal> => {
  const fault = namesResource({ resource: asked }, resource)
  return fault === undefined ? Result.succeed(undefined) : Result.fail(refuse(fault.error, fault.message))
}

/**
 * Whether a client registered for this grant type (RFC 7591 §2). Every agent that is let in gets refresh tokens, so
 * no client needs to have registered for them.
 */
export const mayUse = ({ grantTypes }: Pick<OauthClient, "grantTypes">, grantType: Exclude<GrantType, "refresh_token">): boolean => grantTypes.includes(grantType)

export const clientFault = (client: Pick<OauthClient, "grantTypes">): AuthorizationFault | undefined =>
  mayUse(client, "authorization_code")
    ? undefined
    : { error: "unauthorized_client", field: "client_id", message: "This client did not register for the grant authorization_code." }

/** Checked only where a browser brings the request; the API's own endpoint has no response type. */
export const responseFault = (responseType: string): AuthorizationFault | undefined =>
  responseType === "code" ? undefined : { error: "unsupported_response_type", field: "response_type", message: "The response_type is code." }

/** Run in this order, once the client and its redirect address are known to be valid. */
const CHECKS: ReadonlyArray<Check> = [hasChallenge, hashesChallenge, asksForScope, namesResource]

export const authorizationFault = (request: AuthorizationRequest, resource: string): AuthorizationFault | undefined => {
  for (const check of CHECKS) {
    const fault = check(request, resource)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** What a client sends to exchange a code. */
export interface Redemption {
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier: string
  readonly resource: string | undefined
}

/** Whether a code may be exchanged, by these facts; that it is used once, its row decides. `hash` is SHA-256 in hex. */
export const redeem = (
  code: Code,
  { clientId, redirectUri, resource, verifier }: Redemption,
  hash: (text: string) => string,
  now: DateTime.Utc
): Result.Result<void, OauthRefusal> => {
  if (code.clientId !== clientId || DateTime.isGreaterThanOrEqualTo(now, code.expiresAt)) return Result.fail(refusedCode())
  if (code.redirectUri !== redirectUri) return Result.fail(refuse("invalid_grant", "The redirect_uri is not the one that was authorized."))
  if (!proves(verifier, code.challenge, hash)) return Result.fail(refuse("invalid_grant", "The code_verifier does not fit the challenge."))
  return forResource(resource, code.resource)
}
