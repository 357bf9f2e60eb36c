/** Every five minutes: writes lapses into the audit logs of their workspaces. Safe to run twice. */
import { Lapses } from "../domain/billing/lapses.ts"
import { byTheClock, telling } from "./by-the-clock.ts"

export const noteLapsesOnce = telling(Lapses.use(({ noteAll }) => noteAll()), "lapses noted")

export const NoteLapsesWorker = byTheClock("note-lapses", "2-59/5 * * * *", noteLapsesOnce, "lapses not noted")
