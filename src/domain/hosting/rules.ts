/** Who may open a hosted project, and which of its files an address names (SPEC §3, CONTRACT §9). */
import { DateTime } from "effect"
import { DAY_MS } from "../days.ts"
import { LIFETIME } from "../sessions/sessions.ts"
import type { TrialPolicy } from "../workspaces/model.ts"
import { isDown } from "../workspaces/rules.ts"
import type { Asset, FrameVisit, Manifest, Site, Visit } from "./model.ts"

/** Why an address does not answer with its content. */
export type Closed = "unknown" | "empty" | "deleted" | "taken-down" | "expired" | "down" | "doorcode" | "private"

/** What a pass would open: the project answers, and only its gate is closed. */
export type Gated = Extract<Closed, "doorcode" | "private">

export const isGated = (verdict: "open" | Closed): verdict is Gated => verdict === "doorcode" || verdict === "private"

/** How long a pass lasts where nothing ends it before. */
export const PASS_LASTS = { days: 30 } as const
const PASS_MS = PASS_LASTS.days * DAY_MS
const SESSION_MS = LIFETIME.days * DAY_MS

const past = (moment: DateTime.Utc | null, now: DateTime.Utc): boolean =>
  moment !== null && DateTime.isGreaterThanOrEqualTo(now, moment)

/** Whether what a gate once gave is still good, by the facts of this moment (CONTRACT §9). */
export const holds = ({ pass, site }: Visit, now: DateTime.Utc): boolean => {
  // In milliseconds: this is asked on every request, and calendar sums are slow.
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

/** Decided on facts read after the request arrived: nothing here is cached. */
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

/** Whether a project's pages are shown in a frame on another host, with our shell around it (SPEC §2). */
export const isFramed = (site: Site): boolean =>
  site.version?.kind === "site" && site.commentsEnabled && site.htmlDisplayMode !== "raw"

/** The door of a frame's host: the project's own door, and the way in that belongs to this very host. */
export const frameDoor = (visit: FrameVisit | undefined, policy: TrialPolicy, now: DateTime.Utc): "open" | Closed => {
  if (visit === undefined || !isFramed(visit.site)) return "unknown"
  const verdict = door(visit, policy, now)
  if (verdict !== "open") return verdict
  if (visit.entered) return "open"
  // The pass holds, and whoever is here does not carry it.
  return visit.site.visibility === "password" ? "doorcode" : "private"
}

export interface Found {
  readonly path: string
  readonly asset: Asset
  /** 404 for the author's own `404.html`. */
  readonly status: 200 | 404
}

/** A site's `/dir` without its slash: relative links would break, so the browser is sent to `/dir/`. */
export interface Moved {
  readonly location: string
}

const own = (files: Manifest, path: string): Asset | undefined => Object.hasOwn(files, path) ? files[path] : undefined

/**
 * The file that a decoded path (leading slash, no `..`, no NUL) names: exactly; as `page.html`; as `dir/index.html`; or the author's
 * `404.html`. Kinds other than sites have one address besides their files' own: `/`.
 */
export const locate = (version: NonNullable<Site["version"]>, files: Manifest, path: string): Found | Moved | undefined => {
  const found = (at: string, status: 200 | 404 = 200): Found | undefined => {
    const asset = own(files, at)
    return asset === undefined ? undefined : { path: at, asset, status }
  }
  if (path === "/") return found(version.entry)
  const name = path.slice(1)
  if (version.kind !== "site") return found(name)
  if (name.endsWith("/")) return found(`${name}index.html`) ?? found("404.html", 404)
  const direct = found(name) ?? found(`${name}.html`)
  if (direct !== undefined) return direct
  return own(files, `${name}/index.html`) === undefined ? found("404.html", 404) : { location: `${path}/` }
}

/** The author's own bytes, for the kinds that `/` may present in a viewer: `/_svc/raw/<name>`. */
export const original = (version: NonNullable<Site["version"]>, files: Manifest, name: string): Found | undefined => {
  const asset = version.kind === "site" ? undefined : own(files, name)
  return asset === undefined ? undefined : { path: name, asset, status: 200 }
}

/**
 * Whether our own code alone runs on a project's origin, so that it may act in its reader's name (SPEC §4.1, scoped
 * /v1/me). A raw site's script is its author's, and no author's script gets a token.
 */
export const isViewerOrigin = (site: Site): boolean =>
  site.version !== null && (site.version.kind !== "site" || isFramed(site))

/**
 * Whether earlier versions are shown to somebody at an open door: to members of the workspace, who may see them in the API
 * too. A doorcode or a link opens what is published now, and what was taken back is nobody else's. Never beside script of
 * an author's, which could read them in its reader's name.
 */
export const seesHistory = (visit: Visit, now: DateTime.Utc): boolean =>
  isViewerOrigin(visit.site) && visit.pass?.via === "member" && holds(visit, now)

/** A file of any version, by its path alone: for those who see the history. */
export const kept = (files: Manifest, name: string): Found | undefined => {
  const asset = own(files, name)
  return asset === undefined ? undefined : { path: name, asset, status: 200 }
}

/**
 * Whether an author's script may still live on in an open tab of this very host: a page of this project from when it was
 * raw, or of whichever project held the address before. Then our pages show that they are ours (shell-proofs.ts).
 */
export const mustProve = (site: Pick<Site, "servedRaw" | "succeeds">): boolean => site.servedRaw || site.succeeds
