/** What time it is for the service, by what its answers say: days from now are counted by its clock, since it is the one that ends things. */
import { DateTime, Effect } from "effect"

/** An answer tells whole seconds and was on its way: within this, clocks agree. */
const AGREES_MS = 60_000

let ahead = 0

/** From the Date of an answer, which something in front may have left out. */
export const heard = (date: string | undefined): void => {
  const there = Date.parse(date ?? "") - Date.now()
  if (!Number.isNaN(there)) ahead = Math.abs(there) > AGREES_MS ? there : 0
}

/** To be asked after an answer. */
export const theirNow = Effect.map(DateTime.now, (now) => DateTime.add(now, { milliseconds: ahead }))
