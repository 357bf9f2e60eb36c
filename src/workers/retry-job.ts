/** How a job that came to nothing is tried again: with growing pauses, through an outage. */
import { Effect, Schedule } from "effect"

/** One second, doubling to five minutes. */
export const pauses = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("5 minutes")])

export const forADay = Schedule.upTo(pauses, { duration: "1 day" })

/** What went wrong may quote what was being written or erased, so its kind alone is logged. */
export const kindOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "_tag" in cause ? String(cause._tag) : cause instanceof Error ? cause.name : typeof cause

/** A job about money: tried for a day while the payment service is away; what it refuses is final. */
export const paying = <A, E extends { readonly _tag: string }, R>(program: Effect.Effect<A, E, R>, missed: string, about: Record<string, string>) =>
  program.pipe(
    // A database that is away must not cost anybody money.
    Effect.catchDefect((cause) => Effect.fail({ _tag: "defect" as const, cause })),
    Effect.retry({ schedule: forADay, while: ({ _tag }) => _tag !== "validation_error" }),
    Effect.catch(({ _tag }) => Effect.annotateLogs(Effect.logError(missed), { ...about, why: _tag }))
  )
