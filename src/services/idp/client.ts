/** The provider's discovery document, fetched when first needed and kept for an hour. */
import { Cache, Duration, Effect, Exit, Redacted } from "effect"
import * as oidc from "openid-client"

export interface IdpSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
}

/** For one request to the provider. */
const REQUEST_SECONDS = 4

/** For one answer, unpacked: discovery, keys, tokens or a person. */
const MAX_BYTES = 1024 * 1024

const KEPT = Duration.hours(1)

/** How long a provider that did not answer is not asked again. */
const PAUSE = Duration.seconds(2)

/** HTTP Basic, the default for a registered client, unless the provider accepts `client_secret_post` alone. */
const authentication = (secret: string): oidc.ClientAuth => {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    return (taken.includes("client_secret_post") && !taken.includes("client_secret_basic") ? post : basic)(server, client, body, headers)
  }
}

/** `fetch`, with all of its answer: one too large would fill the memory, and one that breaks off or stops midway is none, as if nothing had come. */
const bounded: oidc.CustomFetch = async (url, options) => {
  const answer = await fetch(url, options as RequestInit)
  if (answer.body === null) return answer
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new RangeError("The provider's answer is too large.")
    chunks.push(chunk)
  }
  return new Response(Buffer.concat(chunks), answer)
}

const discover = ({ clientId, clientSecret, issuer }: IdpSettings) =>
  Effect.tryPromise(async () => {
    const client = await oidc.discovery(new URL(issuer), clientId, undefined, authentication(Redacted.value(clientSecret)), {
      timeout: REQUEST_SECONDS,
      [oidc.customFetch]: bounded,
      execute: [
        // Checks signatures even of what came straight from the provider.
        oidc.enableNonRepudiationChecks,
        // The settings accept plain http only for an issuer on the loopback interface.
        ...(issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [])
      ]
    })
    // Throws where it names nowhere to sign in.
    oidc.buildAuthorizationUrl(client, {})
    return client
  })

/** Fails with whatever prevented discovery; the next try comes after the pause. */
export const makeClient = (settings: IdpSettings) =>
  Cache.makeWith(
    // A broken connection is retried once; one that never answered has used up its time.
    (_only: "client") => Effect.retry(discover(settings), { times: 1, while: ({ cause }) => cause instanceof TypeError }),
    { capacity: 1, timeToLive: (exit) => Exit.isSuccess(exit) ? KEPT : PAUSE }
  ).pipe(Effect.map((cache) => Cache.get(cache, "client")))
