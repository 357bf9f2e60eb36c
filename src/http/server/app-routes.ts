/** Which addresses the web app answers, each a route in web/app/router.tsx; all others are the server's pages or the API. */

/** `visitor` says whether somebody signed out gets the app or the server's page. `:name` stands for one path segment. */
const routes: ReadonlyArray<readonly [path: string, visitor: "app" | "page"]> = [
  ["/", "page"],
  ["/projects/:slug", "app"],
  ["/projects/:slug/:tab", "app"],
  ["/workspace", "app"],
  ["/workspace/:page", "app"],
  ["/account", "app"],
  ["/account/:page", "app"],
  ["/connect", "app"],
  ["/settings", "app"]
]

/** The sign-in addresses. They carry tokens and codes, so nothing may cache their answers. */
const ENTRIES = /^\/(?:login|signup|magic-link|forgot-password|reset-password|verify-email|invite|device|oauth\/authorize)\/?$/

/** Every address under these is the app's: for an unknown one it shows its own page, with status 404. */
const GROUNDS = /^\/(?:projects|workspace|account|connect)(?:\/|$)/

/** The screens that most visits begin with, by their source files: the page preloads their scripts. */
const SCREENS: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/^\/$/, ["library/library.tsx"]],
  [/^\/projects\/[^/]+\/?$/, ["project/project.tsx", "project/overview.tsx"]],
  [/^\/login\/?$/, ["entry/login.tsx"]]
]

/** What those screens first request from the API, spelled exactly as they spell it, so that the preloaded answer is used. */
const READS: ReadonlyArray<readonly [RegExp, (slug: string) => ReadonlyArray<string>]> = [
  [/^\/$/, () => ["/v1/projects?limit=60&include=excerpt", "/v1/folders?limit=100"]],
  [/^\/projects\/([a-z0-9-]{1,63})(?:\/[a-z]+)?\/?$/, (slug) => [`/v1/projects/${slug}?include=excerpt`]]
]

/** None where the URL has a query, which may change what the screen requests. */
const readsAt = (url: string): ReadonlyArray<string> => {
  for (const [pattern, reads] of READS) {
    const found = pattern.exec(url)
    if (found !== null) return reads(found[1] ?? "")
  }
  return []
}

const screensAt = (path: string): ReadonlyArray<string> => SCREENS.find(([pattern]) => pattern.test(path))?.[1] ?? []

const patterns = routes.map(([path, visitor]) => [new RegExp(`^${path.replaceAll(/:[a-z]+/g, "[^/]+")}/?$`), visitor] as const)

export interface AppRoute {
  readonly visitor: "app" | "page"
  readonly known: boolean
  readonly kept: boolean
  readonly screens: ReadonlyArray<string>
  /** API requests to preload for somebody who is signed in. */
  readonly reads: ReadonlyArray<string>
}

export const appRouteOf = (url: string): AppRoute | undefined => {
  const [path = "/"] = url.split("?", 1)
  const reads = ["/v1/me", ...readsAt(url)]
  const screens = screensAt(path)
  if (ENTRIES.test(path)) return { visitor: "app", known: true, kept: false, screens, reads: [] }
  const found = patterns.find(([pattern]) => pattern.test(path))
  if (found !== undefined) return { visitor: found[1], known: true, kept: true, screens, reads }
  return GROUNDS.test(path) ? { visitor: "app", known: false, kept: true, screens, reads } : undefined
}
