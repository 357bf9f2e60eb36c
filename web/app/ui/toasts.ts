/** Short notices at the foot of the page, from anywhere. */
import { makeStore } from "./store.ts"

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone?: "bad"
  /** Offers undo for as long as the toast stays. */
  readonly undo?: () => void
  /** Offers to retry what did not work. */
  readonly again?: () => void
  /** Offers to load the page anew, for what only that brings back. */
  readonly reload?: true
}

const toasts = makeStore<ReadonlyArray<Toast>>([])
let made = 0

export const toast = (given: Omit<Toast, "id">): void => toasts.set([...toasts.now().slice(-2), { ...given, id: ++made }])

export const dismiss = (id: number): void => toasts.set(toasts.now().filter((one) => one.id !== id))

let dismissed = 0

export const dismissAll = (): void => {
  dismissed++
  toasts.set([])
}

/** Another value once all of them were dismissed: what began before that is nothing to tell whoever looks on now. */
export const audience = (): number => dismissed

export const useToasts = toasts.use

/** Browsers forbid it now and then, and always without TLS: a toast then says so. */
export const copied = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    toast({ text: "This browser does not let us copy. Select it and copy it by hand.", tone: "bad" })
    return false
  }
}

/** Presses of Escape that reached a toast while a dialog had the focus: they belong to the dialog. */
export const passedOn = new WeakSet<Event>()
