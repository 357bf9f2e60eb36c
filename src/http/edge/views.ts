/** Decides which answers of the edge are views (CONTRACT §9), and hands those to the recorder. */
import { DateTime } from "effect"
import type { Clock } from "effect"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import type { Seen } from "../../domain/analytics/model.ts"
import type { Site, Visit } from "../../domain/hosting/model.ts"
import { holds, isViewerOrigin } from "../../domain/hosting/rules.ts"
import type { ShareLinkId } from "../../domain/share-links/model.ts"
import { byReader, isWebKit } from "../contract/fetch-metadata.ts"
import { isView } from "./caching.ts"
import { isCrawler } from "./crawlers.ts"
import type { Exchange } from "./exchange.ts"

export interface ViewsOptions {
  readonly record: (seen: Seen) => void
  /** Where the app runs: its previews are not visits. */
  readonly appUrl: string
}

interface Surroundings {
  readonly clientOf: (req: IncomingMessage) => string
  readonly clock: Pick<Clock.Clock, "currentTimeMillisUnsafe">
}

const EMBEDDED: ReadonlySet<unknown> = new Set(["iframe", "frame"])

const url = (text: string | undefined): URL | null => text === undefined ? null : URL.parse(text)

/**
 * A frame's first document was counted with its shell; only a navigation from there is another view. A page's own frames are
 * part of it, not something that a reader did. Where WebKit does not tell the two apart, a navigation is the likelier one.
 */
const wentOn = (headers: IncomingHttpHeaders): boolean => {
  const site = headers["sec-fetch-site"]
  if (site === undefined && headers["sec-fetch-dest"] === undefined) return url(headers.referer)?.host === headers.host
  return site === "same-origin" && (byReader(headers) || isWebKit(headers["user-agent"] ?? ""))
}

/** Loads that are no reader's: what a script fetches, what a page or the app embeds in its own pages or no browser shows in a frame, and crawlers. */
const isMachine = (headers: IncomingHttpHeaders, site: Site, isFrame: boolean, appOrigin: string): boolean => {
  const dest = headers["sec-fetch-dest"]
  if (dest !== undefined && dest !== "document") {
    if (!EMBEDDED.has(dest)) return true
    // Our own pages refuse to be framed: the load came and nobody saw it.
    if (!isFrame && isViewerOrigin(site)) return true
    if (headers.referer !== undefined && url(headers.referer)?.origin === appOrigin) return true
    if (!isFrame && headers["sec-fetch-site"] === "same-origin" && !byReader(headers)) return true
  }
  return (isFrame && !wentOn(headers)) || isCrawler(headers["user-agent"])
}

/** Strangers choose it and it waits in memory, so it is cut: more would tell no visitors apart. Copied, since a slice keeps the whole string. */
const AGENT = 512
const agentOf = (headers: IncomingHttpHeaders): string => {
  const agent = headers["user-agent"] ?? ""
  return agent.length <= AGENT ? agent : Buffer.from(agent.slice(0, AGENT)).toString()
}

/** A public page opens whatever became of the link in the pass; only a link that still holds led here. */
const linkOf = (visit: Visit, at: number): ShareLinkId | null =>
  visit.pass?.link && holds(visit, DateTime.makeUnsafe(at)) ? visit.pass.link.id : null

/** Called for every page that was answered, whatever the status; `isFrame` on the host of a frame. */
export type OnPage = (x: Exchange, status: number, isFrame: boolean) => void

export const viewing = ({ appUrl, clientOf, clock, record }: ViewsOptions & Surroundings): OnPage => {
  const appOrigin = new URL(appUrl).origin
  return ({ req, visit }, status, isFrame) => {
    if (visit === undefined) return
    const { headers } = req
    const seen = isView({
      method: req.method!,
      status,
      purpose: (headers["sec-purpose"] ?? headers["purpose"]) as string | undefined,
      machine: isMachine(headers, visit.site, isFrame, appOrigin)
    })
    if (!seen) return
    const at = clock.currentTimeMillisUnsafe()
    record({
      projectId: visit.site.projectId,
      at,
      address: clientOf(req),
      userAgent: agentOf(headers),
      shareLinkId: linkOf(visit, at)
    })
  }
}
