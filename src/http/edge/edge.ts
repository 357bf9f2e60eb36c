/**
 * Hosted projects: a plain listener for the hosts under the content domain.
 *
 * 1. What no project answers is refused at once: other methods, service workers, ambiguous paths.
 * 2. The facts are read, after the request arrived and shared with the requests beside it (facts.ts).
 * 3. One decision: open, or a closed page.
 * 4. The path names a file of the version being served; the file is answered from memory or its pack.
 *
 * No fiber and no promise is made for a request whose version and bytes are in memory.
 */
import { Clock, DateTime, Effect } from "effect"
import type { Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Site } from "../../domain/hosting/model.ts"
import { door, locate, original } from "../../domain/hosting/rules.ts"
import type { HostingStore } from "../../domain/hosting/store.ts"
import type { Packs } from "../../domain/ports/packs.ts"
import type { TrialPolicy } from "../../domain/workspaces/model.ts"
import { addressOf } from "./address.ts"
import { ContentAnswers } from "./content.ts"
import { makeEditions } from "./editions.ts"
import type { Edition } from "./editions.ts"
import { Exchange } from "./exchange.ts"
import type { OnResponse } from "./exchange.ts"
import { makeFacts } from "./facts.ts"
import { makeHoldings } from "./holdings.ts"
import { sendLook } from "./look.ts"
import { refuse, refuseMethod, sendOn } from "./refusals.ts"

export interface EdgeOptions {
  /** Port included or not. */
  readonly contentDomain: string
  readonly baseUrl: string
  readonly trialPolicy: TrialPolicy
  /** For bytes in memory; manifests take up to a quarter as much again. */
  readonly cacheBytes?: number
  /** Queries for facts in flight at a time, and how long a request waits for its own. */
  readonly lanes?: number
  readonly patienceMs?: number
  readonly onResponse?: OnResponse
  /** Told of whatever made an answer 500 or 503, or cut one short; `requestId` where one request alone met it. */
  readonly onDefect?: (cause: unknown, requestId: string | undefined) => void
}

/** `slug` is the label before the content domain, lower case. */
export type EdgeListener = (req: IncomingMessage, res: ServerResponse, slug: string) => void

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const OURS = "/_svc/"
const RAW = "/_svc/raw/"
const LOOK = "/_svc/assets/"

export const makeEdge = Effect.fnUntraced(function*(
  options: EdgeOptions
): Effect.fn.Return<EdgeListener, never, HostingStore | Packs | Scope.Scope> {
  const { baseUrl, onResponse, trialPolicy } = options
  const domain = options.contentDomain.toLowerCase().replace(/:\d+$/, "")
  const cacheBytes = options.cacheBytes ?? 96 * 1024 * 1024
  const clock = yield* Clock.Clock
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const defect = options.onDefect ?? ((cause, id) =>
    void runFork(Effect.logError("A hosted page failed", cause).pipe(Effect.annotateLogs({ requestId: id ?? "-" }))))

  const ask = yield* makeFacts({
    ...(options.lanes !== undefined && { lanes: options.lanes }),
    ...(options.patienceMs !== undefined && { patienceMs: options.patienceMs }),
    onTrouble: (cause) => defect(cause, undefined)
  })
  const editions = yield* makeEditions(cacheBytes / 4)
  const holdings = yield* makeHoldings(cacheBytes, (cause) => defect(cause, undefined))

  const unavailable = (x: Exchange, cause: unknown): void => {
    defect(cause, x.id)
    guarded(x, () => refuse(x, "unavailable", baseUrl))
  }
  const contents = new ContentAnswers(holdings, unavailable, (cause) => defect(cause, undefined))

  let at = NaN
  let moment = DateTime.makeUnsafe(0)
  const now = (): DateTime.Utc => {
    const ms = clock.currentTimeMillisUnsafe()
    if (ms !== at) moment = DateTime.makeUnsafe(at = ms)
    return moment
  }

  /** A mistake of ours must not take the process, or the requests of the same batch, with it. */
  const guarded = (x: Exchange, step: () => void): void => {
    try {
      step()
    } catch (cause) {
      defect(cause, x.id)
      try {
        if (x.res.headersSent) x.res.destroy()
        else refuse(x, "internal", baseUrl)
      } catch {
        x.res.destroy()
      }
    }
  }

  const show = (x: Exchange, site: Site, version: NonNullable<Site["version"]>, edition: Edition): void => {
    const { path, query, raw } = x.address!
    const isRaw = path.startsWith(RAW)
    const found = isRaw
      ? original(version, edition.files, path.slice(RAW.length))
      : locate(version, edition.files, path)
    if (found === undefined) return refuse(x, "no-such-page", baseUrl)
    if ("location" in found) return sendOn(x, `${raw}/${query}`)
    const file = edition.presented(found.path, found.asset)
    contents.answer(x, { site, file, status: found.status, route: isRaw ? "raw" : file.page ? "page" : "file" })
  }

  const enter = (x: Exchange, site: Site | undefined, again: boolean): void => {
    if (x.gone) return x.ended(499, 0, "closed")
    const verdict = door(site && { site, pass: null }, trialPolicy, now())
    if (verdict !== "open") return refuse(x, verdict, baseUrl)
    const version = site?.version
    if (site === undefined || !version) return refuse(x, "empty", baseUrl)
    const edition = editions.held(version)
    if (edition !== undefined) return show(x, site, version, edition)
    editions.load(version).then((loaded) =>
      guarded(x, () => {
        if (loaded !== undefined) return show(x, site, version, loaded)
        // Pruned since its facts were read: a newer version is there by now.
        if (again) return unavailable(x, new Error(`Version ${version.id} is current and has no manifest`))
        approach(x, true)
      }), (cause) => unavailable(x, cause))
  }

  const approach = (x: Exchange, again: boolean): void =>
    ask(x.slug, {
      told: (site) => guarded(x, () => enter(x, site, again)),
      failed: () => guarded(x, () => refuse(x, "unavailable", baseUrl))
    })

  return (req, res, slug) => {
    const address = addressOf(req.url!, `${slug}.${domain}`)
    const x = new Exchange(req, res, slug, address, onResponse)
    guarded(x, () => {
      if (req.method !== "GET" && req.method !== "HEAD") return refuseMethod(x)
      // A worker would outlive the version, and every rule about who may see it.
      if (req.headers["service-worker"] !== undefined || address === undefined) return refuse(x, "no-such-page", baseUrl)
      if (address.path.startsWith(OURS) || address.path === "/_svc") {
        if (address.path.startsWith(LOOK) && sendLook(x, address.path.slice(LOOK.length))) return
        if (!address.path.startsWith(RAW)) return refuse(x, "no-such-page", baseUrl)
      }
      if (!LABEL.test(slug)) return refuse(x, "unknown", baseUrl)
      approach(x, false)
    })
  }
})
