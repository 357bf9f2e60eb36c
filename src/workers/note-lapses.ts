/** Every five minutes: writes lapses into the audit logs of their workspaces. Safe to run twice. */
import { Effect } from "effect"
import { Lapses } from "../domain/billing/lapses.ts"
import { byTheClock } from "./by-the-clock.ts"

export const noteLapsesOnce = Effect.gen(function*() {
  const noted = yield* (yield* Lapses).noteAll()
  if (noted > 0) yield* Effect.logInfo("lapses noted").pipe(Effect.annotateLogs({ noted }))
  return noted
})

export const NoteLapsesWorker = byTheClock("note-lapses", "2-59/5 * * * *", noteLapsesOnce, "lapses not noted")
