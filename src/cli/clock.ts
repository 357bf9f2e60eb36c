/** The service's time, learned from its answers: days from now are counted by its clock, since it decides what has ended. */
import { DateTime, Effect } from "effect"

/** `Date` has whole seconds and the answer took time to arrive: within this the clocks count as equal. */
const AGREES_MS = 60_000

let ahead = 0

/** Takes the Date of an answer, which a proxy may have left out. */
export const heard = (date: string | undefined): void => {
  const there = Date.parse(date ?? "") - Date.now()
  if (!Number.isNaN(there)) ahead = Math.abs(there) > AGREES_MS ? there : 0
}

/** Only right after an answer has been received. */
export const theirNow = Effect.map(DateTime.now, (now) => DateTime.add(now, { milliseconds: ahead }))
