/**
 * The job engine writes the time into the statement by which it looks for jobs, five times a second. PostgreSQL would prepare each as
 * another one, and keep the plans of the last hundred in every session, 150 KB each.
 */
import { Effect, Layer } from "effect"
import { Statement } from "effect/sql"

/** Milliseconds since 1970, alone between the pieces of a statement. */
const MOMENT = /^\d{13}$/

const isMoment = (segment: Statement.Segment): segment is Statement.Literal => segment._tag === "Literal" && MOMENT.test(segment.value)

/** For whatever the engine runs: such times are sent beside the statement, which stays the same. */
export const MomentsBeside = Layer.succeed(Statement.CurrentTransformer, (statement, sql) =>
  Effect.succeed(
    statement.segments.some(isMoment)
      ? sql`${Statement.fragment(statement.segments.map((segment) => isMoment(segment) ? Statement.parameter(Number(segment.value)) : segment))}`
      : statement
  ))
