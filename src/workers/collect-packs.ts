/** Every hour: bytes that no version names any more, and those a killed publish left behind. Safe to run twice. */
import { Cron, Effect } from "effect"
import { ClusterCron } from "effect/cluster"
import { Collection } from "../domain/projects/collection.ts"

export const collectOnce = Effect.gen(function*() {
  const collection = yield* Collection
  const unnamed = yield* collection.collectUnnamed()
  const strays = yield* collection.collectStrays()
  if (unnamed + strays > 0) yield* Effect.logInfo("packs collected").pipe(Effect.annotateLogs({ unnamed, strays }))
}).pipe(Effect.withSpan("CollectPacks.once"))

export const CollectPacksWorker = ClusterCron.make({
  name: "collect-packs",
  cron: Cron.parseUnsafe("17 * * * *"),
  execute: Effect.catchCause(collectOnce, (cause) => Effect.logError("packs not collected", cause))
})
