/** Every screen and its address. A screen is a lazy import; `src/http/server/app-routes.ts` names the same addresses. */
import type { QueryClient } from "@tanstack/react-query"
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, notFound, redirect } from "@tanstack/react-router"
import { me } from "./api/account.ts"
import type { Me } from "./api/account.ts"
import { agentClients } from "./api/agents.ts"
import { nextSearch } from "./entry/next.ts"
import { projectOf } from "./api/projects.ts"
import { offline } from "./api/refusal.ts"
import { shareLinksOf } from "./api/share-links.ts"
import { Frame, FrameWaiting } from "./frame/frame.tsx"
import { choose, chosenAmong, hasEnded, isSignedOut, toLogin } from "./frame/session.ts"
import { standingKnown } from "./frame/standing.tsx"
import { NotFound, NotFoundAlone, Trouble } from "./frame/trouble.tsx"
import { checked, parseSearch, stringifySearch } from "./search.ts"

interface Context {
  readonly queries: QueryClient
}

const root = createRootRouteWithContext<Context>()({ notFoundComponent: NotFoundAlone })

const text = (value: unknown): string | undefined => typeof value === "string" && value !== "" ? value : undefined

/** Offline, a missing part of the app is reported within it: the router would reload the page, which would fail. */
const screen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch((error: unknown) => {
    throw navigator.onLine ? error : offline()
  }), name)

interface FramedSearch {
  /** The workspace that is meant: any address may name one, which then becomes the current one. */
  readonly workspace?: string
}

/** Whoever is not signed in does that first, and comes back. */
const signedIn = async (queries: QueryClient, here: string): Promise<Me> => {
  try {
    return await queries.ensureQueryData(me)
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: "/login", search: { next: here }, replace: true })
    throw error
  }
}

/** Somebody may have signed in meanwhile, in another tab. A read that is under way may have been answered before that. */
const stillEnded = (queries: QueryClient): Promise<boolean> =>
  queries.cancelQueries({ queryKey: me.queryKey }).then(() => queries.fetchQuery({ ...me, staleTime: 0 })).then(() => false, isSignedOut)

/** Screens for signed-in users. */
const framed = createRoute({
  getParentRoute: () => root,
  id: "framed",
  component: Frame,
  pendingComponent: FrameWaiting,
  validateSearch: checked<FramedSearch>(["workspace"], (given) => {
    const workspace = text(given["workspace"])
    return workspace === undefined ? {} : { workspace }
  }),
  beforeLoad: async ({ context, location, preload, search }) => {
    if (!preload && hasEnded() && await stillEnded(context.queries)) await toLogin(location.href)
    const { workspaces } = await signedIn(context.queries, location.href)
    if (preload) return
    if (workspaces.some(({ id }) => id === search.workspace)) choose(search.workspace!)
    await standingKnown(context.queries, chosenAmong(workspaces))
  }
})

/** The same without the frame around it, for pages that decide one thing. */
const asked = createRoute({
  getParentRoute: () => root,
  id: "asked",
  beforeLoad: async ({ context, location }) => void await signedIn(context.queries, location.href)
})

const login = createRoute({ getParentRoute: () => root, path: "/login", validateSearch: nextSearch, component: screen(() => import("./entry/login.tsx"), "Login") })
const signup = createRoute({ getParentRoute: () => root, path: "/signup", validateSearch: nextSearch, component: screen(() => import("./entry/signup.tsx"), "SignUp") })
const magicLink = createRoute({ getParentRoute: () => root, path: "/magic-link", validateSearch: nextSearch, component: screen(() => import("./entry/magic-link.tsx"), "MagicLink") })
const forgotPassword = createRoute({ getParentRoute: () => root, path: "/forgot-password", validateSearch: nextSearch, component: screen(() => import("./entry/password.tsx"), "ForgotPassword") })
const resetPassword = createRoute({ getParentRoute: () => root, path: "/reset-password", validateSearch: nextSearch, component: screen(() => import("./entry/password.tsx"), "ResetPassword") })
const verifyEmail = createRoute({ getParentRoute: () => root, path: "/verify-email", validateSearch: nextSearch, component: screen(() => import("./entry/verify-email.tsx"), "VerifyEmail") })
const invite = createRoute({ getParentRoute: () => root, path: "/invite", component: screen(() => import("./entry/invite.tsx"), "Invite") })

/** Keeps those of the named parameters that are present. */
const texts = <const Name extends string>(...names: ReadonlyArray<Name>) =>
  checked<{ readonly [Key in Name]?: string }>(names, (given) => Object.fromEntries(names.flatMap((name) => text(given[name]) === undefined ? [] : [[name, given[name]]])) as { readonly [Key in Name]?: string })

const device = createRoute({ getParentRoute: () => asked, path: "/device", validateSearch: texts("user_code"), component: screen(() => import("./entry/device.tsx"), "Device") })
const consent = createRoute({
  getParentRoute: () => asked,
  path: "/oauth/authorize",
  validateSearch: texts("client_id", "redirect_uri", "response_type", "code_challenge", "code_challenge_method", "scope", "state", "resource"),
  component: screen(() => import("./entry/consent.tsx"), "Consent")
})

const SORTS = ["newest", "changed", "title", "size"] as const
export type Sort = (typeof SORTS)[number]

export interface LibrarySearch {
  readonly q?: string | undefined
  readonly sort?: Sort
  readonly folder?: string
  readonly view?: "list"
  /** All of many folders are shown. */
  readonly folders?: "all" | undefined
}

const library = createRoute({
  getParentRoute: () => framed,
  path: "/",
  validateSearch: checked<LibrarySearch>(["q", "sort", "folder", "view", "folders"], (given) => {
    const [q, folder, sort] = [text(given["q"]), text(given["folder"]), SORTS.find((one) => one === given["sort"])]
    return { ...(q && { q }), ...(folder && { folder }), ...(sort && { sort }), ...(given["view"] === "list" && { view: "list" as const }), ...(given["folders"] === "all" && { folders: "all" as const }) }
  }),
  component: screen(() => import("./library/library.tsx"), "Library")
})

const project = createRoute({
  getParentRoute: () => framed,
  path: "/projects/$slug",
  loader: ({ context, params }) => context.queries.ensureQueryData(projectOf(params.slug)),
  component: screen(() => import("./project/project.tsx"), "ProjectPage")
})

const overview = createRoute({ getParentRoute: () => project, path: "/", component: screen(() => import("./project/overview.tsx"), "Overview") })
/** Its list is loaded first: arriving late, it would push up the sheet that this screen is on a phone. */
const share = createRoute({ getParentRoute: () => project, path: "share", loader: ({ context, params }) => context.queries.prefetchQuery(shareLinksOf(params.slug)), component: screen(() => import("./project/share.tsx"), "Share") })
const versions = createRoute({
  getParentRoute: () => project,
  path: "versions",
  validateSearch: checked<{ readonly from?: number; readonly to?: number }>(["from", "to"], (given) => {
    const [from, to] = [Number(given["from"]), Number(given["to"])]
    return Number.isInteger(from) && Number.isInteger(to) && from > 0 && to > 0 ? { from, to } : {}
  }),
  component: screen(() => import("./project/versions.tsx"), "Versions")
})
const comments = createRoute({ getParentRoute: () => project, path: "comments", component: screen(() => import("./project/comments.tsx"), "Comments") })
const analytics = createRoute({ getParentRoute: () => project, path: "analytics", component: screen(() => import("./project/analytics.tsx"), "ProjectAnalytics") })
const settings = createRoute({ getParentRoute: () => project, path: "settings", component: screen(() => import("./project/settings.tsx"), "ProjectSettings") })

/** For users with several workspaces, these addresses name the workspace: one copied from the address bar opens the same for another admin. */
const workspace = createRoute({
  getParentRoute: () => framed,
  path: "/workspace",
  beforeLoad: async ({ context, location, preload, search }) => {
    if (preload) return
    const { workspaces } = await context.queries.ensureQueryData(me)
    if (search.workspace === undefined) {
      const here = chosenAmong(workspaces)
      if (workspaces.length < 2 || here === undefined) return
      throw redirect({ to: location.pathname, search: { ...location.search, workspace: here.id }, replace: true })
    }
    if (workspaces.some(({ id }) => id === search.workspace)) return
    // The user may have joined a moment ago, in another tab.
    const fresh = await context.queries.fetchQuery({ ...me, staleTime: 0 })
    if (!fresh.workspaces.some(({ id }) => id === search.workspace)) throw notFound()
    choose(search.workspace)
  },
  component: screen(() => import("./workspace/workspace.tsx"), "WorkspacePage")
})

export interface BillingSearch {
  readonly checkout?: "done" | "cancelled"
  readonly portal?: "back"
}

const general = createRoute({ getParentRoute: () => workspace, path: "/", component: screen(() => import("./workspace/general.tsx"), "General") })
const members = createRoute({ getParentRoute: () => workspace, path: "members", component: screen(() => import("./workspace/members.tsx"), "Members") })
const billing = createRoute({
  getParentRoute: () => workspace,
  path: "billing",
  validateSearch: checked<BillingSearch>(["checkout", "portal"], ({ checkout, portal }) =>
    checkout === "done" || checkout === "cancelled" ? { checkout } : portal === "back" ? { portal } : {}),
  component: screen(() => import("./workspace/billing.tsx"), "Billing")
})
const audit = createRoute({ getParentRoute: () => workspace, path: "audit", component: screen(() => import("./workspace/audit.tsx"), "Audit") })
const exported = createRoute({ getParentRoute: () => workspace, path: "export", component: screen(() => import("./workspace/export.tsx"), "Export") })

const account = createRoute({ getParentRoute: () => framed, path: "/account", component: screen(() => import("./account/account.tsx"), "AccountPage") })
const you = createRoute({ getParentRoute: () => account, path: "/", component: screen(() => import("./account/you.tsx"), "You") })
const reports = texts("idp_linked", "idp_link_error")
const signingIn = createRoute({
  getParentRoute: () => account,
  path: "sign-in",
  validateSearch: reports,
  component: screen(() => import("./account/sign-in.tsx"), "SigningIn")
})
const tokens = createRoute({ getParentRoute: () => account, path: "tokens", component: screen(() => import("./account/tokens.tsx"), "Tokens") })
const connections = createRoute({ getParentRoute: () => account, path: "connections", component: screen(() => import("./account/connections.tsx"), "Connections") })
const deletion = createRoute({ getParentRoute: () => account, path: "delete", component: screen(() => import("./account/delete.tsx"), "DeleteAccount") })
/** Where the redirect back from the identity provider lands. */
const reported = createRoute({
  getParentRoute: () => framed,
  path: "/settings",
  beforeLoad: ({ location }) => {
    const search = reports(location.search)
    throw redirect({ ...(Object.values(search).every((value) => value === undefined) ? { to: "/account" } : { to: "/account/sign-in", search }), replace: true })
  }
})
/** What it lists is loaded first, so that nothing below is pushed down. */
const connect = createRoute({ getParentRoute: () => framed, path: "/connect", loader: ({ context }) => context.queries.prefetchQuery(agentClients), component: screen(() => import("./connect/connect.tsx"), "Connect") })

const tree = root.addChildren([
  framed.addChildren([library, project.addChildren([overview, share, versions, comments, analytics, settings]), workspace.addChildren([general, members, billing, audit, exported]), account.addChildren([you, signingIn, tokens, connections, deletion]), reported, connect]),
  asked.addChildren([device, consent]),
  login,
  signup,
  magicLink,
  forgotPassword,
  resetPassword,
  verifyEmail,
  invite
])

export const makeRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { queries },
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultPreload: "intent",
    // What is cached, and for how long, is decided in api/queries.ts alone.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    defaultErrorComponent: Trouble,
    defaultNotFoundComponent: () => <NotFound />
  })

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: ReturnType<typeof makeRouter>
  }
}
