/** Parts of the app that come when somebody asks for them. */
import { toast } from "./toasts.ts"

/** Does `then` once the part is here. Where it cannot be had, that is said, and the page stays as it is. */
export const loaded = async (load: () => Promise<unknown>, then: () => void): Promise<void> => {
  try {
    await load()
  } catch {
    toast({ text: "This did not load. Check your connection; nothing was lost.", tone: "bad", again: () => void loaded(load, then) })
    return
  }
  then()
}
