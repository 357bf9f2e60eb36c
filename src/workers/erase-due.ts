/** Every ten minutes: sets out on what is due. Each is a job of its own, which a worker that dies leaves to another. Safe to run twice. */
import { Cron, Effect, Schedule, Schema } from "effect"
import { ClusterCron } from "effect/cluster"
import { Activity } from "effect/workflow"
import { Erasing } from "../domain/erasure/erasing.ts"
import type { DeletionId } from "../domain/erasure/model.ts"
import { EraseTarget } from "../services/database/erasure.ts"

/** One second, doubling to five minutes, for a day; the next day begins another job. */
const pauses = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("5 minutes")]).pipe(Schedule.upTo({ duration: "1 day" }))

/** What went wrong may quote what was being erased, so its kind alone is logged. */
const kindOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "_tag" in cause ? String(cause._tag) : cause instanceof Error ? cause.name : typeof cause

export const eraseOne = (deletionId: DeletionId) =>
  Erasing.use(({ erase }) => erase(deletionId)).pipe(
    // A database that is away must not cost an erasure.
    Effect.catchDefect((cause) => Effect.fail(cause)),
    Effect.tapError((cause) => Effect.logWarning("not erased yet").pipe(Effect.annotateLogs({ deletionId, why: kindOf(cause) }))),
    Effect.retry(pauses),
    Effect.catch(() => Effect.annotateLogs(Effect.logError("not erased today"), { deletionId })),
    Effect.asVoid
  )

export const EraseTargetWorker = EraseTarget.toLayer(({ deletionId }) =>
  Activity.make({ name: "erase", success: Schema.Void, execute: eraseOne(deletionId) })
)

export const eraseDueOnce = Erasing.use(({ beginDue }) => beginDue()).pipe(Effect.withSpan("EraseDue.once"))

export const EraseDueWorker = ClusterCron.make({
  name: "erase-due",
  cron: Cron.parseUnsafe("*/10 * * * *"),
  execute: Effect.catchCause(eraseDueOnce, (cause) => Effect.logError("nothing set out to be erased", cause))
})
