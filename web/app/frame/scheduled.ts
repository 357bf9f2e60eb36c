/** A workspace that was deleted from this tab: nobody is in it any more, so this tab alone still knows of it. */
import { useSyncExternalStore } from "react"
import { now as atService } from "../api/clock.ts"

const KEPT = "svc-scheduled"

interface Scheduled {
  readonly workspaceId: string
  /** Who deleted it: whoever signs in after them knows nothing of it. */
  readonly userId: string
  readonly name: string
  readonly eraseOn: string
}

const read = (): Scheduled | null => {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Scheduled | null
    return found !== null && new Date(found.eraseOn) > new Date(atService()) ? found : null
  } catch {
    return null
  }
}

let now = read()
const listeners = new Set<() => void>()

export const noteScheduled = (next: Scheduled | null): void => {
  now = next
  try {
    if (next === null) sessionStorage.removeItem(KEPT)
    else sessionStorage.setItem(KEPT, JSON.stringify(next))
  } catch {
    // Until the page is left.
  }
  for (const listener of listeners) listener()
}

export const useScheduled = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, () => now)
