/** Erases one account or workspace, retried with growing pauses through an outage; if a worker dies, another continues. */
import { Effect, Schema } from "effect"
import { Activity } from "effect/workflow"
import { Erasing } from "../domain/erasure/erasing.ts"
import type { DeletionId } from "../domain/erasure/model.ts"
import { EraseTarget } from "../services/database/erasure.ts"
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
