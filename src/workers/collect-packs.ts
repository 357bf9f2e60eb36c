/**
 * Every hour: removes packs that no version names any more, bytes that none names in other packs, and what a killed publish left
 * behind. Safe to run twice.
 */
import { Effect } from "effect"
import { orNone } from "../domain/batches.ts"
import { Collection } from "../domain/projects/packs/collection.ts"
import { Thinning } from "../domain/projects/packs/thinning.ts"
import { byTheClock } from "./by-the-clock.ts"

/** What cannot be done of it, hour after hour perhaps, keeps none of the rest. */
const apart = orNone("packs not collected")

export const collectOnce = Effect.gen(function*() {
  const collection = yield* Collection
  const unnamed = yield* apart(collection.collectUnnamed())
  const strays = yield* apart(collection.collectStrays())
  if (unnamed + strays > 0) yield* Effect.logInfo("packs collected").pipe(Effect.annotateLogs({ unnamed, strays }))
  const thinning = yield* Thinning
  const settled = yield* apart(thinning.settle())
  const thinned = yield* apart(thinning.wipe())
  if (settled + thinned > 0) yield* Effect.logInfo("packs thinned").pipe(Effect.annotateLogs({ settled, thinned }))
})

export const CollectPacksWorker = byTheClock("collect-packs", "17 * * * *", collectOnce, "packs not collected")
