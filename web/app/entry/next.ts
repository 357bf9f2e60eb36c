/** Where somebody was going before they had to sign in: a path of ours, never another site. */
import { useSearch } from "@tanstack/react-router"
import { baseUrl, sameOrigin } from "../api/base.ts"
import { keepsCsrf } from "../api/csrf.ts"
import { checked } from "../search.ts"
import { ownPath } from "./own-paths.ts"

/** What somebody can do once they are signed in: a document that they want to comment on sends them through its gate. */
export const purposeOf = (next: string | undefined): "comment" | "go on" | "publish" =>
  next === undefined ? "publish" : next.startsWith("/v1/gate/comment?") ? "comment" : "go on"

/** By the address alone, which says nothing about who asks there, or whether anything is there. */
const STEPS: ReadonlyArray<readonly [at: RegExp, step: string]> = [
  [/^\/v1\/gate\/member$/, "open the document"],
  [/^\/oauth\/authorize\/?$/, "decide about an agent that asks"],
  [/^\/device\/?$/, "decide about a device that asks"],
  [/^\/projects\/./, "open the project"]
]

/** What somebody signs in for, where they were going somewhere. */
export const reasonOf = (next: string | undefined): string | undefined => {
  if (next === undefined) return undefined
  // As the browser will read it: `/device/../account` leads to no device.
  const { pathname } = new URL(next, "http://localhost")
  return `Sign in to ${STEPS.find(([at]) => at.test(pathname))?.[1] ?? purposeOf(next)}.`
}

export interface NextSearch {
  readonly next?: string
}

export const nextSearch = checked<NextSearch>(["next"], (given) => carrying(ownPath(given["next"], baseUrl)))

export const useNext = (): string | undefined => useSearch({ strict: false }).next

/** For links between these pages. */
export const carrying = (next: string | undefined): NextSearch => next === undefined ? {} : { next }

/** Gates belong to the API, every other page to the app. */
const addressOf = (path: string): string => (path.startsWith("/v1/") ? baseUrl : "") + path

/** A full page load, which drops what was cached for nobody or for somebody else; in place of the page that signed in, which the way back would show again. */
export const goOn = (next: string | undefined): void => location.replace(addressOf(next ?? "/"))

/** Another origin's cookies cannot be read; there, the app itself leads to the sign-in where it must. */
export const seemsSignedIn = (): boolean => !sameOrigin || keepsCsrf()

/** Where to go from a page that signs nobody in. */
export const onward = (next: string | undefined): string => next === undefined ? seemsSignedIn() ? "/" : "/login" : addressOf(next)
