/** Where somebody was going before they had to show who they are. The same rule as the server's: a path of ours, never another site. */
import { useSearch } from "@tanstack/react-router"
import { baseUrl, sameOrigin } from "../api/base.ts"

/** The API's own address may stand before it. The front page is none. */
export const ownPath = (given: unknown): string | undefined => {
  if (typeof given !== "string") return undefined
  const path = given.startsWith(`${baseUrl}/`) ? given.slice(baseUrl.length) : given
  return path !== "/" && /^\/(?![/\\])[^\s\\]*$/.test(path) ? path : undefined
}

/** What somebody can do once they are in: a document that they came to comment on sends them by its gate. */
export const purposeOf = (next: string | undefined): "comment" | "go on" | "publish" =>
  next === undefined ? "publish" : next.startsWith("/v1/gate/comment?") ? "comment" : "go on"

export interface NextSearch {
  readonly next?: string
}

export const nextSearch = (given: Record<string, unknown>): NextSearch => {
  const next = ownPath(given["next"])
  return next === undefined ? {} : { next }
}

export const useNext = (): string | undefined => useSearch({ strict: false }).next

/** For links between these pages. */
export const carrying = (next: string | undefined): NextSearch => next === undefined ? {} : { next }

/** Gates are the API's, every other page is the app's. */
export const addressOf = (path: string): string => (path.startsWith("/v1/") ? baseUrl : "") + path

/** A load of its own: what was remembered for nobody, or for somebody else, is gone with it. */
export const goOn = (next: string | undefined): void => location.assign(addressOf(next ?? "/"))

/** What another origin's cookies say cannot be read; there the app itself leads to the sign-in where it must. */
export const seemsSignedIn = (): boolean => !sameOrigin || document.cookie.includes("__Host-svc_csrf=")

/** On from a page that signs nobody in. */
export const onward = (next: string | undefined): string => next === undefined ? seemsSignedIn() ? "/" : "/login" : addressOf(next)
