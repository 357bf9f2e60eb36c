/** Every five minutes: lapses that came to pass go into the audit logs of their workspaces. Safe to run twice. */
import { Cron, Effect } from "effect"
import { ClusterCron } from "effect/cluster"
import { Lapses } from "../domain/billing/lapses.ts"

export const noteLapsesOnce = Effect.gen(function*() {
  const noted = yield* (yield* Lapses).noteAll()
  if (noted > 0) yield* Effect.logInfo("lapses noted").pipe(Effect.annotateLogs({ noted }))
  return noted
}).pipe(Effect.withSpan("NoteLapses.once"))

export const NoteLapsesWorker = ClusterCron.make({
  name: "note-lapses",
  cron: Cron.parseUnsafe("2-59/5 * * * *"),
  execute: Effect.catchCause(noteLapsesOnce, (cause) => Effect.logError("lapses not noted", cause))
})
