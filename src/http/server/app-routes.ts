/** Which addresses the web app answers, each a route in web/app/router.tsx; every other one is a page of the server's, or the API's. */

/** `visitor`: whoever is signed out gets the server's page. `:name` stands for one step of a path. */
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

/** The ways in. Their addresses carry tokens and codes, so nothing keeps what is answered there. */
const ENTRIES = /^\/(?:login|signup|magic-link|forgot-password|reset-password|verify-email|invite|device|oauth\/authorize)\/?$/

/** Beneath these everything is the app's: what it does not know there, it says itself, and the status is 404. */
const GROUNDS = /^\/(?:projects|workspace|account|connect)(?:\/|$)/

/** What most visits begin with, as sources of the build: the page asks for them at once. */
const SCREENS: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/^\/$/, ["library/library.tsx"]],
  [/^\/projects\/[^/]+\/?$/, ["project/project.tsx", "project/overview.tsx"]],
  [/^\/login\/?$/, ["entry/login.tsx"]]
]

/** What their screens ask the API for first, in the very words in which they ask. */
const READS: ReadonlyArray<readonly [RegExp, (slug: string) => ReadonlyArray<string>]> = [
  [/^\/$/, () => ["/v1/projects?limit=60&include=excerpt", "/v1/folders?limit=100"]],
  [/^\/projects\/([a-z0-9-]{1,63})(?:\/[a-z]+)?\/?$/, (slug) => [`/v1/projects/${slug}?include=excerpt`]]
]

/** A query may ask for something else. */
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
  /** Of the API, for whoever is signed in. */
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
