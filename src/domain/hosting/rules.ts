/** Who may open a hosted project, and which of its files a path names (SPEC §3, CONTRACT §9). */
import { DateTime } from "effect"
import { DAY_MS } from "../days.ts"
import { Forbidden, InvalidCredentials } from "../failures.ts"
import type { Limit } from "../ports/rate-limits.ts"
import { LIFETIME } from "../sessions/sessions.ts"
import type { TrialPolicy } from "../workspaces/model.ts"
import { isDown } from "../workspaces/rules.ts"
import { assetAt } from "./model.ts"
import type { Asset, FrameVisit, Manifest, ServedVersion, Site, Visit } from "./model.ts"

/** Why an address does not show its content. */
export type Closed = "unknown" | "empty" | "deleted" | "taken-down" | "expired" | "down" | "doorcode" | "private"

/** The verdicts that a pass would turn into "open". */
export type Gated = Extract<Closed, "doorcode" | "private">

export const isGated = (verdict: "open" | Closed): verdict is Gated => verdict === "doorcode" || verdict === "private"

/** The verdicts of a document that is put away: nothing opens it. */
export type PutAway = Extract<Closed, "deleted" | "taken-down" | "expired" | "down">

export const isPutAway = (verdict: "open" | Closed): verdict is PutAway =>
  verdict === "deleted" || verdict === "taken-down" || verdict === "expired" || verdict === "down"

export const LIMITS = {
  /** Tries at one project's door. */
  doorcodeByAddress: { name: "doorcode.address", limit: 10, window: "1 minute" },
  doorcodeByProject: { name: "doorcode.project", limit: 200, window: "1 hour" },
  /** Passes given to one address at one project, by its doorcode and its share links: each is a row for a month, and a lecture hall may be one address. */
  passesByAddress: { name: "passes.address", limit: 3_000, window: "1 hour" },
  /** Mails of first opens to one person. Beyond this nothing is mailed; the link's own row tells. */
  firstOpens: { name: "first-opens", limit: 50, window: "1 hour" }
} as const satisfies Record<string, Limit>

export const wrongDoorcode = () => new InvalidCredentials({ message: "That is not the doorcode. Check it and try again.", field: "password" })

export const notWithin = () =>
  new Forbidden({ message: "This document opens only within the workspace that published it, or for its owner alone.", details: { reason: "private" } })

/** How long a pass lasts unless something ends it earlier. */
export const PASS_LASTS = { days: 30 } as const
const PASS_MS = PASS_LASTS.days * DAY_MS
const SESSION_MS = LIFETIME.days * DAY_MS

const past = (moment: DateTime.Utc | null, now: DateTime.Utc): boolean =>
  moment !== null && DateTime.isGreaterThanOrEqualTo(now, moment)

/** Whether the visit's pass is still valid, by the facts as they are now (CONTRACT §9). */
export const holds = ({ pass, site }: Visit, now: DateTime.Utc): boolean => {
  // In milliseconds: this runs on every request, and calendar arithmetic is slow.
  if (pass === null || DateTime.toEpochMillis(now) - DateTime.toEpochMillis(pass.givenAt) >= PASS_MS) return false
  switch (pass.via) {
    case "doorcode":
      return site.visibility === "password" && pass.accessEpoch === site.accessEpoch
    case "member":
      return pass.member !== null && pass.member.belongs && !pass.member.hidden && pass.member.sessionHolds &&
        DateTime.toEpochMillis(now) - DateTime.toEpochMillis(pass.member.signedInAt) < SESSION_MS
    case "link":
      return pass.link !== null && !pass.link.revoked && !past(pass.link.expiresAt, now)
  }
}

/** Decided on facts that are read after the request arrived; nothing is cached. */
export const door = (visit: Visit | undefined, policy: TrialPolicy, now: DateTime.Utc): "open" | Closed => {
  if (visit === undefined) return "unknown"
  const { site } = visit
  if (site.deleted) return "deleted"
  if (site.takenDown) return "taken-down"
  if (past(site.expiresAt, now)) return "expired"
  if (isDown(site, policy, now)) return "down"
  if (site.visibility !== "public" && !holds(visit, now)) return site.visibility === "password" ? "doorcode" : "private"
  return site.version === null ? "empty" : "open"
}

/** Whether a project's pages are shown in a frame on another host, inside our shell (SPEC §2). */
export const isFramed = (site: Site): boolean =>
  site.version?.kind === "site" && site.commentsEnabled && site.htmlDisplayMode !== "raw"

/** The door of a frame's host: the project's own door, and then the frame's own cookie. */
export const frameDoor = (visit: FrameVisit | undefined, policy: TrialPolicy, now: DateTime.Utc): "open" | Closed => {
  if (visit === undefined || !isFramed(visit.site)) return "unknown"
  const verdict = door(visit, policy, now)
  if (verdict !== "open") return verdict
  if (visit.entered) return "open"
  // The pass holds, but this browser does not carry the frame's cookie.
  return visit.site.visibility === "password" ? "doorcode" : "private"
}

export interface Found {
  readonly path: string
  readonly asset: Asset
  /** 404 for the author's own `404.html`. */
  readonly status: 200 | 404
}

/** A site's `/dir` without its slash, or `/page` with one: relative links would break, so the browser is sent to `/dir/` and `/page`. */
export interface Moved {
  readonly location: string
}

/** A file by its exact path, in any version. */
export const fileAt = (files: Manifest, path: string, status: Found["status"] = 200): Found | undefined => {
  const asset = assetAt(files, path)
  return asset && { path, asset, status }
}

/** Where a missing file stays missing: names with an extension, and hidden ones, which programs look for. A pattern for the last dot would be tried from each of ten thousand. */
const namesFile = (name: string): boolean => /(?:^|\/)\./.test(name) || name.lastIndexOf(".") > name.lastIndexOf("/")

const onlyPageOf = (files: Manifest): string | undefined => {
  const paths = Object.keys(files)
  const isOne = paths.some((path) => /\.m?js$/i.test(path)) && !paths.some((path) => path !== "index.html" && /\.x?html?$/i.test(path))
  return isOne ? "index.html" : undefined
}

/** Found once for each manifest, which is held for many requests: a site may have ten thousand files. */
const onlyPages = new WeakMap<Manifest, string | undefined>()

/**
 * The page that answers the addresses which an application makes up in the browser: the author's `200.html`, or the only page of a
 * site that has scripts and no `404.html`.
 */
const applicationOf = (files: Manifest): string | undefined => {
  if (assetAt(files, "200.html") !== undefined) return "200.html"
  if (!onlyPages.has(files)) onlyPages.set(files, onlyPageOf(files))
  return onlyPages.get(files)
}

/**
 * The file that a decoded path (leading slash, no `..`, no NUL) names: the exact path, else `page.html`, else `dir/index.html`;
 * else, where a reader opens a page, the application's; else the author's `404.html`. Kinds other than sites have their files'
 * paths and `/`.
 */
export const locate = (version: ServedVersion, files: Manifest, path: string, opensPage: () => boolean): Found | Moved | undefined => {
  if (path === "/") return fileAt(files, version.entry)
  const name = path.slice(1)
  if (version.kind !== "site") return fileAt(files, name)
  const direct = name.endsWith("/") ? fileAt(files, `${name}index.html`) : fileAt(files, name) ?? fileAt(files, `${name}.html`)
  if (direct !== undefined) return direct
  if (assetAt(files, `${name}/index.html`) !== undefined) return { location: `${path}/` }
  if (name.endsWith("/") && assetAt(files, `${name.slice(0, -1)}.html`) !== undefined) return { location: path.slice(0, -1) }
  const application = !namesFile(name) && opensPage() ? applicationOf(files) : undefined
  return application === undefined ? fileAt(files, "404.html", 404) : fileAt(files, application)
}

/** The author's original file at `/_svc/raw/<name>`, for the kinds that `/` may show in a viewer. */
export const original = (version: ServedVersion, files: Manifest, name: string): Found | undefined =>
  version.kind === "site" ? undefined : fileAt(files, name)

/**
 * Whether only our own code runs on a project's origin, so that it may act in the reader's name (SPEC §4.1, scoped
 * /v1/me). A raw site runs its author's script, which must never get a token.
 */
export const isViewerOrigin = (site: Site): boolean =>
  site.version !== null && (site.version.kind !== "site" || isFramed(site))

/**
 * Whether an admitted visitor may see earlier versions: only members of the workspace, who may see them in the API too.
 * A doorcode or a link opens what is published now, not what was withdrawn. Never on an origin where the author's script
 * runs: it could read them in the reader's name.
 */
export const seesHistory = (visit: Visit, now: DateTime.Utc): boolean =>
  isViewerOrigin(visit.site) && visit.pass?.via === "member" && holds(visit, now)

/**
 * Whether an author's script may still run in an open tab of this host: from when this project was raw, or from a project
 * that held the address before. Our pages must then prove that they are ours (shell-proofs.ts).
 */
export const mustProve = (site: Pick<Site, "servedRaw" | "succeeds">): boolean => site.servedRaw || site.succeeds
