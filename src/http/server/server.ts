/**
 * The one listener. By `Host`, a request goes to the hosted pages (a plain listener, see http/edge) or to the API;
 * a host that is neither is answered 404. Routes are built before the port opens, and closing waits for what is in flight.
 */
import { createServer } from "node:http"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Context, Effect, Layer, References, Scope } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Invalid, invalid, NotFound } from "../../domain/failures.ts"
import { Addresses } from "../../domain/ports/addresses.ts"
import { Outages } from "../../domain/ports/outages.ts"
import { Sessions } from "../../domain/sessions/sessions.ts"
import { Api } from "../contract/api.ts"
import { envelope } from "../contract/envelope.ts"
import { LABEL } from "../contract/labels.ts"
import { MAX_BODY_BYTES } from "../contract/request-shape.ts"
import { makeAdmission } from "./admission.ts"
import { AgentCard } from "./agent-card.ts"
import { AppAssets, withApp } from "./app.ts"
import type { AppPlace } from "./app.ts"
import { lightly, withServices } from "./carried.ts"
import { CommentGate } from "./comment-gate.ts"
import { CommentMutePage } from "./comment-mute.ts"
import { compressed } from "./compressed.ts"
import { keepNames } from "./cookie-names.ts"
import type { Cors } from "./cors.ts"
import { makeFairShare } from "./fair-share.ts"
import { guarded } from "./guarded.ts"
import { Handlers } from "./handlers/handlers.ts"
import { finish, listen, sparingAnswers } from "./listening.ts"
import { MailboxRoutes } from "./mailbox.ts"
import { cutOffSlowBody, malformed, tooLong } from "./malformed.ts"
import { Mcp } from "./mcp.ts"
import { MemberGate } from "./member-gate.ts"
import { countRequest } from "./metrics.ts"
import { AuthenticatedChecked, SessionOnlyChecked, SignsInChecked, WorkspaceAdminChecked } from "./middleware/authentication.ts"
import { enveloped } from "./middleware/envelope.ts"
import { IdempotentChecked } from "./middleware/idempotency.ts"
import { ViewerOriginChecked } from "./middleware/viewer-origin.ts"
import { RequestShapeChecked } from "./middleware/request-shape.ts"
import { SpeltChecked } from "./middleware/spelling.ts"
import { namedHost, namesNoHost, withoutDot } from "./named-host.ts"
import { OauthRoutes } from "./oauth.ts"
import { ASKED, asksInstance, Operation } from "./operation.ts"
import { Pages } from "./pages.ts"
import { Reference } from "./reference.ts"
import { RequestId, requestIdOf } from "./request-id.ts"
import { keepPath, pathOf } from "./request-path.ts"
import { routeOf } from "./routes.ts"
import { Rpc } from "./rpc.ts"
import { SecurityTxt } from "./security-txt.ts"
import { dismissSilent } from "./silent-peers.ts"
import { watchBodies } from "./slow-bodies.ts"

export interface ServerOptions {
  readonly host: string
  readonly port: number
  /** Hosts of the API and the app, lower case, without ports. */
  readonly apiHosts: ReadonlySet<string>
  /** Lower case, without a port. */
  readonly contentHost: string
  readonly cors: Cors
  /** Whose requests a request counts among; undefined where it cannot be told. */
  readonly oneClient: (request: IncomingMessage) => string | undefined
  readonly app: AppPlace
  readonly mailbox: { readonly open: boolean } | undefined
  /** Where weaknesses are reported. */
  readonly securityContact: string | undefined
  /** How long a shutdown goes on taking requests while `/readyz` says that it stops. */
  readonly drainMs: number
  /** How long it then waits for requests in flight. */
  readonly finishMs: number
  /** Called when a shutdown begins, to end answers that would go on for ever. */
  readonly onClosing?: () => void
}

export type PlainListener = (request: IncomingMessage, response: ServerResponse, slug: string) => void

const routes = ({ mailbox, securityContact }: ServerOptions, isLeaving: () => boolean) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(Api).pipe(
      Layer.provide(Handlers),
      Layer.provide([
        AuthenticatedChecked,
        SessionOnlyChecked,
        SignsInChecked,
        WorkspaceAdminChecked,
        ViewerOriginChecked,
        IdempotentChecked,
        RequestShapeChecked,
        SpeltChecked
      ])
    ),
    withServices(Layer.mergeAll(
      Pages({ devMailbox: mailbox !== undefined }),
      AppAssets,
      MemberGate,
      CommentGate,
      Operation(isLeaving),
      OauthRoutes,
      CommentMutePage,
      Mcp,
      Rpc,
      AgentCard,
      Reference,
      ...(mailbox === undefined ? [] : [MailboxRoutes(mailbox)]),
      ...(securityContact === undefined ? [] : [SecurityTxt(securityContact)])
    ))
  )

/** How refusals begin: in the envelope, and in OAuth's way (RFC 6749 §5.2). */
const REFUSED = /^\{"error":(?:\{"code":)?"([a-z_]+)"/

const refusalCode = ({ body, status }: HttpServerResponse.HttpServerResponse): string | undefined =>
  status >= 400 && body._tag === "Uint8Array" ? REFUSED.exec(Buffer.from(body.body.subarray(0, 80)).toString("latin1"))?.[1] : undefined

/** Every request of the API gets its id, its place in the figures and its line in the log. */
const observed = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const path = pathOf(request)
    const requestId = requestIdOf(request.headers["x-request-id"])
    const route = routeOf(request.method, path) ?? (path.startsWith("/v1/") ? "/v1/*" : "other")
    const started = performance.now()
    // Both in one update: each one copies the request's context.
    const identified = (context: Context.Context<R>) => Context.add(Context.add(context, RequestId, requestId), References.CurrentLogAnnotations, { requestId, route })
    const response = yield* compressed(request, route, yield* Effect.updateContext(app, identified))
    const ms = performance.now() - started
    countRequest(route, request.method, response.status, ms)
    // A health check that finds nothing wrong would be most of the log of a quiet service.
    if (response.status === 200 && ASKED.has(path)) return response
    const code = refusalCode(response)
    yield* Effect.annotateLogs(Effect.logInfo("request"), { method: request.method, route, status: response.status, ...(code !== undefined && { code }), ms: Math.round(ms), requestId })
    return response
  })

/** Refuses, in the envelope, a request that neither the API nor the edge takes. */
const refuse = (response: ServerResponse, status: number, failure: Invalid | NotFound) => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
  response.end(JSON.stringify(envelope(failure)))
}

/** Gives the request its id, once: the API reads it from the same header. */
const identify = (request: IncomingMessage, response: ServerResponse) => {
  const requestId = requestIdOf(request.headers["x-request-id"])
  request.headers["x-request-id"] = requestId
  response.setHeader("x-request-id", requestId)
  response.setHeader("x-content-type-options", "nosniff")
}

interface Destinations {
  readonly apiHosts: ReadonlySet<string>
  /** The content host with its dot in front. */
  readonly suffix: string
  /** The configured address of a host of ours. */
  readonly originOf: (host: string) => string | undefined
  readonly cors: Cors
  readonly edge: PlainListener
  readonly api: RequestListener
  readonly inFlight: Set<ServerResponse>
  readonly isLeaving: () => boolean
}

/** Sends each request to the hosted pages or to the API, by its host. */
const byHost = ({ api, apiHosts, cors, edge, inFlight, isLeaving, originOf, suffix }: Destinations): RequestListener => (request, response) => {
  const named = namedHost(request)
  const host = named.replace(/\.$/, "")
  if (isLeaving()) response.shouldKeepAlive = false
  if (namesNoHost(request)) {
    identify(request, response)
    return refuse(response, 400, new Invalid({ message: "The request names no Host, or more than one." }))
  }
  if (named !== host && !asksInstance(request, host)) {
    const location = withoutDot(request, originOf(host))
    identify(request, response)
    if (location === undefined) return refuse(response, 404, new NotFound({ message: "There is nothing at this host." }))
    return void response.writeHead(308, { location, "cache-control": "no-cache", "content-length": "0" }).end()
  }
  // The service's own host may lie beneath the content domain, among the projects'.
  const isApi = apiHosts.has(host) || asksInstance(request, host)
  if (!isApi && host.endsWith(suffix)) return edge(request, response, host.slice(0, -suffix.length))
  identify(request, response)
  if (!isApi) return refuse(response, 404, new NotFound({ message: "There is nothing at this host." }))
  if (cors(request, response)) return
  keepNames(request)
  keepPath(request)
  inFlight.add(response)
  response.once("close", () => inFlight.delete(response))
  api(request, response)
}

interface Door {
  readonly cutOff: (request: IncomingMessage) => void
  readonly oneClient: ServerOptions["oneClient"]
  readonly watch: (request: IncomingMessage) => void
}

/** Lets each request in, at once or when it is its client's turn. */
const admitted = ({ cutOff, oneClient, watch }: Door, listener: RequestListener): RequestListener => {
  const admit = makeAdmission({ giveWay: cutOff })
  const inTurn = makeFairShare()
  return (request, response) => {
    // Whoever sends that many does not wait for answers.
    if (!admit(request, response)) return void request.socket.destroy()
    watch(request)
    const client = oneClient(request)
    if (client === undefined) return listener(request, response)
    inTurn(client, response, () => listener(request, response))
  }
}

/** Node’s own server, and what it refuses before any listener is asked. */
const makeServer = (listener: RequestListener, defect: (cause: unknown, requestId: string) => void) => {
  const server = createServer({
    // A large upload may take long; its head may not.
    requestTimeout: 0,
    headersTimeout: 20_000,
    connectionsCheckingInterval: 5_000,
    // Longer than proxies keep theirs (Caddy: two minutes): a POST on a connection that was just closed would be a 502.
    keepAliveTimeout: 130_000,
    noDelay: true,
    // `byHost` refuses it, with a message.
    requireHostHeader: false
  }, guarded(listener, defect))
  sparingAnswers(server)
  server.on("clientError", (error, socket) => malformed(tooLong(error), socket))
  server.on("checkExpectation", guarded((request, response) => {
    identify(request, response)
    refuse(response, 417, invalid({ field: "Expect", message: "The only supported Expect value is 100-continue." }))
  }, defect))
  server.on("connect", (_, socket) => {
    // Node has detached the socket: nobody else listens for its errors.
    socket.on("error", () => {})
    malformed({ code: "CONNECT" }, socket)
  })
  return server
}

/** Serves until the scope closes. The effect that it returns is run before that, and tells balancers to go elsewhere. */
export const serve = Effect.fnUntraced(function*(options: ServerOptions, edge: PlainListener) {
  const { apiHosts, contentHost, cors, drainMs, finishMs, oneClient } = options
  let leaving = false
  const isLeaving = () => leaving
  // For the requests' fibers: made before the listener, so that it closes after the listener has let them finish.
  const scope = yield* Scope.fork(yield* Effect.scope)
  // Paths have one spelling: what holds for /v1 would not hold for /V1.
  const app = yield* Effect.provideService(HttpRouter.toHttpEffect(routes(options, isLeaving)), HttpRouter.RouterConfig, { caseSensitive: true })
  const answering = observed(enveloped(yield* Outages)(withApp(options.app, yield* Sessions)(app)))
  const api = yield* Effect.updateContext(NodeHttpServer.makeHandler(answering, { scope }), (context: Context.Context<never>) => Context.add(lightly(context), HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(MAX_BODY_BYTES)))
  const inFlight = new Set<ServerResponse>()
  const cutOff = ({ socket }: IncomingMessage) => cutOffSlowBody(socket)
  const watch = yield* watchBodies(cutOff)
  const suffix = `.${contentHost}`
  const { projectUrl } = yield* Addresses
  const { appUrl, baseUrl } = options.app
  const originOf = (host: string): string | undefined => {
    if (apiHosts.has(host)) return new URL(appUrl).hostname === host ? appUrl : baseUrl
    const label = host.endsWith(suffix) ? host.slice(0, -suffix.length) : ""
    return LABEL.test(label) ? projectUrl(label) : undefined
  }
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const defect = (cause: unknown, requestId: string) =>
    void runFork(Effect.logError("unexpected failure", cause).pipe(Effect.annotateLogs({ requestId })))

  const answer = guarded(byHost({ apiHosts, suffix, originOf, cors, edge, api, inFlight, isLeaving }), defect)
  const server = makeServer(admitted({ cutOff, oneClient, watch }, answer), defect)
  dismissSilent(server, inFlight)

  yield* Effect.acquireRelease(listen(server, options), () =>
    Effect.suspend(() => {
      leaving = true
      options.onClosing?.()
      return finish(server, inFlight, finishMs)
    }))
  return Effect.andThen(Effect.sync(() => (leaving = true)), Effect.sleep(drainMs))
})
