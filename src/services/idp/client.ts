/** The provider's own description of itself (discovery), asked for at the first need and kept for an hour. */
import { Cache, Duration, Effect, Exit, Redacted } from "effect"
import * as oidc from "openid-client"

export interface IdpSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
}

/** Of one request to the provider. */
const REQUEST_SECONDS = 4

const KEPT = Duration.hours(1)

/** A provider that is away is not asked by every caller again. */
const PAUSE = Duration.seconds(2)

/** Basic, as a client that says nothing is registered for, unless the provider takes the other one alone. */
const authentication = (secret: string): oidc.ClientAuth => {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    return (taken.includes("client_secret_post") && !taken.includes("client_secret_basic") ? post : basic)(server, client, body, headers)
  }
}

const discover = ({ clientId, clientSecret, issuer }: IdpSettings) =>
  Effect.tryPromise(() =>
    oidc.discovery(new URL(issuer), clientId, undefined, authentication(Redacted.value(clientSecret)), {
      timeout: REQUEST_SECONDS,
      execute: [
        // Signatures are checked even of what came straight from the provider.
        oidc.enableNonRepudiationChecks,
        // Settings let in plain http at loopback issuers alone.
        ...(issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [])
      ]
    })
  )

/** Fails with whatever kept us from the description; the next try is a pause away. */
export const makeClient = (settings: IdpSettings) =>
  Cache.makeWith(
    // A connection that broke is tried once more; one that never answered took its time already.
    (_only: "client") => Effect.retry(discover(settings), { times: 1, while: ({ cause }) => cause instanceof TypeError }),
    { capacity: 1, timeToLive: (exit) => Exit.isSuccess(exit) ? KEPT : PAUSE }
  ).pipe(Effect.map((cache) => Cache.get(cache, "client")))
