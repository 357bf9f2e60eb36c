/**
 * The administrators' endpoint (CONTRACT §10). The caller is authenticated by the request's `Authorization` header alone, before
 * any message in it is read and again once all of it is there; each message then refers to the verdict by a name that nobody
 * can guess. So a refusal is an HTTP status, and a typed failure for those who call procedures.
 */
import { randomUUID } from "node:crypto"
import { ByteSize, Cause, Effect, Layer, Option, Schema } from "effect"
import { Headers, HttpIncomingMessage, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import type { User } from "../../domain/accounts/model.ts"
import type { PlatformAdmin } from "../../domain/administration/model.ts"
import { PlatformAdmins } from "../../domain/administration/platform-admins.ts"
import { ApiTokens } from "../../domain/api-tokens/api-tokens.ts"
import { AuthRequired, invalid, unavailable } from "../../domain/failures.ts"
import type { Forbidden, Unavailable } from "../../domain/failures.ts"
import { StillSignedIn } from "../../domain/ports/atomically.ts"
import { Outages } from "../../domain/ports/outages.ts"
import { bearerOf } from "../contract/authentication.ts"
import { refusalHeaders } from "../contract/envelope.ts"
import { Administration, Administrator, AdministratorsOnly, RPC_PATH } from "../contract/rpc.ts"
import { refusalAnswer, wrongMethod } from "./answers.ts"
import { AdministrationHandlers } from "./handlers/administration.ts"

type Refusal = AuthRequired | Forbidden | Unavailable

/** An administrator who was let in, with a check to repeat as a transaction begins and while the answer is streamed. */
interface Let {
  readonly user: PlatformAdmin
  readonly still: Effect.Effect<void, Refusal>
}

type Verdict = Let | Refusal

/** A refusal answers each message by its id: how much is read, for those ids, from somebody who is refused. */
const REFUSED_BODY = ByteSize.fromInputUnsafe(16 * 1024)

/** The header that names the verdict; what a client sends under this name is overwritten. */
const VERDICT = "svc-verdict"

const stranger = () => new AuthRequired({ message: "Send an API token of a platform administrator." })

const isRefusal = (verdict: Verdict): verdict is Refusal => "_tag" in verdict

const STATUSES = { auth_required: 401, forbidden: 403, unavailable: 503 } as const

/** A database that is away is a 503, not a refusal; any other defect stays one. */
const unlessAway = ({ outageIn }: typeof Outages.Service) => (defect: unknown) =>
  outageIn(Cause.die(defect)) !== undefined ? Effect.fail(unavailable()) : Effect.die(defect)

interface Judges {
  readonly admins: typeof PlatformAdmins.Service
  readonly outages: typeof Outages.Service
  readonly tokens: typeof ApiTokens.Service
}

const judge = Effect.fnUntraced(function*({ admins, outages, tokens }: Judges, header: string | undefined) {
  const raw = bearerOf(header)
  const user = raw === undefined ? Option.none<User>() : yield* Effect.catchDefect(tokens.authenticate(raw), unlessAway(outages))
  if (Option.isNone(user)) return yield* stranger()
  return yield* admins.admit(user.value)
})

/** The verdicts of requests that are being answered. */
const verdicts = new Map<string, Verdict>()

const JudgedBefore = Layer.succeed(AdministratorsOnly, AdministratorsOnly.of((effect, { headers, rpc }) => {
  const verdict = verdicts.get(headers[VERDICT] ?? "") ?? stranger()
  if (isRefusal(verdict)) return verdict
  // Calls that only read are logged too.
  const called = Effect.logInfo("administration called").pipe(Effect.annotateLogs({ administrator: verdict.user.id, operation: rpc._tag }))
  return Effect.andThen(called, effect).pipe(Effect.provideService(Administrator, verdict), Effect.provideService(StillSignedIn, Effect.orDie(verdict.still)))
}))

const methodRefused = refusalAnswer(405, wrongMethod(["POST"]))

const isEmpty = ({ body }: HttpServerResponse.HttpServerResponse): boolean => body._tag === "Empty" || (body._tag === "Uint8Array" && body.contentLength === 0)

/** A refused request without a message has no message to answer, so the refusal goes into the usual envelope. */
const finished = (response: HttpServerResponse.HttpServerResponse, verdict: Verdict) => {
  const kept = HttpServerResponse.setHeader(response, "cache-control", "no-store")
  if (!isRefusal(verdict)) return kept
  const status = STATUSES[verdict._tag]
  return isEmpty(kept)
    ? refusalAnswer(status, verdict)
    : HttpServerResponse.setHeaders(HttpServerResponse.setStatus(kept, status), refusalHeaders(verdict))
}

const MessageId = Schema.Union([Schema.String, Schema.Finite])

/** `Eof` is none: the body ends where it ends, and the protocol does not take a second end. */
const Message = Schema.Union([
  Schema.Struct({ _tag: Schema.Literal("Request"), id: MessageId, tag: Schema.String, headers: Schema.Array(Schema.Tuple([Schema.String, Schema.String])) }),
  Schema.Struct({ _tag: Schema.Literals(["Ack", "Interrupt"]), requestId: MessageId }),
  Schema.Struct({ _tag: Schema.Literal("Ping") })
])

const isMessage = Schema.is(Message)

/** Calls of one request: all of them run at once. */
const MOST = 200

const messagesIn = Option.liftThrowable((body: string) => RpcSerialization.ndjson.makeUnsafe().decode(body))

/** Where two requests have one id, the protocol ends without an answer. */
const haveOwnIds = (messages: ReadonlyArray<typeof Message.Type>): boolean => {
  const ids = messages.flatMap((one) => one._tag === "Request" ? [one.id] : [])
  return new Set(ids).size === ids.length
}

const areReadable = (messages: ReadonlyArray<unknown>): boolean =>
  messages.length > 0 && messages.length <= MOST && messages.every(isMessage) && haveOwnIds(messages)

/** Few enough to be run together. The protocol would wait for the rest of a line, answer nothing to nothing, and repeat what went wrong inside it to whoever sent anything else. */
const isReadable = (body: string): boolean => body.endsWith("\n") && Option.exists(messagesIn(body), areReadable)

const unreadable = refusalAnswer(422, invalid({ field: "body", message: "Send the protocol’s messages as JSON, 200 at most, each on a line of its own that ends with a line break, and each request with an id of its own." }))

/** A longer body yields no message ids: its refusal goes into the envelope. */
const refusing = <R>(answered: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>) =>
  Effect.provideService(answered, HttpIncomingMessage.MaxBodySize, REFUSED_BODY).pipe(
    Effect.catchDefect((defect) => HttpServerError.isHttpServerError(defect) ? Effect.succeed(HttpServerResponse.empty()) : Effect.die(defect))
  )

export const Rpc = Layer.unwrap(Effect.gen(function*() {
  const judges = { admins: yield* PlatformAdmins, outages: yield* Outages, tokens: yield* ApiTokens }
  // The answers to a request's messages are read once all are there: with a bounded queue, writer and reader would wait for each other.
  const answer = yield* RpcServer.toHttpEffect(Administration, { streamBufferSize: "unbounded" })
  return HttpRouter.add("*", RPC_PATH, Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.method !== "POST") return methodRefused
    const judged = judge(judges, request.headers["authorization"])
    const judging = Effect.match(judged, { onFailure: (refusal): Verdict => refusal, onSuccess: (user) => ({ user, still: Effect.asVoid(judged) }) })
    const name = randomUUID()
    const { authorization: _token, cookie: _cookie, ...rest } = request.headers
    const known = request.modify({ headers: Headers.set(Headers.fromInput(rest), VERDICT, name) })
    const first = yield* judging
    // A token that was revoked while the messages arrived gives no access.
    const verdict = isRefusal(first) ? first : yield* Effect.andThen(Effect.orDie(known.text), judging)
    yield* Effect.acquireRelease(Effect.sync(() => verdicts.set(name, verdict)), () => Effect.sync(() => verdicts.delete(name)))
    const answered = Effect.flatMap(Effect.orDie(known.text), (body) =>
      isReadable(body)
        ? Effect.provideService(answer, HttpServerRequest.HttpServerRequest, known)
        : Effect.succeed(isRefusal(verdict) ? HttpServerResponse.empty() : unreadable))
    const response = yield* isRefusal(verdict) ? refusing(answered) : answered
    return finished(response, verdict)
  }))
})).pipe(Layer.provide([AdministrationHandlers, JudgedBefore, RpcSerialization.layerNdjson]))
