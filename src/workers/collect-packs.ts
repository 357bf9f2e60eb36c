/** Every hour: removes bytes that no version names any more, and those that a killed publish left behind. Safe to run twice. */
import { Effect } from "effect"
import { Collection } from "../domain/projects/collection.ts"
import { byTheClock } from "./by-the-clock.ts"

export const collectOnce = Effect.gen(function*() {
  const collection = yield* Collection
  const unnamed = yield* collection.collectUnnamed()
  const strays = yield* collection.collectStrays()
  if (unnamed + strays > 0) yield* Effect.logInfo("packs collected").pipe(Effect.annotateLogs({ unnamed, strays }))
})

export const CollectPacksWorker = byTheClock("collect-packs", "17 * * * *", collectOnce, "packs not collected")
