/** Refunds what was paid twice, retried with growing pauses while the payment service is away. */
import { Schema } from "effect"
import { Activity } from "effect/workflow"
import { Doubles } from "../domain/billing/doubles.ts"
import type { WorkspaceId } from "../domain/workspaces/model.ts"
import { EndDouble } from "../services/database/billing.ts"
import { paying } from "./retry-job.ts"

/** If it fails for a day, a reading on a later day begins another job. */
export const endDouble = (workspaceId: WorkspaceId, subscription: string, round: string) =>
  paying(Doubles.use(({ end }) => end(workspaceId, subscription, round)), "somebody pays twice, and got nothing back", { workspaceId })

export const EndDoubleWorker = EndDouble.toLayer(({ round, subscription, workspaceId }) =>
  Activity.make({ name: "end", success: Schema.Void, execute: endDouble(workspaceId, subscription, round) })
)
