/** Gives back what was paid twice, again and again with growing pauses while the payment service is away. */
import { Effect, Schedule, Schema } from "effect"
import { Activity } from "effect/workflow"
import { Doubles } from "../domain/billing/doubles.ts"
import type { WorkspaceId } from "../domain/workspaces/model.ts"
import { EndDouble } from "../services/database/billing.ts"

/** One second, doubling to five minutes, for a day; the next reading begins another job. */
const pauses = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("5 minutes")]).pipe(Schedule.upTo({ duration: "1 day" }))

export const endDouble = (workspaceId: WorkspaceId, subscription: string, round: string) =>
  Doubles.use(({ end }) => end(workspaceId, subscription, round)).pipe(
    // A database that is away must not cost anybody money.
    Effect.catchDefect((cause) => Effect.fail({ _tag: "defect" as const, cause })),
    Effect.retry({ schedule: pauses, while: ({ _tag }) => _tag !== "validation_error" }),
    Effect.catch(({ _tag }) => Effect.annotateLogs(Effect.logError("somebody pays twice, and got nothing back"), { workspaceId, why: _tag }))
  )

export const EndDoubleWorker = EndDouble.toLayer(({ round, subscription, workspaceId }) =>
  Activity.make({ name: "end", success: Schema.Void, execute: endDouble(workspaceId, subscription, round) })
)
