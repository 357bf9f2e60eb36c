/** Which paths are our own: where somebody may be sent back to, and never another site. */

/** A path on this origin, or the front page: never another site. The service's own address may precede it. */
export const ownPath = (next: string | undefined, baseUrl: string): string => {
  const path = next?.startsWith(`${baseUrl}/`) ? next.slice(baseUrl.length) : next
  return path !== undefined && /^\/(?![/\\])[^\s\\]*$/.test(path) ? path : "/"
}

/** Percent-encodes what a header cannot carry. Not normalised: `/.//host` would become another host's address. */
const encoded = (path: string) => encodeURI(path.toWellFormed()).replaceAll("%25", "%")

/** It travels in a mailed link, or sealed in a cookie, which browsers keep up to 4 KB. */
const CARRIED_MAX = 1500

/** The path here to return to once somebody has proved who they are; undefined means the front page. */
export const carriedPath = (next: string | undefined, baseUrl: string): string | undefined => {
  const path = encoded(ownPath(next, baseUrl))
  return path === "/" || path.length > CARRIED_MAX ? undefined : path
}
