/** How a job that failed is tried again: with growing pauses, through an outage. */
import { Effect, Schedule } from "effect"
import { kindOf } from "../services/kind-of.ts"

/** One second, doubling to five minutes. */
export const pauses = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("5 minutes")])

export const forADay = Schedule.upTo(pauses, { duration: "1 day" })

/** Retries defects too: a database outage is one, and must not cost the job. Each failed try is logged as `notYet`. */
export const persistently = <A, E, R, Output>(
  program: Effect.Effect<A, E, R>,
  schedule: Schedule.Schedule<Output>,
  notYet: string,
  about: Record<string, string>
) =>
  program.pipe(
    Effect.catchDefect((cause) => Effect.fail(cause)),
    Effect.tapError((cause) => Effect.annotateLogs(Effect.logWarning(notYet), { ...about, why: kindOf(cause) })),
    Effect.retry(schedule)
  )

/** A job about money: retried for a day while the payment service is away, which logs each try itself; what it refuses is final. */
export const paying = <A, E extends { readonly _tag: string }, R>(program: Effect.Effect<A, E, R>, missed: string, about: Record<string, string>) =>
  program.pipe(
    // A database outage must not cost anybody money.
    Effect.catchDefect((cause) => Effect.fail({ _tag: "defect" as const, cause })),
    Effect.retry({ schedule: forADay, while: ({ _tag }) => _tag !== "validation_error" }),
    Effect.catch(({ _tag }) => Effect.annotateLogs(Effect.logError(missed), { ...about, why: _tag }))
  )
