/** Parts of the app that load on demand. */
import { createElement, lazy, useState } from "react"
import type { ComponentType } from "react"
import { toast } from "./toasts.ts"

type Load<Part> = () => Promise<Part>

const here = new WeakMap<Load<unknown>, unknown>()

const arrive = async <Part>(load: Load<Part>): Promise<Part> => {
  const part = await load()
  here.set(load, part)
  return part
}

/** Loads ahead, and ignores failures: those are reported once it is asked for. */
export const ahead = (load: Load<unknown>): void => void arrive(load).catch(() => undefined)

/**
 * A component of a part, drawn at once where the part is here. React's `lazy` alone waits for a promise all the same: it draws the
 * fallback first, and what has arrived no sooner than 300 ms after that.
 */
export const partOf = <Part, Props extends object>(load: Load<Part>, pick: (part: Part) => ComponentType<Props>): ComponentType<Props> => {
  const Waiting = lazy(async () => ({ default: pick(await arrive(load)) }))
  return (props) => {
    const [Shown] = useState<ComponentType<Props>>(() => here.has(load) ? pick(here.get(load) as Part) : Waiting)
    return createElement(Shown, props)
  }
}

const failed = new WeakSet<Load<unknown>>()

/**
 * Runs `then` once the part has loaded. If it does not load, a toast says so, and the page stays as it is. What fails
 * twice may do so until the page is loaded anew: Firefox asks for a module only once, as HTML has it.
 */
export const loaded = async (load: Load<unknown>, then: () => void): Promise<void> => {
  try {
    await arrive(load)
  } catch {
    if (failed.has(load) && navigator.onLine) return toast({ text: "This did not load. Reload the page to try again.", tone: "bad", reload: true })
    failed.add(load)
    return toast({ text: "This did not load. Check your connection; nothing was lost.", tone: "bad", again: () => void loaded(load, then) })
  }
  failed.delete(load)
  then()
}
