/** Who is signed in, in which workspace, and what they may do there. */
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import type { QueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { me, SIGNED_IN, signOut } from "../api/account.ts"
import type { User, WorkspaceSummary } from "../api/account.ts"
import { loginUrl } from "../api/base.ts"
import { forgetAhead } from "../api/queries.ts"
import { asRefusal, Refusal } from "../api/refusal.ts"
import { drawnFor } from "../api/whose.ts"
import { forgetNoted } from "../entry/noted.ts"
import { forgetDrafts } from "../project/kept-drafts.ts"
import { keep, kept } from "../ui/kept.ts"
import { makeStore } from "../ui/store.ts"
import { apart } from "../ui/apart.ts"
import { audience, dismissAll, toast } from "../ui/toasts.ts"
import { hasUnsent } from "../ui/unsent.ts"
import { noteScheduled } from "./scheduled.ts"

const REMEMBERED = "svc-workspace"

/** Each tab keeps its own; a new tab begins with the one used last. */
const chosen = makeStore(kept(REMEMBERED) ?? kept(REMEMBERED, "localStorage"))

/** The current workspace: the chosen one, or else the first, which is the user's own. */
export const chosenAmong = (workspaces: ReadonlyArray<WorkspaceSummary>): WorkspaceSummary | undefined =>
  workspaces.find((one) => one.id === chosen.now()) ?? workspaces[0]

/** Chosen in the switcher, or by an address that names it. */
export const choose = (id: string): void => {
  if (id === chosen.now()) return
  keep(REMEMBERED, id)
  keep(REMEMBERED, id, "localStorage")
  chosen.set(id)
}

export interface Session {
  readonly user: User
  readonly workspaces: ReadonlyArray<WorkspaceSummary>
  /** The current workspace; undefined for users who are in none. */
  readonly workspace: WorkspaceSummary | undefined
}

export const useSession = (): Session => {
  const { data: { user, workspaces } } = useSuspenseQuery(me)
  chosen.use()
  useEffect(() => drawnFor(user.id), [user.id])
  return { user, workspaces, workspace: chosenAmong(workspaces) }
}

let isLooking = false

/** For a user whose current workspace was not found: they were removed from it, or it was deleted. They go on in another one of theirs, and are told. */
export const workspaceGone = async (client: QueryClient): Promise<void> => {
  const before = chosenAmong(client.getQueryData(me.queryKey)?.workspaces ?? [])
  if (isLooking || before === undefined) return
  isLooking = true
  try {
    const { workspaces } = await client.fetchQuery({ ...me, staleTime: 0 })
    if (!workspaces.some(({ id }) => id === before.id)) toast({ text: `You are no longer in ${apart(before.name)}.` })
  } catch {
    // The screen says why nothing arrives.
  } finally {
    isLooking = false
  }
}

export interface Permission {
  readonly isMember: boolean
  readonly isAdmin: boolean
  readonly isOwner: boolean
  /** Who may change a project: its owner and the workspace's admins. Pass the project's owner. */
  readonly mayChange: (ownerId: string) => boolean
}

/** In the current workspace, or in the one named. The server decides; this only avoids dead buttons. */
export const usePermission = (workspaceId?: string): Permission => {
  const { user, workspace, workspaces } = useSession()
  const here = workspaceId === undefined ? workspace : workspaces.find(({ id }) => id === workspaceId)
  const isAdmin = here?.role === "admin"
  return { isMember: here !== undefined, isAdmin, isOwner: here?.is_owner === true, mayChange: (ownerId) => isAdmin || ownerId === user.id }
}

const forgetting: Array<() => void> = []

/** For what is kept outside any screen: called when the screen turns to another account, which it does not belong to. */
export const onAnother = (forget: () => void): void => void forgetting.push(forget)

// What they say is the former's, and so is what their "Undo" would take back.
onAnother(dismissAll)
onAnother(forgetAhead)

export const forgetFormer = (): void => {
  for (const forget of forgetting) forget()
}

export const isSignedOut = (error: unknown): boolean => error instanceof Refusal && error.signedOut

let leaving: Promise<never> | undefined

/** Leaves the app, once however many requests ask for it; the promise never ends, so that nothing is shown meanwhile. */
export const toLogin = (back = location.pathname + location.search + location.hash): Promise<never> =>
  leaving ??= new Promise(() => location.replace(loginUrl(back)))

/** Whether their session is over: staying would not save anything any more, so nothing asks. */
let isOver = false

// Where the browser asks first, and not a script (ui/unsent.ts), they may stay. The first listener of all: one that is added later is called too late to silence the others.
addEventListener("beforeunload", (event) => {
  if (isOver) event.stopImmediatePropagation()
  else if (event.isTrusted) setTimeout(() => event.defaultPrevented && (leaving = undefined), 1000)
}, { capture: true })

export const isLeaving = (): boolean => leaving !== undefined

const ended = makeStore(false)

/** Whether the session ended elsewhere while something here would be lost: what is on the screen stays until they go on. */
export const hasEnded = ended.now

export const useEnded = ended.use

/** Signing in again in another tab is enough. */
export const sessionHolds = (): void => {
  if (ended.now()) ended.set(false)
}

/** For a user whose session has ended. Whoever signed out in this browser left nothing for the next person to read. */
export const sessionEnded = (): void => {
  if (kept(SIGNED_IN, "localStorage") !== null && hasUnsent()) ended.set(true)
  else void toLogin()
}

/** Leaves after the session has ended. The browser may keep the page for its back button: it is hidden by then, and reloads when shown. */
export const leave = (to: string): Promise<never> => {
  forgetNoted()
  forgetDrafts()
  noteScheduled(null)
  keep(SIGNED_IN, null, "localStorage")
  addEventListener("pagehide", () => document.querySelector("#app")?.setAttribute("hidden", ""))
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload())
  isOver = true
  return leaving ??= new Promise(() => location.assign(to))
}

export const useSignOut = () => {
  const client = useQueryClient()
  return async () => {
    const told = audience()
    try {
      await signOut()
    } catch (error) {
      // Somebody else has the screen by now, and is told.
      if (told !== audience()) return
      // A user who is signed out already wanted nothing else.
      if (!isSignedOut(error)) return toast({ text: `You are still signed in. ${asRefusal(error).message}`, tone: "bad" })
    }
    client.clear()
    await leave("/")
  }
}
