/** Which paths are our own: where somebody may be sent back to, and never another site. */
import { COMMENT_GATE, MEMBER_GATE } from "../../domain/hosting/gate-addresses.ts"

/** A path on this origin, or the front page: never another site. The service's own address may precede it. */
export const ownPath = (next: string | undefined, baseUrl: string): string => {
  const path = next?.startsWith(`${baseUrl}/`) ? next.slice(baseUrl.length) : next
  return path !== undefined && /^\/(?![/\\])[^\s\\]*$/.test(path) ? path : "/"
}

/** Percent-encodes what a header cannot carry. Not normalised: `/.//host` would become another host's address. */
const encoded = (path: string) => encodeURI(path.toWellFormed()).replaceAll("%25", "%")

/** Whether a browser that follows the path comes to the API, gates apart: what else is there may act for whoever was sent to it. */
const actsInTheApi = (path: string): boolean => {
  const there = new URL(path, "http://localhost").pathname.replace(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return /^\/+v1(?:\/|$)/.test(there) && there !== MEMBER_GATE && there !== COMMENT_GATE
}

/** It travels in a mailed link, or sealed in a cookie, which browsers keep up to 4 KB. */
const CARRIED_MAX = 1500

/** The path here to return to once somebody has proved who they are, of the API only a gate; undefined means the front page. */
export const carriedPath = (next: string | undefined, baseUrl: string): string | undefined => {
  const path = encoded(ownPath(next, baseUrl))
  return path === "/" || path.length > CARRIED_MAX || actsInTheApi(path) ? undefined : path
}
