/** Lets a subscription end with its period, or go on, retried with growing pauses while the payment service is away. */
import { Schema } from "effect"
import { Activity } from "effect/workflow"
import { Renewals } from "../domain/erasure/renewals.ts"
import type { WorkspaceId } from "../domain/workspaces/model.ts"
import { SettleRenewal } from "../services/database/erasure.ts"
import { paying } from "./retry-job.ts"

/** If it fails for a day, the erasure tries once more. */
const settleRenewal = (workspaceId: WorkspaceId) =>
  paying(Renewals.use(({ settle }) => settle(workspaceId)), "a renewal was not settled", { workspaceId })

export const SettleRenewalWorker = SettleRenewal.toLayer(({ workspaceId }) =>
  Activity.make({ name: "settle", success: Schema.Void, execute: settleRenewal(workspaceId) })
)
