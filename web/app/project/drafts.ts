/**
 * Unsent text about a project, by what it is written to: it outlives its row, which a refreshed list may remove, and a
 * page load, as after a session ended. Signing out forgets it.
 */
import { useSession } from "../frame/session.ts"
import { makeStore } from "../ui/store.ts"
import { keepDrafts, keptDrafts } from "./kept-drafts.ts"

const drafts = makeStore(keptDrafts())

const set = (key: string, text: string | undefined): void => {
  const next = new Map(drafts.now())
  if (text === undefined) next.delete(key)
  else next.set(key, text)
  keepDrafts(next)
  drafts.set(next)
}

export interface Draft {
  /** Undefined where nothing is being written. */
  readonly text: string | undefined
  readonly write: (text: string) => void
  /** Call once it was given up, or sent: what was written on since then stays. */
  readonly forget: (sent?: string) => void
}

/** Belongs to whoever is signed in, which another window may have changed. */
export const useDraft = (kind: "about" | "answer" | "edit", id: string): Draft => {
  const { user } = useSession()
  const key = `${user.id} ${kind} ${id}`
  return { text: drafts.use().get(key), write: (text) => set(key, text), forget: (sent) => sent === undefined || drafts.now().get(key)?.trim() === sent ? set(key, undefined) : undefined }
}

export const useIsWriting = (kind: "answer" | "edit"): ((id: string) => boolean) => {
  const { user } = useSession()
  const all = drafts.use()
  return (id) => all.has(`${user.id} ${kind} ${id}`)
}
