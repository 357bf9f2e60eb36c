/** Every ten minutes: begins the erasures that are due, each as a job of its own. Safe to run twice. */
import { Erasing } from "../domain/erasure/erasing.ts"
import { byTheClock } from "./by-the-clock.ts"

const eraseDueOnce = Erasing.use(({ beginDue }) => beginDue())

export const EraseDueWorker = byTheClock("erase-due", "*/10 * * * *", eraseDueOnce, "nothing set out to be erased")
