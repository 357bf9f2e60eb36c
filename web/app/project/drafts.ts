/**
 * What is being written about a project, by what it is written to: it outlives the row it stands in, which a list that is
 * read anew may take away, and a page that is loaded anew, as where a session ended meanwhile. Signing out forgets it.
 */
import { useSyncExternalStore } from "react"
import { useSession } from "../frame/session.ts"
import { keepDrafts, keptDrafts } from "./kept-drafts.ts"

let drafts = keptDrafts()
const listeners = new Set<() => void>()

const set = (key: string, text: string | undefined): void => {
  const next = new Map(drafts)
  if (text === undefined) next.delete(key)
  else next.set(key, text)
  drafts = next
  keepDrafts(next)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const useDrafts = () => useSyncExternalStore(subscribe, () => drafts)

export interface Draft {
  /** None where nothing is being written. */
  readonly text: string | undefined
  readonly write: (text: string) => void
  /** Sent, or given up. */
  readonly forget: () => void
}

/** Of whoever is signed in; another window may have changed who that is. */
export const useDraft = (kind: "about" | "answer" | "edit", id: string): Draft => {
  const { user } = useSession()
  const key = `${user.id} ${kind} ${id}`
  return { text: useDrafts().get(key), write: (text) => set(key, text), forget: () => set(key, undefined) }
}

export const useIsAnswering = (): ((thread: string) => boolean) => {
  const { user } = useSession()
  const all = useDrafts()
  return (thread) => all.has(`${user.id} answer ${thread}`)
}
