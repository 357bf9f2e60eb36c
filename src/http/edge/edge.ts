/**
 * Hosted projects: a plain listener for the hosts under the content domain.
 *
 * 1. What no project answers is refused at once: other methods, service workers, ambiguous paths. Gates have their own
 *    routes (gate-routes.ts).
 * 2. The facts are read, after the request arrived and shared with concurrent requests (facts.ts).
 * 3. One decision: open, or a closed page.
 * 4. The path names a file of the version being served; the file is answered from memory or its pack. A page of a framed
 *    site is answered with the shell (frames/shell.ts); its frame lives on a host of its own (frames/frame.ts).
 *
 * No fiber and no promise is made for a request whose version and bytes are in memory.
 */
import { Cause, Clock, DateTime, Effect, Option } from "effect"
import type { Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { hostOf } from "../../domain/host-names.ts"
import type { Visit } from "../../domain/hosting/model.ts"
import type { Gates } from "../../domain/hosting/gates.ts"
import { RAW } from "../../domain/hosting/raw-files.ts"
import { door, frameDoor, seesHistory } from "../../domain/hosting/rules.ts"
import type { ShellProofs } from "../../domain/hosting/shell-proofs.ts"
import type { HostingStore, PassStore } from "../../domain/hosting/store.ts"
import { logOutage } from "../../domain/ports/outages.ts"
import type { Outages } from "../../domain/ports/outages.ts"
import type { Packs } from "../../domain/ports/packs.ts"
import type { History } from "../../domain/projects/history.ts"
import { READ_WITHIN } from "../../domain/projects/rules.ts"
import type { TrialPolicy } from "../../domain/workspaces/model.ts"
import { assetsPath } from "../../look/faces.ts"
import { LABEL } from "../contract/labels.ts"
import { addressOf } from "./address.ts"
import { makeBeginnings } from "./beginnings.ts"
import { ContentAnswers } from "./content.ts"
import { DIAGRAMS, sendDiagrams } from "./diagrams-page.ts"
import { drawnBy } from "./drawn.ts"
import type { Draw } from "./drawn.ts"
import { makeEditions } from "./memory/editions.ts"
import type { Editions } from "./memory/editions.ts"
import { Exchange } from "./exchange.ts"
import type { OnResponse, Told } from "./exchange.ts"
import { makeAskers } from "./facts.ts"
import { makeFrameHost } from "./frames/frame.ts"
import type { AnswerFrame, FrameParts } from "./frames/frame.ts"
import { enterPath } from "./frames/frame-pages.ts"
import { makeGateRoutes } from "./gate-routes.ts"
import { guardsWith } from "./guarding.ts"
import type { Guards, OnDefect } from "./guarding.ts"
import { makeHoldings } from "./memory/holdings.ts"
import { frameNameIn, hostsOf } from "./hosts.ts"
import { hashOf, passIn } from "./pass-cookie.ts"
import { GATES, refuse, refuseMethod } from "./refusals.ts"
import { makeServedRaw } from "./frames/served-raw.ts"
import { makeShell } from "./frames/shell.ts"
import { showWith } from "./show.ts"
import { Unread } from "./unread.ts"
import { makeVersions } from "./versions/versions.ts"
import { VERSIONS } from "./versions/versions-link.ts"
import { makeViewer } from "./viewer.ts"
import type { ViewerParts } from "./viewer.ts"
import { webAssets } from "./web-assets.ts"
import { viewing } from "./views.ts"
import type { ViewsOptions } from "./views.ts"

export interface EdgeOptions {
  /** With or without its port. */
  readonly contentDomain: string
  readonly baseUrl: string
  readonly trialPolicy: TrialPolicy
  /** The client's address, as limits count it. */
  readonly clientOf: (req: IncomingMessage) => string
  /** Whether a failure only means that the database is away, and why it is. */
  readonly outageIn: typeof Outages.Service.outageIn
  /** Memory for files' bytes; manifests take up to a quarter of that in addition. */
  readonly cacheBytes?: number
  /** Memory for what clients were sent and have not read yet. */
  readonly unreadBytes?: number
  /** Queries for facts in flight at a time, and how long a request waits for its own. */
  readonly lanes?: number
  readonly patienceMs?: number
  /** How long the body of a form may take to arrive. */
  readonly bodyMs?: number
  /** How long one answer may read its version's bytes. */
  readonly readMs?: number
  readonly onResponse?: OnResponse
  /** Records views. */
  readonly views?: ViewsOptions
  /** A version's document as HTML; undefined where it is shown as text, `coming` where it is not rendered yet. */
  readonly rendered?: ViewerParts["rendered"]
  /** What was drawn of a document; none where that cannot be had. */
  readonly drawn?: (...picture: Parameters<Draw>) => Effect.Effect<Option.Option<Uint8Array>, unknown>
  /** A project's earlier versions; without it nobody sees them. */
  readonly history?: typeof History.Service
  /** Answers a request for a project's comments, and says whether it was one. */
  readonly comments?: (x: Exchange) => boolean
  readonly onDefect?: OnDefect
}

/** `slug` is the label before the content domain, lower case. */
export type EdgeListener = (req: IncomingMessage, res: ServerResponse, slug: string) => void

/** Room for a doorcode and the longest `next`, form-encoded. */
const BODY_BYTES = 32 * 1024
const BODY_MS = 10_000
const UNREAD_BYTES = 128 * 1024 * 1024
const READ_MS = READ_WITHIN.minutes * 60_000

const OURS = "/_svc/"
const isPast = (path: string): boolean => path === VERSIONS || path.startsWith(`${VERSIONS}/`)

/** The time now, made anew only when the millisecond has changed. */
const nowOf = (clock: Clock.Clock) => {
  let at = NaN
  let moment = DateTime.makeUnsafe(0)
  return (): DateTime.Utc => {
    const ms = clock.currentTimeMillisUnsafe()
    if (ms !== at) moment = DateTime.makeUnsafe(at = ms)
    return moment
  }
}

/** Calls `use` with the version's files, from memory or once they are loaded; `again` where it was pruned meanwhile. */
const openedFrom = (editions: Editions, { guarded, unavailable }: Guards): FrameParts["opened"] => (x, version, use, again) => {
  const edition = editions.held(version)
  if (edition !== undefined) return use(edition)
  editions.load(version).then((loaded) =>
    guarded(x, () => {
      if (loaded !== undefined) return use(loaded)
      // Pruned since its facts were read: a newer version is there by now.
      if (again === undefined) return unavailable(x, new Error(`Version ${version.id} is current and has no manifest`))
      again()
    }), (cause) => unavailable(x, cause))
}

interface Ways {
  readonly domain: string
  readonly baseUrl: string
  /** A project's own origin. */
  readonly own: (slug: string) => string
  readonly guarded: Guards["guarded"]
  readonly told: Told
  readonly gates: { readonly typed: (x: Exchange) => boolean; readonly ways: (x: Exchange) => boolean }
  readonly comments: ((x: Exchange) => boolean) | undefined
  readonly frame: AnswerFrame
  readonly approach: (x: Exchange, again: boolean) => void
}

/** Step 1, and which way a request goes from there. */
const listenerOf = ({ approach, baseUrl, comments, domain, frame, gates, guarded, own, told }: Ways): EdgeListener => {
  const web = webAssets()
  return (req, res, slug) => {
    const address = addressOf(req.url!, `${slug}.${domain}`)
    const x = new Exchange(req, res, slug, address, told)
    guarded(x, () => {
      // A service worker would outlive the version, and every rule about who may see it.
      const name = frameNameIn(slug)
      const isPlain = address !== undefined && req.headers["service-worker"] === undefined
      if (isPlain && name === undefined && LABEL.test(slug)) {
        if (address.path.startsWith(GATES) && gates.ways(x)) return
        if (comments?.(x) === true || gates.typed(x)) return
      }
      if (req.method !== "GET" && req.method !== "HEAD") return refuseMethod(x)
      if (!isPlain) return refuse(x, "no-such-page", baseUrl)
      if (address.path.startsWith(OURS) || address.path === "/_svc") {
        if (address.path.startsWith(assetsPath) && web.send(x, address.path.slice(assetsPath.length))) return
        if (address.path === DIAGRAMS && name === undefined) return sendDiagrams(x, own(slug))
        const isOurs = name === undefined ? address.path.startsWith(RAW) || isPast(address.path) : address.path === enterPath
        if (!isOurs) return refuse(x, "no-such-page", baseUrl)
      }
      if (name !== undefined) return frame(x, name)
      if (!LABEL.test(slug)) return refuse(x, "unknown", baseUrl)
      approach(x, false)
    })
  }
}

export const makeEdge = Effect.fnUntraced(function*(
  options: EdgeOptions
): Effect.fn.Return<EdgeListener, never, HostingStore | PassStore | Gates | ShellProofs | Packs | Scope.Scope> {
  const { baseUrl, trialPolicy } = options
  const domain = hostOf(options.contentDomain)
  const cacheBytes = options.cacheBytes ?? 96 * 1024 * 1024
  const clock = yield* Clock.Clock
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const runPromise = Effect.runPromiseWith(yield* Effect.context<never>())
  const defect = options.onDefect ?? ((cause, id) => {
    const outage = options.outageIn(Cause.die(cause))
    const line = outage === undefined ? Effect.logError("A hosted page failed", cause) : logOutage(outage)
    void runFork(Effect.annotateLogs(line, { requestId: id ?? "-" }))
  })

  /** For what goes wrong outside of any one request. */
  const onTrouble = (cause: unknown): void => defect(cause, undefined)

  const { ask, askFrame } = yield* makeAskers({ lanes: options.lanes, patienceMs: options.patienceMs, onTrouble })
  const editions = yield* makeEditions(cacheBytes / 4)
  const holdings = yield* makeHoldings(cacheBytes, onTrouble)

  const guards = guardsWith(defect, baseUrl)
  const { guarded, unavailable } = guards
  const contents = new ContentAnswers(holdings, unavailable, onTrouble, options.readMs ?? READ_MS)

  const opened = openedFrom(editions, guards)
  const now = nowOf(clock)
  const onPage = options.views && viewing({ ...options.views, clientOf: options.clientOf, clock })

  const gates = yield* makeGateRoutes({
    baseUrl,
    clientOf: options.clientOf,
    isAway: (cause) => options.outageIn(cause) !== undefined,
    body: { bytes: BODY_BYTES, ms: options.bodyMs ?? BODY_MS },
    onDefect: defect,
    guarded
  })

  const enter = (x: Exchange, visit: Visit | undefined, again: boolean): void => {
    if (x.gone) return x.ended(499, 0, "closed")
    const verdict = door(visit, trialPolicy, now())
    if (verdict !== "open") return refuse(x, verdict, baseUrl)
    const version = visit?.site.version
    if (visit === undefined || !version) return refuse(x, "empty", baseUrl)
    if (isPast(x.address!.path)) return versions(x, visit)
    opened(x, version, (edition) => show(x, visit, version, edition), again ? undefined : () => approach(x, true))
  }

  const approach = (x: Exchange, again: boolean): void => {
    ask(x.slug, hashOf(passIn(x.req.headers.cookie)), {
      told: (visit) => guarded(x, () => enter(x, visit, again)),
      failed: () => guarded(x, () => refuse(x, "unavailable", baseUrl))
    })
  }

  const drawn = drawnBy((...picture) => options.drawn === undefined ? Promise.resolve(Option.none()) : runPromise(options.drawn(...picture)))
  const hosts = hostsOf(baseUrl, options.contentDomain)
  const sees = (visit: Visit): boolean => options.history !== undefined && seesHistory(visit, now())
  const beginnings = yield* makeBeginnings(onTrouble)
  const shell = yield* makeShell({ beginnings, hosts, seesHistory: sees, ...guards })
  const versions = yield* makeVersions({ baseUrl, contents, drawn, editions, history: options.history, hosts, seesHistory: sees, ...guards })
  const viewer = yield* makeViewer({
    beginnings, hosts, holdings, seesHistory: sees, bytes: cacheBytes / 8, ...guards,
    rendered: options.rendered ?? (() => Effect.succeed(undefined))
  })
  const rememberRaw = yield* makeServedRaw(guards)
  const show = showWith({ baseUrl, contents, drawn, shell, viewer, rememberRaw, holdings, ...guards })
  const frame = yield* makeFrameHost({
    hosts, baseUrl, contents, holdings, opened, ...guards,
    ask: askFrame,
    door: (visit) => frameDoor(visit, trialPolicy, now())
  })

  return listenerOf({ domain, baseUrl, own: hosts.project, guarded, told: { onResponse: options.onResponse, onPage, unread: new Unread(options.unreadBytes ?? UNREAD_BYTES, options.clientOf) }, gates, comments: options.comments, frame, approach })
})
