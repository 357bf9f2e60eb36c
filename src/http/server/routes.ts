/** Which methods a path of the API knows, and under which name its requests are counted. Read off the contract. */
import { Api } from "../contract/api.ts"

interface Known {
  readonly method: string
  readonly path: string
  readonly matches: RegExp
}

const known: ReadonlyArray<Known> = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).map(({ method, path }) => ({
    method,
    path,
    matches: new RegExp(`^${path.replaceAll(/:[a-z_]+/g, "[^/]+")}/?$`)
  }))
)

/** The methods of a path; none when there is no such path. */
export const methodsOf = (path: string): ReadonlyArray<string> =>
  [...new Set(known.filter((route) => route.matches.test(path)).flatMap(({ method }) => method === "GET" ? [method, "HEAD"] : [method]))]

/** The contract's path of a request, such as `/v1/projects/:slug`; its fixed paths come before its patterns. */
export const routeOf = (method: string, path: string): string | undefined => {
  const asked = method === "HEAD" ? "GET" : method
  const matching = known.filter((route) => route.method === asked && route.matches.test(path))
  return (matching.find((route) => route.path === path) ?? matching[0])?.path
}
