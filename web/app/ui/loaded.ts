/** Parts of the app that load on demand. */
import { toast } from "./toasts.ts"

/** Runs `then` once the part has loaded. If it does not load, a toast says so, and the page stays as it is. */
export const loaded = async (load: () => Promise<unknown>, then: () => void): Promise<void> => {
  try {
    await load()
  } catch {
    toast({ text: "This did not load. Check your connection; nothing was lost.", tone: "bad", again: () => void loaded(load, then) })
    return
  }
  then()
}
