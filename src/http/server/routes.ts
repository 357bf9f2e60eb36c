/** Which methods a path takes, in the API, in the app and beside them, and the route name that requests are counted and logged under. Derived from the contract. */
import { COMMENT_GATE, MEMBER_GATE } from "../../domain/hosting/gate-addresses.ts"
import { Api } from "../contract/api.ts"
import { RPC_PATH } from "../contract/rpc.ts"
import { appRouteOf } from "./app-routes.ts"
import { MUTE_PATH } from "./comment-mute.ts"

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

const READ = ["GET", "HEAD"]

/** Paths that the contract does not describe, without a trailing slash. */
const beside = new Map<string, ReadonlyArray<string>>([
  ...["register", "token", "revoke", "device_authorization"].map((name) => [`/oauth/${name}`, ["POST"]] as const),
  ...["/mcp", RPC_PATH].map((path) => [path, ["POST"]] as const),
  [MUTE_PATH, [...READ, "POST"]],
  ...["oauth-authorization-server", "oauth-protected-resource", "oauth-protected-resource/mcp", "mcp/server-card.json", "ai-catalog.json"]
    .map((name) => [`/.well-known/${name}`, READ] as const),
  ...["", "/docs", "/redoc", "/openapi.json", "/docs.md", "/mcp.md", "/llms.txt", "/mcp/server-card", "/mcp/clients.json", "/healthz", "/readyz", "/metrics", MEMBER_GATE, COMMENT_GATE].map((path) => [path, READ] as const)
])

/** The methods of a path; none when there is no such path. */
export const methodsOf = (path: string): ReadonlyArray<string> => {
  if (appRouteOf(path)?.known === true) return READ
  return beside.get(path.replace(/\/$/, "")) ?? [...new Set(known.filter((route) => route.matches.test(path)).flatMap(({ method }) => method === "GET" ? [method, "HEAD"] : [method]))]
}

/** The contract's path of a request, such as `/v1/projects/:slug`, or one beside it, such as `/mcp`; fixed paths win over patterns. */
export const routeOf = (method: string, path: string): string | undefined => {
  const asked = method === "HEAD" ? "GET" : method
  const matching = known.filter((route) => route.method === asked && route.matches.test(path))
  const bare = path.replace(/\/$/, "")
  return (matching.find((route) => route.path === path) ?? matching[0])?.path ?? (beside.has(bare) ? bare || "/" : undefined)
}
