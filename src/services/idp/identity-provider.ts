/**
 * An OpenID Connect provider over openid-client: authorization code with PKCE S256, state and nonce.
 *
 * 1. Away: the authorization request, made with three fresh random values.
 * 2. Back: `state` and `iss` are checked against the request; an error from the provider ends the sign-in.
 * 3. The code is exchanged for an ID token, whose signature, audience, times and nonce are checked.
 * 4. If the ID token lacks the email address, it is read from the userinfo endpoint, for the same subject.
 */
import { Effect, Layer } from "effect"
import * as oidc from "openid-client"
import { emailFault, normaliseEmail } from "../../domain/accounts/email.ts"
import { OauthNotConfigured, Unavailable } from "../../domain/failures.ts"
import { refused } from "../../domain/idp/rules.ts"
import { labelIn } from "../../domain/labels/model.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { IdentityProvider } from "../../domain/ports/identity-provider.ts"
import type { Checks, Identity } from "../../domain/ports/identity-provider.ts"
import { kindOf } from "../kind-of.ts"
import { makeClient } from "./client.ts"
import type { IdpSettings } from "./client.ts"

/** For all requests to the provider in one sign-in. */
const LIMIT = "8 seconds"

const SCOPE = "openid email profile"

const away = () => new Unavailable({ message: "The identity provider does not answer. Try again in a moment." })
const unconfigured = () => new OauthNotConfigured({ message: "This service has no identity provider." })

const statusOf = (error: unknown): number =>
  typeof error === "object" && error !== null && "status" in error && typeof error.status === "number" ? error.status : 0

/** What a provider that cannot right now sends the browser back with (RFC 6749 §4.1.2.1). */
const SAY_SO: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"])

/** The provider did not answer, not in time, or cannot right now: this says nothing about the person. */
const isAway = (error: unknown): boolean => {
  if (error instanceof oidc.AuthorizationResponseError) return SAY_SO.has(error.error)
  // What fetch throws if there is no answer.
  if (error instanceof TypeError) return true
  if (!(error instanceof oidc.ClientError)) return statusOf(error) >= 500
  return error.code === "OAUTH_TIMEOUT" || error.code === "OAUTH_ABORT" || statusOf(error.cause) >= 500
}

/** The code of an error, or its kind: the error itself may quote what the provider sent. */
const codeOf = (error: unknown): string => {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) return error.error
  return error instanceof oidc.ClientError ? error.code ?? error.name : kindOf(error)
}

interface Claims {
  readonly sub: string
  readonly email?: unknown
  readonly email_verified?: unknown
  readonly name?: unknown
}

/** Null for an address that no account could have. */
const addressIn = (email: unknown): string | null => {
  const normal = typeof email === "string" ? normaliseEmail(email) : ""
  return emailFault(normal) === undefined ? normal : null
}

/** A name goes into mails, so it must be one line. */
const nameIn = (name: unknown): string | undefined =>
  typeof name === "string" ? labelIn(name, 100) : undefined

const identityIn = ({ email, email_verified, name, sub }: Claims): Identity => ({
  subject: sub,
  email: addressIn(email),
  // A boolean by OpenID Connect Core §5.1; Apple and Cognito write it as a string.
  emailVerified: email_verified === true || email_verified === "true",
  name: nameIn(name)
})

/** The address and its verification come from the same place, never one from each. */
const claimsOf = async (config: oidc.Configuration, url: URL, { nonce, state, verifier }: Checks): Promise<Claims> => {
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true
  })
  const claims = tokens.claims()!
  if (claims["email"] !== undefined && claims["email_verified"] !== undefined) return claims
  if (config.serverMetadata().userinfo_endpoint === undefined) return claims
  return oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
}

export const IdentityProviderOpenId = (settings: IdpSettings) =>
  Layer.effect(
    IdentityProvider,
    Effect.gen(function*() {
      const { baseUrl } = yield* Addresses
      const redirect = `${baseUrl}/v1/auth/idp/callback`
      const client = Effect.tapError(yield* makeClient(settings), ({ cause }) =>
        Effect.annotateLogs(Effect.logWarning("identity provider: no discovery"), { issuer: settings.issuer, kind: codeOf(cause) })).pipe(
        Effect.mapError(away)
      )

      return IdentityProvider.of({
        ask: Effect.fn("IdentityProviderOpenId.ask")(function*({ again }) {
          const config = yield* client
          const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
          const challenge = yield* Effect.promise(() => oidc.calculatePKCECodeChallenge(checks.verifier))
          const url = oidc.buildAuthorizationUrl(config, {
            redirect_uri: redirect,
            scope: SCOPE,
            state: checks.state,
            nonce: checks.nonce,
            code_challenge: challenge,
            code_challenge_method: "S256",
            ...(again ? { prompt: "login" } : {})
          })
          return { url: url.href, checks }
        }),
        identify: Effect.fn("IdentityProviderOpenId.identify")(function*(query, checks) {
          const config = yield* client
          const url = new URL(`${redirect}?${query}`)
          return yield* Effect.tryPromise(() => claimsOf(config, url, checks)).pipe(
            Effect.map(identityIn),
            Effect.tapError(({ cause }) =>
              Effect.annotateLogs(Effect.logInfo("identity provider: refused"), { away: isAway(cause), kind: codeOf(cause) })),
            Effect.mapError(({ cause }) => isAway(cause) ? away() : refused()),
            Effect.timeoutOrElse({ duration: LIMIT, orElse: () => Effect.fail(away()) })
          )
        })
      })
    })
  )

/** For when any of SVC_IDP_* is missing. */
export const IdentityProviderNone = Layer.succeed(IdentityProvider, {
  ask: () => Effect.fail(unconfigured()),
  identify: () => Effect.fail(unconfigured())
})
