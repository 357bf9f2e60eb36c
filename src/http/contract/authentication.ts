/**
 * Who is calling (SPEC §5). Proofs, not checks: a handler that needs `Caller` cannot run without the middleware.
 * A request with an `Authorization` header is judged by it alone; without one, a session must carry the CSRF
 * token on everything that changes something.
 */
import { Context } from "effect"
import type { DateTime } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { User } from "../../domain/accounts/model.ts"
import { AuthRequired, Forbidden, NotFound } from "../../domain/failures.ts"
import type { ProjectId } from "../../domain/projects/model.ts"
import type { Administered } from "../../domain/workspaces/model.ts"
import { refusal } from "./envelope.ts"

export const SESSION_COOKIE = "__Host-svc_session"
export const CSRF_COOKIE = "__Host-svc_csrf"
export const CSRF_HEADER = "x-csrf-token"

/** The account for which a page was drawn. All tabs of a browser share one session, and another tab may have changed whose it is. */
export const ACCOUNT_HEADER = "x-account-id"

/** `since`: when the session signed in. */
export class Caller extends Context.Service<
  Caller,
  { readonly user: User; readonly via: "session"; readonly since: DateTime.Utc } | { readonly user: User; readonly via: "token" }
>()("svc/http/contract/Caller") {}

/** The token of an `Authorization` header that holds a bearer token and nothing else (RFC 6750 §2.1). */
export const bearerOf = (header: string | undefined): string | undefined => /^Bearer +([^\s]+) *$/i.exec(header ?? "")?.[1]

/** The session's cookie, if any. A request with an `Authorization` header has no session. */
export const sessionCookieOf = ({ cookies, headers }: Pick<HttpServerRequest.HttpServerRequest, "cookies" | "headers">): string | undefined =>
  headers["authorization"] === undefined ? cookies[SESSION_COOKIE] : undefined

const bearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(OpenApi.annotations({
    description: "An API token, `Authorization: Bearer svc_…`."
  }))
)

const session = HttpApiSecurity.apiKey({ in: "cookie", key: SESSION_COOKIE }).pipe(
  HttpApiSecurity.annotateMerge(OpenApi.annotations({
    description: "A browser session. Everything but GET also wants the `X-CSRF-Token` header, with the value of the `__Host-svc_csrf` cookie. An `X-Account-Id` header is refused with 403 where it names another account than the one signed in: a page that was drawn for somebody does nothing in the name of whoever signed in since."
  }))
)

const refusals = [refusal(AuthRequired, 401), refusal(Forbidden, 403)] as const

export class Authenticated extends HttpApiMiddleware.Service<Authenticated, { provides: Caller }>()(
  "svc/http/contract/Authenticated",
  { security: { bearer, session }, error: refusals }
) {}

/** For what a leaked token must not reach: a bearer token counts as no credential at all (SPEC §5.6). */
export class SessionOnly extends HttpApiMiddleware.Service<SessionOnly, { provides: Caller }>()(
  "svc/http/contract/SessionOnly",
  { security: { session }, error: refusals }
) {}

/** For what signs a browser in, which has no session's CSRF token yet: a page of another origin must not do that in its reader's name. */
export class SignsIn extends HttpApiMiddleware.Service<SignsIn>()("svc/http/contract/SignsIn", { error: refusal(Forbidden, 403) }) {}

/** The workspace that `?workspace=` selects, and the caller as one of its admins. */
export class AdminWorkspace extends Context.Service<AdminWorkspace, Administered>()("svc/http/contract/AdminWorkspace") {}

/** Admins only: strangers get 404, other members 403 (SPEC §4.4, §5.8). Runs inside the middleware that provides `Caller`. */
export class WorkspaceAdmin extends HttpApiMiddleware.Service<WorkspaceAdmin, { provides: AdminWorkspace; requires: Caller }>()(
  "svc/http/contract/WorkspaceAdmin",
  { error: [refusal(NotFound, 404), refusal(Forbidden, 403)] }
) {}

/** The project whose viewer sent the request, where it came from a viewer’s origin with a session. */
export class Viewer extends Context.Service<Viewer, { readonly projectId: ProjectId | undefined }>()("svc/http/contract/Viewer") {}

/** Lets trusted viewer origins read the answer; outermost, so that refusals pass through it too (SPEC §4.1, scoped GET /v1/me). */
export class ViewerOrigin extends HttpApiMiddleware.Service<ViewerOrigin, { provides: Viewer }>()("svc/http/contract/ViewerOrigin", { error: refusal(AuthRequired, 401) }) {}
