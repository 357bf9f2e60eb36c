/** Has a subscription end with its period, or go on, again and again with growing pauses while the payment service is away. */
import { Effect, Schedule, Schema } from "effect"
import { Activity } from "effect/workflow"
import { Renewals } from "../domain/erasure/renewals.ts"
import type { WorkspaceId } from "../domain/workspaces/model.ts"
import { SettleRenewal } from "../services/database/erasure.ts"

/** One second, doubling to five minutes, for a day. The erasure looks once more. */
const pauses = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("5 minutes")]).pipe(Schedule.upTo({ duration: "1 day" }))

export const settleRenewal = (workspaceId: WorkspaceId) =>
  Renewals.use(({ settle }) => settle(workspaceId)).pipe(
    // A database that is away must not cost anybody money.
    Effect.catchDefect((cause) => Effect.fail({ _tag: "defect" as const, cause })),
    Effect.retry({ schedule: pauses, while: ({ _tag }) => _tag !== "validation_error" }),
    Effect.catch(({ _tag }) => Effect.annotateLogs(Effect.logError("a renewal was not settled"), { workspaceId, why: _tag }))
  )

export const SettleRenewalWorker = SettleRenewal.toLayer(({ workspaceId }) =>
  Activity.make({ name: "settle", success: Schema.Void, execute: settleRenewal(workspaceId) })
)
