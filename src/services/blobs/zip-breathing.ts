/** Other work gets its turn while the entries of a zip, which may be forty thousand, are gone through. */
import { setImmediate } from "node:timers/promises"

/** How long this may run before that. */
const SLICE_MS = 5

/** Called between entries; undefined while there is time left. */
export const makeBreather = () => {
  let turn = performance.now()
  return (): Promise<void> | undefined =>
    performance.now() - turn <= SLICE_MS ? undefined : setImmediate().then(() => {
      turn = performance.now()
    })
}
