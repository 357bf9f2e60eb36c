/** Every ten minutes: begins the erasures that are due, each as a job of its own; if its worker dies, another continues. Safe to run twice. */
import { Effect, Schema } from "effect"
import { Activity } from "effect/workflow"
import { Erasing } from "../domain/erasure/erasing.ts"
import type { DeletionId } from "../domain/erasure/model.ts"
import { EraseTarget } from "../services/database/erasure.ts"
import { byTheClock } from "./by-the-clock.ts"
import { forADay, persistently } from "./retry-job.ts"

/** If it fails for a day, the next day begins another job. */
const eraseOne = (deletionId: DeletionId) =>
  persistently(Erasing.use(({ erase }) => erase(deletionId)), forADay, "not erased yet", { deletionId }).pipe(
    Effect.catch(() => Effect.annotateLogs(Effect.logError("not erased today"), { deletionId })),
    Effect.asVoid
  )

export const EraseTargetWorker = EraseTarget.toLayer(({ deletionId }) =>
  Activity.make({ name: "erase", success: Schema.Void, execute: eraseOne(deletionId) })
)

const eraseDueOnce = Erasing.use(({ beginDue }) => beginDue())

export const EraseDueWorker = byTheClock("erase-due", "*/10 * * * *", eraseDueOnce, "nothing set out to be erased")
