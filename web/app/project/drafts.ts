/**
 * What is being written about a project, by what it is written to: it outlives the row it stands in, which a list that is
 * read anew may take away, and a page that is loaded anew, as where a session ended meanwhile. Signing out forgets it.
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
  return { text: drafts.use().get(key), write: (text) => set(key, text), forget: () => set(key, undefined) }
}

export const useIsAnswering = (): ((thread: string) => boolean) => {
  const { user } = useSession()
  const all = drafts.use()
  return (thread) => all.has(`${user.id} answer ${thread}`)
}
