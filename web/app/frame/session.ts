/** Who is signed in, in which workspace they are, and what they may do there. */
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { me, signOut } from "../api/account.ts"
import type { User, WorkspaceSummary } from "../api/account.ts"
import { loginUrl } from "../api/base.ts"
import { asRefusal, Refusal } from "../api/refusal.ts"
import { forgetEmail } from "../entry/noted.ts"
import { forgetDrafts } from "../project/kept-drafts.ts"
import { makeStore } from "../ui/store.ts"
import { toast } from "../ui/toasts.ts"
import { noteScheduled } from "./scheduled.ts"

const REMEMBERED = "svc-workspace"

/** Each tab keeps its own; a new one begins where somebody was last. */
const remembered = (): string | null => {
  try {
    return sessionStorage.getItem(REMEMBERED) ?? localStorage.getItem(REMEMBERED)
  } catch {
    return null
  }
}

const chosen = makeStore(remembered())

/** The one that is looked at: what was chosen, or else the first, which is one's own. */
export const chosenAmong = (workspaces: ReadonlyArray<WorkspaceSummary>): WorkspaceSummary | undefined =>
  workspaces.find((one) => one.id === chosen.now()) ?? workspaces[0]

/** By the switcher, or by an address that names one. */
export const choose = (id: string): void => {
  if (id === chosen.now()) return
  try {
    sessionStorage.setItem(REMEMBERED, id)
    localStorage.setItem(REMEMBERED, id)
  } catch {
    // Until the page is left.
  }
  chosen.set(id)
}

export interface Session {
  readonly user: User
  readonly workspaces: ReadonlyArray<WorkspaceSummary>
  /** The one that is looked at; none for those who are in no workspace. */
  readonly workspace: WorkspaceSummary | undefined
}

export const useSession = (): Session => {
  const { data: { user, workspaces } } = useSuspenseQuery(me)
  chosen.use()
  return { user, workspaces, workspace: chosenAmong(workspaces) }
}

export interface Permission {
  readonly isMember: boolean
  readonly isAdmin: boolean
  readonly isOwner: boolean
  /** Changes a project: its owner and the workspace's admins. Pass the project's owner. */
  readonly mayChange: (ownerId: string) => boolean
}

/** In the workspace that is looked at, or in the one that is named. The server decides; this only spares dead buttons. */
export const usePermission = (workspaceId?: string): Permission => {
  const { user, workspace, workspaces } = useSession()
  const here = workspaceId === undefined ? workspace : workspaces.find(({ id }) => id === workspaceId)
  const isAdmin = here?.role === "admin"
  return { isMember: here !== undefined, isAdmin, isOwner: here?.is_owner === true, mayChange: (ownerId) => isAdmin || ownerId === user.id }
}

export const isSignedOut = (error: unknown): boolean => error instanceof Refusal && error.signedOut

let leaving: Promise<never> | undefined

/** Leaves the app, once however many requests say so; the promise never ends, so that nothing is shown meanwhile. */
export const toLogin = (): Promise<never> =>
  leaving ??= new Promise(() => location.replace(loginUrl(location.pathname + location.search + location.hash)))

/** Leaves with the session. The browser keeps the page for its way back: nothing is on it by then, and it is loaded anew. */
export const leave = (to: string): Promise<never> => {
  forgetEmail()
  forgetDrafts()
  noteScheduled(null)
  addEventListener("pagehide", () => document.querySelector("#app")?.setAttribute("hidden", ""))
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload())
  // Nothing can be kept any more by staying.
  addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), { capture: true })
  return leaving ??= new Promise(() => location.assign(to))
}

export const useSignOut = () => {
  const client = useQueryClient()
  return async () => {
    try {
      await signOut()
    } catch (error) {
      // Whoever is signed out already wanted nothing else.
      if (!isSignedOut(error)) return toast({ text: `You are still signed in. ${asRefusal(error).message}`, tone: "bad" })
    }
    client.clear()
    await leave("/")
  }
}
