/** Parts of the app that load on demand. */
import { toast } from "./toasts.ts"

const failed = new WeakSet<() => Promise<unknown>>()

/**
 * Runs `then` once the part has loaded. If it does not load, a toast says so, and the page stays as it is. What fails
 * twice may do so until the page is loaded anew: Firefox asks for a module only once, as HTML has it.
 */
export const loaded = async (load: () => Promise<unknown>, then: () => void): Promise<void> => {
  try {
    await load()
  } catch {
    if (failed.has(load) && navigator.onLine) return toast({ text: "This did not load. Reload the page to try again.", tone: "bad", reload: true })
    failed.add(load)
    return toast({ text: "This did not load. Check your connection; nothing was lost.", tone: "bad", again: () => void loaded(load, then) })
  }
  failed.delete(load)
  then()
}
