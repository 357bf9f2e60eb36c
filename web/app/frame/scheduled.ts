/** A workspace that was deleted from this tab: nobody is a member any more, so only this tab still knows of it. */
import { now } from "../api/clock.ts"
import { makeStore } from "../ui/store.ts"

const KEPT = "svc-scheduled"

interface Scheduled {
  readonly workspaceId: string
  /** Who deleted it: somebody else who signs in afterwards is not told. */
  readonly userId: string
  readonly name: string
  readonly eraseOn: string
}

const read = (): Scheduled | null => {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Scheduled | null
    return found !== null && new Date(found.eraseOn) > new Date(now()) ? found : null
  } catch {
    return null
  }
}

const scheduled = makeStore(read())

export const noteScheduled = (next: Scheduled | null): void => {
  try {
    if (next === null) sessionStorage.removeItem(KEPT)
    else sessionStorage.setItem(KEPT, JSON.stringify(next))
  } catch {
    // Then it is kept only until the page is left.
  }
  scheduled.set(next)
}

export const useScheduled = scheduled.use
