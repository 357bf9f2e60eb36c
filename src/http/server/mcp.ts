/**
 * The MCP endpoint for agents (SPEC §4.9, CONTRACT §10). Access is decided before the SDK sees the request:
 * 1. The host is one of ours (the listener answers no other), and a browser's Origin is one of ours.
 * 2. The request carries an API token, or an access token for this resource; otherwise it is told where to get one (RFC 9728 §5.1).
 * 3. POST only: without sessions there is no stream to open and nothing to end.
 * 4. The SDK gets the message without the token, and a function that runs tools as this user.
 *
 * The SDK's handler maps a Request to a Response, as our server does, so its adapter for bare Node servers (over Hono's),
 * `@modelcontextprotocol/node`, is not used. It would bypass our envelope, log line and metrics, read the body up to a limit
 * of its own, and compare hosts and origins without their ports.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { ByteSize, Context, Effect, Option, Predicate, Result } from "effect"
import type { Duration } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { User } from "../../domain/accounts/model.ts"
import { ApiTokens } from "../../domain/api-tokens/api-tokens.ts"
import { AuthRequired, Forbidden, invalid, UploadTooLarge } from "../../domain/failures.ts"
import { SCOPE } from "../../domain/oauth/model.ts"
import { OAuth } from "../../domain/oauth/oauth.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { OnBehalfOf, StillSignedIn } from "../../domain/ports/atomically.ts"
import { makeTurns } from "../../domain/turns.ts"
import { bearerOf, Caller } from "../contract/authentication.ts"
import { tooIntricate } from "../contract/json-shape.ts"
import { acceptsAny } from "../contract/negotiation.ts"
import { refusalAnswer, wrongMethod } from "./answers.ts"
import { cutOffSlowBody } from "./malformed.ts"
import { checkedAgain, MOMENT_MS } from "./middleware/authentication.ts"
import { isNotUtf8, isTooIntricate } from "./middleware/utf8.ts"
import type { ToolParts } from "./tools/tools.ts"

const MAX_BODY = 4 * 1024 * 1024

/** A message of this length is read as text, parsed, and written anew: several times its length in memory, so only so many at once, two of a person. */
const LONG = 256 * 1024
const longOnes = makeTurns(16, 2)

const isLong = ({ "content-length": length, "transfer-encoding": coding }: Readonly<Record<string, string | undefined>>): boolean =>
  coding !== undefined || Number(length) > LONG

/** How long such a one may take to arrive: at 64 KB a second the longest does. A slower sender would keep its turn from others for hours. */
export const Arrival = Context.Reference<Duration.Input>("svc/http/server/mcp/Arrival", { defaultValue: () => "1 minute" })

/** Programs send no Origin; a page of a foreign origin acts for itself, not for its reader. */
const comesFrom = (origin: string | undefined, { appUrl, baseUrl }: typeof Addresses.Service) =>
  origin === undefined || origin === new URL(appUrl).origin || origin === new URL(baseUrl).origin

/** The user of an API token, or of an access token for this resource. */
const userOf = Effect.fnUntraced(function*(raw: string) {
  const user = yield* (yield* OAuth).authenticateAccess(raw)
  return Option.isSome(user) ? user : yield* (yield* ApiTokens).authenticate(raw)
})

const strangerRefused = (raw: string | undefined, baseUrl: string) => {
  const challenge = `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource", scope="${SCOPE}"`
  return refusalAnswer(401, new AuthRequired({ message: "Send an API token, or an access token for this address." }), {
    "www-authenticate": raw === undefined ? challenge : `${challenge}, error="invalid_token"`
  })
}

const tooLarge = () => new UploadTooLarge({ message: "The message is larger than 4 MB. Send a large file in pieces: begin_upload, append_upload, finish_upload." })

/** The whole message, within its limits. A body that is not UTF-8 becomes "", which the SDK refuses like any invalid JSON. */
const message = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = Effect.catchIf(request.text, isNotUtf8, () => Effect.succeed(""))
  // Without byte order marks the message reads the same here and in the SDK.
  return yield* Effect.map(text, (all) => all.replace(/^\uFEFF+/, "")).pipe(
    Effect.mapError((error) => isTooIntricate(error) ? tooIntricate() : tooLarge()),
    Effect.result
  )
}).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(MAX_BODY)))

/** A long one, in its turn. */
const longMessage = Effect.gen(function*() {
  const { socket } = NodeHttpServerRequest.toIncomingMessage(yield* HttpServerRequest.HttpServerRequest)
  const late = Effect.andThen(Effect.sleep(yield* Arrival), Effect.sync(() => cutOffSlowBody(socket)))
  return yield* Effect.raceFirst(message, Effect.andThen(late, Effect.never))
})

/** Clients of earlier revisions may batch messages, and so may one that names none. */
const BATCHES_UNTIL = "2025-06-18"
const MOST_AT_ONCE = 10

/** The messages of a batch; undefined where the body is none. */
const batchOf = (body: string): ReadonlyArray<unknown> | undefined => {
  if (!/^\s*\[/.test(body)) return undefined
  const messages = Option.liftThrowable((text: string): unknown => JSON.parse(text))(body)
  return Option.isSome(messages) && Array.isArray(messages.value) ? messages.value : undefined
}

/** Of two requests with one id both would run, and one be answered. */
const repeatsIds = (batch: ReadonlyArray<unknown>): boolean => {
  const ids = batch.flatMap((one) => Predicate.isObject(one) && "method" in one && "id" in one ? [one["id"]] : [])
  return new Set(ids).size < ids.length
}

/** Where the SDK takes a value or none, but no null. */
const OPTIONAL = ["arguments", "cursor", "_meta"]

/** Answers whether something was dropped. */
const dropNull = (of: Record<PropertyKey, unknown>, key: string): boolean => of[key] === null && delete of[key]

const dropNulls = (message: unknown): boolean => {
  if (!Predicate.isObject(message)) return false
  const { params } = message
  return Predicate.isObject(params) ? OPTIONAL.filter((key) => dropNull(params, key)).length > 0 : dropNull(message, "params")
}

const rewritten = Option.liftThrowable((body: string) => {
  const sent: unknown = JSON.parse(body)
  return [sent].flat().filter(dropNulls).length > 0 ? JSON.stringify(sent) : body
})

/** Absent and null mean the same (CONTRACT §1). */
const withoutNull = (body: string): string => body.includes("null") ? Option.getOrElse(rewritten(body), () => body) : body

const batchRefused = (message: string) =>
  HttpServerResponse.jsonUnsafe(
    { jsonrpc: "2.0", id: null, error: { code: -32600, message } },
    { status: 400, headers: { "cache-control": "no-store" } }
  )

/** The SDK answers only those who name both. */
const BOTH = "application/json, text/event-stream"

interface Message {
  readonly user: User
  readonly still: Effect.Effect<void>
  readonly body: string
}

const served = Effect.fnUntraced(function*({ body, still, user }: Message, baseUrl: string) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const parts = yield* Effect.context<Exclude<ToolParts, Caller>>()
  const { authorization: _token, cookie: _cookie, ...rest } = headers
  const given = acceptsAny(headers["accept"]) ? { ...rest, accept: BOTH } : rest
  // The SDK is loaded with the first agent's request.
  const { agentHandler } = yield* Effect.promise(() => import("./tools/agent-server.ts"))
  const asUser = Effect.provideContext(Context.make(Caller, { user, via: "token" }).pipe(Context.add(OnBehalfOf, user.id), Context.add(StillSignedIn, still)))
  const { fetch } = agentHandler({ baseUrl, run: (call, signal) => Effect.runPromiseWith(parts)(asUser(call), { signal }) }, MAX_BODY)
  const answer = yield* Effect.promise((signal) =>
    fetch(new Request(`${baseUrl}/mcp`, { method: "POST", headers: given as Record<string, string>, body, signal }))
  )
  return HttpServerResponse.setHeader(HttpServerResponse.fromWeb(answer), "cache-control", "no-store")
})

export const Mcp = HttpRouter.add(
  "*",
  "/mcp",
  Effect.gen(function*() {
    const { headers, method } = yield* HttpServerRequest.HttpServerRequest
    const addresses = yield* Addresses
    if (!comesFrom(headers["origin"], addresses)) return refusalAnswer(403, new Forbidden({ message: "Pages of other origins may not ask here." }))
    // Only the header counts: neither a cookie nor a query parameter gives access.
    const raw = bearerOf(headers["authorization"])
    const user = raw === undefined ? Option.none<User>() : yield* userOf(raw)
    if (raw === undefined || Option.isNone(user)) return strangerRefused(raw, addresses.baseUrl)
    if (method !== "POST") return refusalAnswer(405, wrongMethod(["POST"]))
    const long = isLong(headers)
    if (long) yield* longOnes.turn({ of: user.value.id, awaited: true })
    const again = Effect.provideContext(userOf(raw), yield* Effect.context<OAuth | ApiTokens>())
    const still = checkedAgain(again)
    const since = performance.now()
    const body = yield* long ? longMessage : message
    // A token that was revoked while the message arrived gives no access.
    if (performance.now() - since > MOMENT_MS && Option.isNone(yield* again)) return strangerRefused(raw, addresses.baseUrl)
    if (Result.isFailure(body)) return refusalAnswer(body.failure._tag === "upload_too_large" ? 413 : 422, body.failure)
    const batch = batchOf(body.success)
    if (batch !== undefined && (headers["mcp-protocol-version"] ?? "") >= BATCHES_UNTIL) return batchRefused(`From revision ${BATCHES_UNTIL} on, send each message by itself.`)
    if (batch !== undefined && batch.length > MOST_AT_ONCE) return refusalAnswer(422, invalid({ field: "body", message: `Send at most ${MOST_AT_ONCE} messages at once.` }))
    if (batch !== undefined && repeatsIds(batch)) return batchRefused("Give each request of a batch an id of its own.")
    return yield* served({ user: user.value, still, body: withoutNull(body.success) }, addresses.baseUrl)
  })
)
