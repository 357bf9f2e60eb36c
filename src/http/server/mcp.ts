/**
 * The agents' door (SPEC §4.9, CONTRACT §10). Who may enter is settled before the SDK sees anything of the request:
 * 1. The host is one of ours (the listener answers no other), and a browser comes from one of our own origins.
 * 2. An API token or an access token for this very resource; whoever has none is told where to get one (RFC 9728 §5.1).
 * 3. POST alone: without sessions there is no stream to open and nothing to end.
 * 4. The SDK gets the message without the token, and a way to run tools as this user.
 *
 * The SDK's handler takes a Request and gives a Response, and so do our server's: `@modelcontextprotocol/node`, its adapter
 * for bare Node servers (over Hono's), is left out. It would write the answer past our envelope, log line and figures,
 * read the body to a limit of its own, and compare hosts and origins without their ports.
 */
import { ByteSize, Effect, Option } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { User } from "../../domain/accounts/model.ts"
import { ApiTokens } from "../../domain/api-tokens/api-tokens.ts"
import { AuthRequired, Forbidden, invalid, MethodNotAllowed, UploadTooLarge } from "../../domain/failures.ts"
import { OAuth } from "../../domain/oauth/oauth.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { bearerOf, Caller } from "../contract/authentication.ts"
import { envelope } from "../contract/envelope.ts"
import { MOMENT_MS } from "./middleware/authentication.ts"
import { isNotUtf8 } from "./middleware/utf8.ts"
import type { ToolParts } from "./tools/tools.ts"

const MAX_BODY = 4 * 1024 * 1024

const refused = (status: number, failure: Parameters<typeof envelope>[0], headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe(envelope(failure), { status, headers: { "cache-control": "no-store", ...headers } })

/** Programs send no Origin; a page of anybody else's speaks for itself, not for its reader. */
const comesFrom = (origin: string | undefined, { appUrl, baseUrl }: typeof Addresses.Service) =>
  origin === undefined || origin === new URL(appUrl).origin || origin === new URL(baseUrl).origin

/** An API token, or an access token for this very resource. */
const userOf = Effect.fnUntraced(function*(raw: string) {
  const user = yield* (yield* OAuth).authenticateAccess(raw)
  return Option.isSome(user) ? user : yield* (yield* ApiTokens).authenticate(raw)
})

const strangerRefused = (raw: string | undefined, baseUrl: string) => {
  const challenge = `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`
  return refused(401, new AuthRequired({ message: "Send an API token, or an access token for this address." }), {
    "www-authenticate": raw === undefined ? challenge : `${challenge}, error="invalid_token"`
  })
}

/** The message, whole: the SDK gets no more than may be sent. What is no text it is given as none, and says so as to any JSON it cannot read. */
const message = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = Effect.catchIf(request.text, isNotUtf8, () => Effect.succeed(""))
  // Read here and by the SDK alike.
  return yield* Effect.option(Effect.map(text, (all) => all.replace(/^\uFEFF+/, "")))
}).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(MAX_BODY)))

/** Agents of before 2025-06-18 may send several messages as one. */
const MOST_AT_ONCE = 10

const isTooMany = (body: string): boolean => {
  if (!/^\s*\[/.test(body)) return false
  const messages = Option.liftThrowable((text: string): unknown => JSON.parse(text))(body)
  return Option.isSome(messages) && Array.isArray(messages.value) && messages.value.length > MOST_AT_ONCE
}

const served = Effect.fnUntraced(function*(user: User, body: string, baseUrl: string) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const parts = yield* Effect.context<Exclude<ToolParts, Caller>>()
  const { authorization: _token, cookie: _cookie, ...rest } = headers
  // The SDK is loaded when an agent first comes.
  const { agentHandler } = yield* Effect.promise(() => import("./tools/agent-server.ts"))
  const { fetch } = agentHandler({
    baseUrl,
    run: (call, signal) => Effect.runPromiseWith(parts)(Effect.provideService(call, Caller, { user, via: "token" }), { signal })
  }, MAX_BODY)
  const answer = yield* Effect.promise((signal) =>
    fetch(new Request(`${baseUrl}/mcp`, { method: "POST", headers: rest as Record<string, string>, body, signal }))
  )
  return HttpServerResponse.setHeader(HttpServerResponse.fromWeb(answer), "cache-control", "no-store")
})

export const Mcp = HttpRouter.add(
  "*",
  "/mcp",
  Effect.gen(function*() {
    const { headers, method } = yield* HttpServerRequest.HttpServerRequest
    const addresses = yield* Addresses
    if (!comesFrom(headers["origin"], addresses)) return refused(403, new Forbidden({ message: "Pages of other origins may not ask here." }))
    // The header alone: neither a cookie nor a query string opens it.
    const raw = bearerOf(headers["authorization"])
    const user = raw === undefined ? Option.none<User>() : yield* userOf(raw)
    if (Option.isNone(user)) return strangerRefused(raw, addresses.baseUrl)
    if (method !== "POST") {
      return refused(405, new MethodNotAllowed({ message: "This address takes POST.", details: { allow: ["POST"] } }), { allow: "POST" })
    }
    const since = performance.now()
    const body = yield* message
    // What was revoked while the message came opens nothing.
    if (performance.now() - since > MOMENT_MS && Option.isNone(yield* userOf(raw!))) return strangerRefused(raw, addresses.baseUrl)
    if (Option.isNone(body)) return refused(413, new UploadTooLarge({ message: "The message is larger than 4 MB." }))
    if (isTooMany(body.value)) return refused(422, invalid({ field: "body", message: `Send at most ${MOST_AT_ONCE} messages at once.` }))
    return yield* served(user.value, body.value, addresses.baseUrl)
  })
)
