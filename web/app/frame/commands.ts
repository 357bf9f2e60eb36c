/** What the command palette can do: each screen registers its own commands while it is shown. */
import { useEffect, useSyncExternalStore } from "react"
import type { IconName } from "../ui/icon.tsx"

export interface Command {
  readonly id: string
  /** A verb: "Publish a file". */
  readonly name: string
  readonly icon: IconName
  readonly run: () => void
  /** Other words for it. */
  readonly words?: ReadonlyArray<string>
}

let registered: ReadonlyMap<string, Command> = new Map()
let open = false
const listeners = new Set<() => void>()
const told = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Keep `commands` the same value between renders (useMemo): each new one is registered anew. */
export const useCommands = (commands: ReadonlyArray<Command>): void =>
  useEffect(() => {
    registered = new Map([...registered, ...commands.map((command) => [command.id, command] as const)])
    told()
    return () => {
      registered = new Map([...registered].filter(([id, command]) => !commands.some((one) => one.id === id && one === command)))
      told()
    }
  }, [commands])

export const useRegistered = () => useSyncExternalStore(subscribe, () => registered)

export const usePaletteOpen = () => useSyncExternalStore(subscribe, () => open)

export const setPaletteOpen = (next: boolean): void => {
  open = next
  told()
}
