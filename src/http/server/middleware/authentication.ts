/** Who is calling: the bearer when there is an `Authorization` header, else the session with its CSRF token. */
import { timingSafeEqual } from "node:crypto"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { User } from "../../../domain/accounts/model.ts"
import { ApiTokens } from "../../../domain/api-tokens/api-tokens.ts"
import { AuthRequired, Forbidden } from "../../../domain/failures.ts"
import { orFail } from "../../../domain/found.ts"
import { Addresses } from "../../../domain/ports/addresses.ts"
import { OnBehalfOf, SignedOutMeanwhile, StillSignedIn } from "../../../domain/ports/atomically.ts"
import { Sessions } from "../../../domain/sessions/sessions.ts"
import { WorkspaceId } from "../../../domain/workspaces/model.ts"
import { Workspaces } from "../../../domain/workspaces/workspaces.ts"
import { ACCOUNT_HEADER, AdminWorkspace, Authenticated, Caller, CSRF_COOKIE, CSRF_HEADER, SessionOnly, SignsIn, WorkspaceAdmin } from "../../contract/authentication.ts"
import { byReader, fromElsewhere, fromForeignPage, isWebKit, opensPage } from "../../contract/fetch-metadata.ts"
import { idOf } from "../../contract/wire.ts"
import { followed } from "./unfollowed.ts"

/** Missing, bad, revoked, expired: one refusal. */
const refused = () => new AuthRequired({ message: "Sign in, or send a valid API token." })

/** The same code where no token helps, and the message says so. */
const sessionWanted = () => new AuthRequired({ message: "Sign in with a browser first. An API token does not open this." })

const csrfRefused = () =>
  new Forbidden({ message: "The X-CSRF-Token header does not match. Reload the page and try again.", details: { reason: "csrf" } })

const foreignRefused = () => new Forbidden({ message: "A page of another site cannot sign anybody in. Open the link, or the sign-in page, by itself.", details: { reason: "foreign_origin" } })

const anotherRefused = () =>
  new Forbidden({ message: "The X-Account-Id header names another account than the one that is signed in. Nothing was done.", details: { reason: "another_account" } })

const SAFE = new Set(["GET", "HEAD", "OPTIONS"])

const matches = (sent: string | undefined, held: string | undefined): boolean => {
  if (sent === undefined || held === undefined || held === "") return false
  const [a, b] = [Buffer.from(sent), Buffer.from(held)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A session's request may change something only with the CSRF token, which only our own pages know. */
export const csrfConfirmed = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.suspend(() => matches(request.headers[CSRF_HEADER], request.cookies[CSRF_COOKIE]) ? Effect.void : csrfRefused())

/** A link that a reader follows in the app, where that has an origin of its own: its downloads are such links. */
const fromAppApart = ({ headers }: HttpServerRequest.HttpServerRequest, { appUrl, baseUrl }: typeof Addresses.Service): boolean =>
  appUrl !== baseUrl && opensPage(headers) && (byReader(headers) || isWebKit(headers["user-agent"] ?? ""))

/** Whether a page of another origin asks without CORS: it cannot read the answer, but sees whether there is one (prefetch, object). */
const isLookedAt = (request: HttpServerRequest.HttpServerRequest, addresses: typeof Addresses.Service): boolean =>
  SAFE.has(request.method) && request.headers["origin"] === undefined && fromElsewhere(request.headers) && !fromAppApart(request, addresses)

interface Signed {
  readonly sessions: typeof Sessions.Service
  readonly addresses: typeof Addresses.Service
}

/** Any `Authorization` header rules the session out, so a junk one never lets a cookie skip CSRF. */
const ofSession = Effect.fnUntraced(function*({ addresses, sessions }: Signed, cookie: string, refusal: () => AuthRequired = refused) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (request.headers["authorization"] !== undefined || cookie === "" || isLookedAt(request, addresses)) return yield* refusal()
  const session = yield* sessions.current(cookie).pipe(orFail(refusal))
  if (!SAFE.has(request.method)) yield* csrfConfirmed(request)
  const meant = request.headers[ACCOUNT_HEADER]
  if (meant !== undefined && meant !== session.user.id) return yield* anotherRefused()
  return { ...session, via: "session" as const }
})

export const ofBearer = Effect.fnUntraced(function*(tokens: typeof ApiTokens.Service, raw: string) {
  if (raw === "") return yield* refused()
  return { user: yield* tokens.authenticate(raw).pipe(orFail(refused)), via: "token" as const }
})

/** A request that arrives within this time is not authenticated a second time. */
export const MOMENT_MS = 250

/** Where the request takes longer to arrive, its credential is checked again before anything changes. */
export const checkedAgain = (again: Effect.Effect<Option.Option<User>>, refusal: () => AuthRequired = refused): Effect.Effect<void> => {
  const since = performance.now()
  return Effect.suspend(() =>
    performance.now() - since < MOMENT_MS ? Effect.void : Effect.flatMap(again, (user) => Option.isSome(user) ? Effect.void : Effect.die(new SignedOutMeanwhile(refusal())))
  )
}

interface Asked<E, R> {
  readonly next: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  readonly endpoint: HttpApiEndpoint.Top
}

/** Runs as this caller, for as long as the credential is good. */
const as = Effect.fnUntraced(function*<E, R>(
  { endpoint, next }: Asked<E, R>,
  caller: Caller["Service"],
  again: Effect.Effect<Option.Option<User>>,
  refusal: () => AuthRequired = refused
) {
  const asCaller = Effect.provideService(next, Caller, caller)
  if (SAFE.has((yield* HttpServerRequest.HttpServerRequest).method)) return yield* asCaller
  return yield* (endpoint.middlewares.has(WorkspaceAdmin) ? asCaller : followed(asCaller, endpoint)).pipe(
    Effect.provideService(OnBehalfOf, caller.user.id),
    Effect.provideService(StillSignedIn, checkedAgain(again, refusal)),
    Effect.catchDefect((defect): Effect.Effect<never, AuthRequired> => defect instanceof SignedOutMeanwhile ? Effect.fail(defect.refusal) : Effect.die(defect))
  )
})

export const AuthenticatedChecked = Layer.effect(
  Authenticated,
  Effect.gen(function*() {
    const sessions = yield* Sessions
    const tokens = yield* ApiTokens
    const addresses = yield* Addresses
    return Authenticated.of({
      bearer: (next, { credential, endpoint }) =>
        Effect.flatMap(ofBearer(tokens, Redacted.value(credential)), (caller) => as({ endpoint, next }, caller, tokens.authenticate(Redacted.value(credential)))),
      session: (next, { credential, endpoint }) =>
        Effect.flatMap(ofSession({ addresses, sessions }, Redacted.value(credential)), (caller) => as({ endpoint, next }, caller, sessions.authenticate(Redacted.value(credential))))
    })
  })
)

export const SessionOnlyChecked = Layer.effect(
  SessionOnly,
  Effect.gen(function*() {
    const sessions = yield* Sessions
    const addresses = yield* Addresses
    return SessionOnly.of({
      session: (next, { credential, endpoint }) =>
        Effect.flatMap(ofSession({ addresses, sessions }, Redacted.value(credential), sessionWanted), (caller) =>
          as({ endpoint, next }, caller, sessions.authenticate(Redacted.value(credential)), sessionWanted))
    })
  })
)

export const SignsInChecked = Layer.effect(
  SignsIn,
  Addresses.useSync(({ appUrl, baseUrl }) => {
    const own = [appUrl, baseUrl].map((url) => new URL(url).origin)
    return SignsIn.of(Effect.fnUntraced(function*(next) {
      if (fromForeignPage((yield* HttpServerRequest.HttpServerRequest).headers, own)) return yield* foreignRefused()
      return yield* next
    }))
  })
)

const workspaceId = Schema.decodeUnknownOption(idOf(WorkspaceId))

/** A malformed id selects nothing here: the endpoint's own schema refuses it, together with all other faults. */
export const WorkspaceAdminChecked = Layer.effect(
  WorkspaceAdmin,
  Workspaces.useSync((workspaces) =>
    WorkspaceAdmin.of((next, { endpoint }) =>
      Effect.all([Caller, HttpServerRequest.ParsedSearchParams]).pipe(
        Effect.flatMap(([{ user }, query]) => workspaces.administer(user, Option.getOrUndefined(workspaceId(query["workspace"])))),
        Effect.flatMap((admin) => Effect.provideService(followed(next, endpoint), AdminWorkspace, admin))
      )
    )
  )
)
