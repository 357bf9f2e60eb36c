/**
 * Comments on a project's own host, as requests (CONTRACT §9): `/_svc/comments`, `/_svc/comments/{id}`, and what happens
 * to them at `/_svc/comments/events`. JSON in and out, for pages of this host and for programs; every refusal is the
 * envelope. Who may do what is decided in the domain.
 */
import { isUtf8 } from "node:buffer"
import type { IncomingMessage } from "node:http"
import { Cause, Effect, Exit, Option, Predicate, Schema } from "effect"
import { CommentId } from "../../../domain/comments/model.ts"
import { CommentsOnOrigin } from "../../../domain/comments/on-origin.ts"
import type { AtOrigin } from "../../../domain/comments/on-origin.ts"
import { shown, shownThread } from "../../../domain/comments/views.ts"
import { Forbidden, Gone, internalError, invalid, NotFound, unavailable } from "../../../domain/failures.ts"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { makeTurns } from "../../../domain/turns.ts"
import { bearerOf } from "../../contract/authentication.ts"
import { CommentQuery, NewComment, OriginEdit, OriginList, originView, Removal } from "../../contract/comments.ts"
import type { Wire } from "../../contract/envelope.ts"
import { asInvalid, faultsOf } from "../../contract/faults.ts"
import { fromElsewhere } from "../../contract/fetch-metadata.ts"
import { isIntricate, tooIntricate } from "../../contract/json-shape.ts"
import { bodyTooLarge, MAX_BODY_BYTES } from "../../contract/request-shape.ts"
import { ok, PAGE, PageLimit } from "../../contract/wire.ts"
import { receive } from "../body.ts"
import type { Received } from "../body.ts"
import { makeCommentEvents } from "./comment-events.ts"
import type { Exchange } from "../exchange.ts"
import { single } from "../fields.ts"
import { makeOnce } from "./once.ts"
import { hashOf, passIn } from "../pass-cookie.ts"
import { refuseMethod, sendEnvelope, sendJson } from "../refusals.ts"

export interface CommentsOptions {
  /** The client's address, as limits count it. */
  readonly clientOf: (req: IncomingMessage) => string
  /** Whether a failure only means that the database is away. */
  readonly isAway: (cause: Cause.Cause<unknown>) => boolean
}

const PATH = "/_svc/comments"
const EVENTS = `${PATH}/events`
/** As much as the API takes: a comment of emoji, escaped as \uXXXX, is twelve times as long as it reads. */
const BODY = { bytes: MAX_BODY_BYTES, ms: 10_000 }

/** How long a program may take before the reader is asked to try again. */
const PATIENCE_MS = 10_000

/** On every answer: other hosts must not embed it, and it depends on the credentials and the origin. */
const ALWAYS = ["Vary", "Authorization, Cookie, Origin"]

const STATUSES = {
  auth_required: 401,
  forbidden: 403,
  email_not_verified: 403,
  not_found: 404,
  conflict: 409,
  upload_too_large: 413,
  validation_error: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503
} as const

type Failure = Wire<keyof typeof STATUSES>

const isFailure = (error: unknown): error is Failure =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" && Object.hasOwn(STATUSES, error._tag)

const statusOf = (failure: Failure): number => failure instanceof Gone ? 410 : STATUSES[failure._tag]

/** The rest of a body is not read. */
const UNREAD = ["Connection", "close"]

const noSuchPlace = () => new NotFound({ message: "There is nothing at this address." })
const foreign = () => new Forbidden({ message: "Another site’s page sent this. Comments are for pages of this host.", details: { reason: "foreign_origin" } })

const shaped = <A>(schema: Schema.ConstraintDecoder<A>, value: unknown, slot: string, onExcessProperty: "error" | "ignore" = "ignore") =>
  Effect.mapError(Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty })(value), (error) => asInvalid(faultsOf(error, slot)))

const Page = Schema.Struct({ ...CommentQuery, limit: Schema.optionalKey(Schema.NumberFromString.pipe(Schema.decodeTo(PageLimit))) })
const removal = Schema.Struct(Removal)
const list = Schema.encodeEffect(OriginList)
const either = Schema.encodeEffect(originView.either)
const decodeMade = Schema.decodeUnknownSync(Schema.Struct({ id: CommentId }))
const thread = Schema.encodeEffect(originView.comment)

/** The query's parameters; one that is given twice is left out as ambiguous. */
const queryOf = (x: Exchange, names: ReadonlyArray<string>) => {
  const given = new URLSearchParams(x.address!.query)
  return Object.fromEntries(names.flatMap((name) => {
    const value = single(given, name)
    return value === undefined ? [] : [[name, value]]
  }))
}

/** Lists that are read at once, and of one project: anybody may ask for a public one's. */
const READS = 8
const EACH = 3

export const makeComments = Effect.fnUntraced(function*({ clientOf, isAway }: CommentsOptions) {
  const origin = yield* CommentsOnOrigin
  const { projectUrl } = yield* Addresses
  const once = yield* makeOnce
  const context = yield* Effect.context<never>()
  const run = Effect.runCallbackWith(context)
  const fork = Effect.runForkWith(context)

  const refuse = (x: Exchange, failure: Failure, more: ReadonlyArray<string> = []): void =>
    sendEnvelope(x, statusOf(failure), failure, "comments", [...ALWAYS, ...more])

  const broke = (x: Exchange, cause: Cause.Cause<unknown>): void => {
    if (isAway(cause)) return refuse(x, unavailable())
    void fork(Effect.logError("Comments on a hosted page failed", cause).pipe(Effect.annotateLogs({ requestId: x.id })))
    refuse(x, internalError(x.id))
  }

  const failed = (x: Exchange, cause: Cause.Cause<unknown>): void => {
    const error = Option.getOrUndefined(Cause.findErrorOption(cause))
    if (Cause.isTimeoutError(error) || Cause.hasInterruptsOnly(cause)) return refuse(x, unavailable())
    return isFailure(error) ? refuse(x, error) : broke(x, cause)
  }

  const answer = <A, E>(x: Exchange, program: Effect.Effect<A, E>, send: (answered: A) => void): void =>
    void run(Effect.timeout(program, PATIENCE_MS), {
      onExit: (exit) => Exit.isSuccess(exit) ? send(exit.value) : failed(x, exit.cause)
    })

  const answerJson = <E>(x: Exchange, program: Effect.Effect<unknown, E>): void =>
    answer(x, program, (value) => sendJson(x, 200, value, "comments", ALWAYS))

  const events = makeCommentEvents({ follow: origin.follow, run, failed, refuse, clientOf })

  const atOf = (x: Exchange): AtOrigin => {
    const { authorization, cookie } = x.req.headers
    return { slug: x.slug, pass: hashOf(passIn(cookie)), token: authorization === undefined ? undefined : bearerOf(authorization) ?? "" }
  }

  /** The body as JSON; nothing is decided before all of it is here. */
  const withBody = (x: Exchange, use: (body: Effect.Effect<unknown, Failure>, received: Buffer) => void): void => {
    const type = (x.req.headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase()
    if (type !== "application/json") return refuse(x, invalid({ field: "Content-Type", message: "Send the body as application/json." }))
    receive(x.req, BODY, (received: Received) => {
      if (received === "gone") return x.ended(499, 0, "comments")
      if (received === "too-large") return refuse(x, bodyTooLarge(), UNREAD)
      if (received === "too-slow") return sendEnvelope(x, 408, invalid({ field: "body", message: "That took too long to arrive. Try again." }), "comments", UNREAD)
      // Decoded all the same, what was meant would be silently lost.
      if (!isUtf8(received)) return refuse(x, invalid({ field: "body", message: "Send the body in UTF-8." }))
      if (isIntricate(received)) return refuse(x, tooIntricate())
      use(Effect.try({
        try: (): unknown => JSON.parse(received.toString("utf8")),
        catch: () => invalid({ field: "body", message: "Send valid JSON." })
      }), received)
    })
  }

  /** Each takes a while to be read and written, and holds all of it. */
  const reading = makeTurns(READS, EACH)
  const read = (x: Exchange): void => {
    const query = shaped(Page, queryOf(x, ["status", "cursor", "limit"]), "query")
    answerJson(x, Effect.flatMap(query, ({ cursor, limit = PAGE, status = "all" }) =>
      reading.inTurn({ of: x.slug, awaited: true }, Effect.flatMap(origin.list(atOf(x), { status, after: cursor, limit }), (page) =>
        list({ ...page, comments: page.comments.map(shownThread) })))))
  }

  const post = (x: Exchange): void =>
    withBody(x, (body, received) => {
      const at = atOf(x)
      const run = Effect.flatMap(body, (json) => shaped(NewComment, json, "body")).pipe(
        Effect.flatMap(({ anchor, body, parent_id: parentId, version }) => origin.post(at, { anchor, body, parentId, version })),
        Effect.flatMap((made) => either(shown(made)))
      )
      const again = (made: Schema.Json) => Effect.flatMap(origin.stands(at, decodeMade(made).id), (comment) => either(shown(comment)))
      answer(x, once(x, received, { sender: origin.sender(at), run, again }), ({ replayed, value }) =>
        sendJson(x, 201, value, "comments", [...ALWAYS, ...(replayed ? ["Idempotent-Replayed", "true"] : [])]))
    })

  const edit = (x: Exchange, id: CommentId): void =>
    withBody(x, (body) =>
      answerJson(x, Effect.flatMap(body, (json) => shaped(OriginEdit, json, "body", "error")).pipe(
        Effect.flatMap(({ body, status }) =>
          status === undefined
            ? Effect.flatMap(origin.edit(atOf(x), id, body!), (written) => either(shown(written)))
            : Effect.flatMap(origin.setStatus(atOf(x), id, status), (changed) => thread(shownThread(changed))))
      )))

  const remove = (x: Exchange, id: CommentId): void =>
    answerJson(x, shaped(removal, queryOf(x, ["author_only"]), "query").pipe(
      Effect.flatMap((query) => origin.remove(atOf(x), id, query.author_only ?? false)),
      Effect.as(ok)
    ))

  const byForeignPage = (x: Exchange): boolean => {
    const given = x.req.headers.origin
    return fromElsewhere(x.req.headers) || (given !== undefined && given !== projectUrl(x.slug))
  }

  /** False where the path is not one of these. */
  const listener = (x: Exchange): boolean => {
    const { path } = x.address!
    if (path !== PATH && !path.startsWith(`${PATH}/`)) return false
    const method = x.isHead ? "GET" : x.req.method
    const id = path.slice(PATH.length + 1).toLowerCase()
    if (byForeignPage(x)) refuse(x, foreign())
    else if (path === PATH && method === "GET") read(x)
    else if (path === PATH && method === "POST") post(x)
    else if (path === PATH) refuseMethod(x, "GET, POST", true)
    else if (path === EVENTS && x.req.method === "GET") events.open(x, atOf(x))
    else if (path === EVENTS) refuseMethod(x, "GET", true)
    else if (!Schema.is(CommentId)(id)) refuse(x, noSuchPlace())
    else if (method === "PATCH") edit(x, id)
    else if (method === "DELETE") remove(x, id)
    else refuseMethod(x, "PATCH, DELETE", true)
    return true
  }

  return { listener, hangUp: events.hangUp }
})
