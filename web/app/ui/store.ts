/** State kept outside any screen: going elsewhere does not end it, and components that use it are rendered again when it changes. */
import { useSyncExternalStore } from "react"

export interface Store<A> {
  readonly now: () => A
  readonly set: (next: A) => void
  /** A hook. */
  readonly use: () => A
}

export const makeStore = <A>(first: A): Store<A> => {
  const listeners = new Set<() => void>()
  let kept = first

  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  const now = () => kept
  return {
    now,
    set: (next) => {
      kept = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, now)
  }
}
