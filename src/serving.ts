/** How the rooms are put together: the database, everything that stands on it, and the listener in front. */
import type { IncomingMessage } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schedule } from "effect"
import type { Cause } from "effect"
import type { SqlClient } from "effect/sql"
import type { WorkflowEngine } from "effect/workflow"
import { Views } from "./domain/analytics/views.ts"
import { hostOf } from "./domain/host-names.ts"
import { Outages } from "./domain/ports/outages.ts"
import { Policies } from "./domain/ports/policies.ts"
import { Programs } from "./domain/programs.ts"
import { packsReady } from "./domain/projects/packs/belonging.ts"
import { History } from "./domain/projects/history.ts"
import { Renderings } from "./domain/renderings/renderings.ts"
import { Thumbnails } from "./domain/thumbnails/thumbnails.ts"
import { makeComments } from "./http/edge/comments/comments.ts"
import { makeEdge } from "./http/edge/edge.ts"
import { oneClientBy, TrustedHops, trusting } from "./http/server/client-address.ts"
import { CookieScope } from "./http/server/cookies.ts"
import { corsFor } from "./http/server/cors.ts"
import { mailboxPath } from "./http/server/mailbox-pages.ts"
import { Mailbox } from "./http/server/mailbox.ts"
import { countHosted, countRequest } from "./http/server/metrics.ts"
import { Figures, Readiness, tellFigures } from "./http/server/operation.ts"
import { serve } from "./http/server/server.ts"
import { WaysIn } from "./http/server/ways-in.ts"
import { sampleSite } from "./look/sample/site.ts"
import { demoSummary, summary, workerSummary } from "./look/summary.ts"
import type { Demo } from "./look/summary.ts"
import { isGlobalAddress } from "./services/client-documents/global-addresses.ts"
import type { Settings } from "./services/config.ts"
import { hasNoAccounts } from "./services/database/accounts.ts"
import { databaseReady } from "./services/database/client.ts"
import { figures } from "./services/database/figures.ts"
import { migrate } from "./services/database/migrate.ts"
import { Database, Jobs, Services } from "./services/live.ts"
import { memoryOfMachine } from "./services/machine.ts"
import { mailbox } from "./services/database/mailbox.ts"
import { heldOpen } from "./services/database/policies.ts"
import { seed } from "./services/seed.ts"
import { BuildExportWorker } from "./workers/build-export.ts"
import { CollectPacksWorker } from "./workers/collect-packs.ts"
import { EraseDueWorker } from "./workers/erase-due.ts"
import { EraseUnprovenWorker } from "./workers/erase-unproven.ts"
import { EraseTargetWorker } from "./workers/erase-target.ts"
import { FollowClock } from "./workers/follow-clock.ts"
import { SettleRenewalWorker } from "./workers/settle-renewal.ts"
import { DeliverMailWorker } from "./workers/deliver-mail.ts"
import { SendCommentDigestsWorker } from "./workers/send-comment-digests.ts"
import { EndDoubleWorker } from "./workers/end-double.ts"
import { NoteLapsesWorker } from "./workers/note-lapses.ts"
import { SweepRemnantsWorker } from "./workers/sweep-remnants.ts"
import { KeepViewDaysWorker } from "./workers/keep-view-days.ts"
import { ReadSubscriptionWorker } from "./workers/read-subscription.ts"
import { RereadSubscriptionsWorker } from "./workers/reread-subscriptions.ts"
import { SendTrialMailsWorker } from "./workers/send-trial-mails.ts"
import { SweepExportsWorker } from "./workers/sweep-exports.ts"
import { SweepIdempotencyWorker } from "./workers/sweep-idempotency.ts"
import { SweepPassesWorker } from "./workers/sweep-passes.ts"
import { SweepUploadsWorker } from "./workers/sweep-uploads.ts"

const FINISH_MS = 60_000

/** Of the machine's memory: for what clients were sent and do not read. */
const UNREAD = 1 / 8

/** As often as a collector is sent what was counted; a scrape of /metrics reads for itself. */
const TELLS = "10 seconds"

/** With the embedded database plain localhost is an API host too, so that scripts need no name service. */
const apiHosts = ({ appUrl, baseUrl, databaseUrl }: Settings) =>
  new Set([
    hostOf(new URL(baseUrl).host),
    hostOf(new URL(appUrl).host),
    ...(databaseUrl === undefined ? ["localhost", "127.0.0.1"] : [])
  ])

export const Workers = Layer.mergeAll(
  DeliverMailWorker,
  SendCommentDigestsWorker,
  KeepViewDaysWorker,
  CollectPacksWorker,
  SweepPassesWorker,
  SweepUploadsWorker,
  SweepIdempotencyWorker,
  ReadSubscriptionWorker,
  RereadSubscriptionsWorker,
  SendTrialMailsWorker,
  BuildExportWorker,
  SweepExportsWorker,
  EraseDueWorker,
  EraseUnprovenWorker,
  EraseTargetWorker,
  SettleRenewalWorker,
  EndDoubleWorker,
  NoteLapsesWorker,
  SweepRemnantsWorker
).pipe(Layer.provideMerge(FollowClock))

const mailboxOf = ({ baseUrl, devMailbox }: Settings) => devMailbox ? baseUrl + mailboxPath : null

export const ServerFacts = (settings: Settings) =>
  Layer.mergeAll(
    Layer.succeed(CookieScope, { sameSite: settings.sameSite }),
    Layer.effect(TrustedHops, trusting(settings.trustedProxyHops)),
    Layer.succeed(WaysIn, { identityProvider: settings.idp !== undefined, mailboxUrl: mailboxOf(settings) }),
    Layer.effect(Mailbox, mailbox),
    Layer.effect(Figures, figures),
    Layer.effect(Readiness, Effect.gen(function*() {
      const blobs = yield* packsReady
      const context = yield* Effect.context<Effect.Services<typeof databaseReady>>()
      return { parts: { database: Effect.provideContext(databaseReady, context), blobs } }
    }))
  )

/** Answers requests until the scope closes; what it returns goes first, and drains it. Without a span, which would become the parent of everything that comes later. */
export const listen = Effect.fnUntraced(function*(settings: Settings) {
  const { record } = yield* Views
  const renderings = yield* Renderings
  const thumbnails = yield* Thumbnails
  const { outageIn } = yield* Outages
  const isAway = (cause: Cause.Cause<unknown>) => outageIn(cause) !== undefined
  const { addressBehind } = yield* TrustedHops
  const clientOf = ({ headers, socket }: IncomingMessage) =>
    addressBehind(headers["x-forwarded-for"]?.toString(), socket.remoteAddress)
  if (settings.otlpUrl !== undefined) yield* Effect.forkScoped(Effect.repeat(tellFigures, Schedule.spaced(TELLS)))
  const comments = yield* makeComments({ clientOf, isAway })
  const edge = yield* makeEdge({
    contentDomain: settings.contentDomain,
    baseUrl: settings.baseUrl,
    trialPolicy: (yield* Policies).trial,
    clientOf,
    outageIn,
    comments: comments.listener,
    rendered: renderings.of,
    drawn: thumbnails.picture,
    history: yield* History,
    unreadBytes: memoryOfMachine() * UNREAD,
    views: { record, appUrl: settings.appUrl },
    onResponse: ({ bytes, method, ms, route, status }) => {
      countRequest(`hosted:${route}`, method, status, ms)
      countHosted(bytes)
    }
  })
  return yield* serve({
    host: settings.host,
    port: settings.port,
    apiHosts: apiHosts(settings),
    contentHost: hostOf(settings.contentDomain),
    cors: corsFor(settings.appUrl, settings.baseUrl),
    oneClient: oneClientBy(clientOf, isGlobalAddress),
    app: { appUrl: settings.appUrl, baseUrl: settings.baseUrl },
    mailbox: settings.devMailbox ? { open: settings.devMailboxOpen } : undefined,
    securityContact: settings.securityContact,
    drainMs: settings.drainSeconds * 1000,
    finishMs: FINISH_MS,
    onClosing: comments.hangUp
  }, edge)
}, Effect.provide(NodeHttpServer.layerHttpServices))

const inColour = () => process.stdout.isTTY && process.env["NO_COLOR"] === undefined

/** What `npm run seed` made. */
export const tellDemo = ({ log }: Settings, demo: Demo) =>
  log === "json"
    ? Effect.annotateLogs(Effect.logInfo("the demo account is made"), { demo })
    : Effect.sync(() => process.stdout.write(demoSummary({ colour: inColour(), demo })))

const greet = Effect.fn("greet")(function*(settings: Settings, demo: Demo | null) {
  const facts = {
    baseUrl: settings.baseUrl,
    mailbox: mailboxOf(settings),
    docs: `${settings.baseUrl}/docs`,
    demo,
    startedMs: performance.now(),
    colour: inColour()
  }
  const works = settings.role === "worker"
  if (settings.log === "json") {
    const { colour: _, ...told } = facts
    return yield* Effect.annotateLogs(Effect.logInfo(works ? "svc works" : "svc is up"), works ? { startedMs: told.startedMs } : told)
  }
  yield* Effect.sync(() => process.stdout.write(works ? workerSummary(facts) : summary(facts)))
})

/** Everything that stands on a database, which is migrated first. */
export const House = <E, R, Jobs, JobsE, JobsR>(
  settings: Settings,
  database: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, E, R>,
  jobs: Layer.Layer<WorkflowEngine.WorkflowEngine | Jobs, JobsE, JobsR>
) =>
  Programs.pipe(
    Layer.provideMerge(Services(settings, jobs)),
    Layer.provideMerge(Layer.effectDiscard(migrate)),
    Layer.provideMerge(database)
  )

/** The demo of a first start, or null where there is none to make. */
export const firstDemo = Effect.fn("firstDemo")(function*({ demo }: Pick<Settings, "demo">) {
  return demo && (yield* hasNoAccounts) ? yield* seed(sampleSite) : null
})

/** The service as `npm start` runs it. */
export const serving = (settings: Settings) =>
  Effect.gen(function*() {
    yield* Effect.forEach(settings.warnings, (warning) => Effect.logWarning(warning))
    const drain = settings.role === "worker" ? Effect.void : yield* Effect.provide(listen(settings), ServerFacts(settings))
    if (settings.trial === "open" && settings.role !== "worker") yield* heldOpen
    // After the port is open: a start that cannot listen must not use up the demo unseen.
    const demo = yield* firstDemo(settings)
    yield* greet(settings, demo)
    const work = settings.role === "http" ? Effect.void : Layer.build(Workers)
    // A stop drains first, and what is asked for meanwhile is still worked on; then the workers end, and then the port closes.
    return yield* Effect.onInterrupt(Effect.andThen(work, Effect.never), () => drain)
  }).pipe(Effect.scoped, Effect.provide(House(settings, Database(settings), Jobs(settings))))
