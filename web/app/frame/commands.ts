/** What the command palette can do: each screen registers its own commands while it is shown. */
import { useEffect } from "react"
import type { IconName } from "../ui/icon.tsx"
import { makeStore } from "../ui/store.ts"

export interface Command {
  readonly id: string
  /** A verb: "Publish a file". */
  readonly name: string
  readonly icon: IconName
  readonly run: () => void
  /** Other words that find it. */
  readonly words?: ReadonlyArray<string>
}

const registered = makeStore<ReadonlyMap<string, Command>>(new Map())
const open = makeStore(false)

/** Keep `commands` the same value between renders (useMemo): each new one is registered again. */
export const useCommands = (commands: ReadonlyArray<Command>): void =>
  useEffect(() => {
    registered.set(new Map([...registered.now(), ...commands.map((command) => [command.id, command] as const)]))
    return () => registered.set(new Map([...registered.now()].filter(([id, command]) => !commands.some((one) => one.id === id && one === command))))
  }, [commands])

export const useRegistered = registered.use

export const usePaletteOpen = open.use

export const setPaletteOpen = open.set
