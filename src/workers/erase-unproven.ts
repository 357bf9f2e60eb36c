/** Daily: erases accounts whose address nobody proved in time. Safe to run twice. */
import { Erasure } from "../domain/erasure/erasure.ts"
import { byTheClock, telling } from "./by-the-clock.ts"

const eraseUnprovenOnce = telling(Erasure.use(({ abandonUnproven }) => abandonUnproven()), "accounts never confirmed, set out to be erased")

export const EraseUnprovenWorker = byTheClock("erase-unproven", "40 4 * * *", eraseUnprovenOnce, "accounts never confirmed not looked for")
