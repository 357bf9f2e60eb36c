/** A workspace that was deleted from this tab: nobody is a member any more, so only this tab still knows of it. */
import { now } from "../api/clock.ts"
import { keep, kept } from "../ui/kept.ts"
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
    const found = JSON.parse(kept(KEPT) ?? "null") as Scheduled | null
    return found !== null && new Date(found.eraseOn) > new Date(now()) ? found : null
  } catch {
    return null
  }
}

const scheduled = makeStore(read())

export const noteScheduled = (next: Scheduled | null): void => {
  keep(KEPT, next === null ? null : JSON.stringify(next))
  scheduled.set(next)
}

export const useScheduled = scheduled.use
