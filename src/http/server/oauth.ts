/** What OAuth clients call by themselves: metadata, registration, tokens. RFC bodies, since standard clients read nothing else. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpServerError } from "effect/http"
import { DeviceGrants } from "../../domain/device-grants/device-grants.ts"
import type { RateLimited } from "../../domain/failures.ts"
import { OauthClients } from "../../domain/oauth/clients.ts"
import { GRANT_TYPES, SCOPE } from "../../domain/oauth/model.ts"
import type { OauthClient } from "../../domain/oauth/model.ts"
import type { OauthRefusal } from "../../domain/oauth/refusals.ts"
import { refuse } from "../../domain/oauth/refusals.ts"
import { resourceAt } from "../../domain/oauth/rules.ts"
import { TokenGrants } from "../../domain/oauth/token-grants.ts"
import type { TokenRequest } from "../../domain/oauth/token-grants.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { refusalHeaders } from "../contract/envelope.ts"
import { bodyTooLarge } from "../contract/request-shape.ts"
import { addressOf } from "./client-address.ts"
import { isNotUtf8, isTooIntricate } from "./middleware/utf8.ts"

const answer = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: { "cache-control": "no-store", pragma: "no-cache", ...headers } })

/** RFC 6749 §5.2: 401 for an unknown client, with the challenge of the scheme that it came by (RFC 9110 §15.5.2), 400 for the rest. */
const refused = ({ error, message }: OauthRefusal) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    error === "invalid_client"
      ? answer({ error, error_description: message }, 401, { "www-authenticate": /^basic(?: |$)/i.test(headers["authorization"] ?? "") ? "Basic realm=\"svc\"" : "Bearer" })
      : answer({ error, error_description: message }, 400))

const limited = (failure: RateLimited) =>
  answer({ error: "temporarily_unavailable", error_description: failure.message }, 429, refusalHeaders(failure))

/** The one error of reading a body that a client sees is its limit: a client that went away reads no answer. */
const tooLarge = () => answer({ error: "invalid_request", error_description: bodyTooLarge().message }, 413)

const withRefusals = <R>(answered: Effect.Effect<HttpServerResponse.HttpServerResponse, OauthRefusal | RateLimited | HttpServerError.HttpServerError, R>) =>
  Effect.catchTags(answered, {
    HttpServerError: () => Effect.succeed(tooLarge()),
    oauth_refusal: refused,
    rate_limited: (refusal) => Effect.succeed(limited(refusal))
  })

const textOf = (unreadable: () => OauthRefusal) =>
  HttpServerRequest.HttpServerRequest.pipe(
    Effect.flatMap(({ text }) => text),
    Effect.catchIf((error) => isNotUtf8(error) || isTooIntricate(error), () => Effect.fail(unreadable()))
  )

/** Characters and parameters of a form: each would take time, though nothing is known of its sender. */
const LONGEST = 64 * 1024
const MOST = 100

const unreadable = () => refuse("invalid_request", "Send application/x-www-form-urlencoded, each parameter once, a hundred of them and 64 KB at most.")

/** The form's parameters. A repeated one is refused, one without a value is left out (RFC 6749 §3.2); a token in the query string is ignored. */
const parameters = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "")) return yield* unreadable()
  const text = yield* textOf(unreadable)
  if (text.length > LONGEST || text.split("&", MOST + 1).length > MOST) return yield* unreadable()
  const given = [...new URLSearchParams(text)]
  if (new Set(given.map(([name]) => name)).size !== given.length) return yield* unreadable()
  if (given.some(([, value]) => value.includes("\0"))) return yield* refuse("invalid_request", "A parameter contains a NUL character.")
  return Object.fromEntries(given.filter(([, value]) => value !== "")) as TokenRequest
})

const clientView = ({ client, issuedAt }: { readonly client: OauthClient; readonly issuedAt: number }) => ({
  client_id: client.id,
  client_id_issued_at: Math.floor(issuedAt / 1000),
  client_name: client.name,
  redirect_uris: client.redirectUris,
  grant_types: client.grantTypes,
  response_types: client.grantTypes.includes("authorization_code") ? ["code"] : [],
  token_endpoint_auth_method: "none",
  scope: SCOPE,
  ...(client.clientUri === null ? {} : { client_uri: client.clientUri }),
  ...(client.logoUri === null ? {} : { logo_uri: client.logoUri })
})

const notJson = () => refuse("invalid_client_metadata", "Send the metadata as JSON.")

const Register = HttpRouter.add(
  "POST",
  "/oauth/register",
  withRefusals(Effect.gen(function*() {
    const text = yield* textOf(notJson)
    const metadata = yield* Effect.try({ try: (): unknown => JSON.parse(text), catch: notJson })
    const { at, client } = yield* (yield* OauthClients).register(metadata, yield* addressOf)
    return answer(clientView({ client, issuedAt: at.epochMilliseconds }), 201)
  }))
)

const Token = HttpRouter.add(
  "POST",
  "/oauth/token",
  withRefusals(Effect.gen(function*() {
    const { accessToken, expiresIn, refreshToken, scope } = yield* (yield* TokenGrants).token(yield* parameters)
    return answer({ access_token: accessToken, token_type: "Bearer", expires_in: expiresIn, refresh_token: refreshToken, scope })
  }))
)

const Revoke = HttpRouter.add(
  "POST",
  "/oauth/revoke",
  withRefusals(Effect.gen(function*() {
    yield* (yield* TokenGrants).revoke(yield* parameters)
    // The status says everything (RFC 7009 §2.2), but some clients fail at an answer that is not JSON.
    return answer({})
  }))
)

/** RFC 8628 §3.1, over the same grants as `/v1/auth/device`. */
const StartDevice = HttpRouter.add(
  "POST",
  "/oauth/device_authorization",
  withRefusals(Effect.gen(function*() {
    const { id, name } = yield* (yield* TokenGrants).beginning(yield* parameters)
    const codes = yield* (yield* DeviceGrants).start({ client: name, address: yield* addressOf, clientId: id })
    return answer({
      device_code: codes.deviceCode,
      user_code: codes.userCode,
      verification_uri: codes.verificationUrl,
      verification_uri_complete: codes.verificationUrlComplete,
      expires_in: codes.expiresIn,
      interval: codes.interval
    })
  }))
)

/** RFC 8414. */
const ServerMetadata = HttpRouter.add(
  "GET",
  "/.well-known/oauth-authorization-server",
  Effect.map(Addresses, ({ appUrl, baseUrl }) =>
    HttpServerResponse.jsonUnsafe({
      issuer: baseUrl,
      authorization_endpoint: `${appUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      registration_endpoint: `${baseUrl}/oauth/register`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      device_authorization_endpoint: `${baseUrl}/oauth/device_authorization`,
      scopes_supported: [SCOPE],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: GRANT_TYPES,
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${baseUrl}/docs.md`
    }))
)

/** RFC 9728; clients look at the root, or at the resource's path below it. */
const resourceMetadata = Effect.map(Addresses, ({ baseUrl }) =>
  HttpServerResponse.jsonUnsafe({
    resource: resourceAt(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: "svc"
  }))

export const OauthRoutes = Layer.mergeAll(
  Register,
  Token,
  Revoke,
  StartDevice,
  ServerMetadata,
  HttpRouter.add("GET", "/.well-known/oauth-protected-resource", resourceMetadata),
  HttpRouter.add("GET", "/.well-known/oauth-protected-resource/mcp", resourceMetadata)
)
