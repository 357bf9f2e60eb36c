/**
 * Answers questions that many requests ask at the same time with one statement.
 *
 * 1. A question joins those of the same tick, so its answer is read after it was asked.
 * 2. Nothing outlives its statement: there is no cache between a decision and the facts.
 * 3. Inside a transaction a question is asked by itself: it may see there what nobody else sees yet.
 *
 * Only for questions that find their rows by an index and wait for no lock: a statement takes as long as its slowest question.
 */
import { Cause, Context, Effect, Exit, Request, RequestResolver } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { sqlStateOf } from "./sql-state.ts"

export interface Question<Asked, A> {
  /** Questions per statement; the rest go into the next one. Fewer where an answer has many rows. */
  readonly most?: number
  readonly alone: (asked: Asked) => Effect.Effect<A>
  /** The answers to all questions, in their order. */
  readonly many: (asked: ReadonlyArray<Asked>) => Effect.Effect<ReadonlyArray<A>>
}

interface Asking<Asked, A> extends Request.Request<A> {
  readonly asked: Asked
}

/** SQLSTATEs of a bad value, which spoils only the one question that holds it. */
const WRONG_VALUE = /^22/

const isWrongValue = (cause: Cause.Cause<never>): boolean => {
  const error = Cause.squash(cause)
  return SqlError.isSqlError(error) && WRONG_VALUE.test(sqlStateOf(error))
}

export const together = Effect.fnUntraced(function*<Asked, A>({ alone, many, most = 64 }: Question<Asked, A>) {
  const { transactionService } = yield* SqlClient.SqlClient
  const asking = Request.of<Asking<Asked, A>>()
  const byItself = (entry: Request.Entry<Asking<Asked, A>>) =>
    Effect.map(Effect.exit(alone(entry.request.asked)), (exit) => entry.completeUnsafe(exit))
  const resolver = RequestResolver.make<Asking<Asked, A>>((entries) =>
    entries.length === 1 ? byItself(entries[0]) : Effect.matchCauseEffect(many(entries.map(({ request }) => request.asked)), {
      onSuccess: (answers) => Effect.sync(() => entries.forEach((entry, at) => entry.completeUnsafe(Exit.succeed(answers[at]!)))),
      onFailure: (cause) => isWrongValue(cause) ? Effect.forEach(entries, byItself, { concurrency: "unbounded", discard: true }) : Effect.failCause(cause)
    })
  ).pipe(RequestResolver.batchN(most))
  return (asked: Asked): Effect.Effect<A> =>
    Effect.withFiber((fiber) =>
      Context.getOrUndefined(fiber.context, transactionService) === undefined ? Effect.request(asking({ asked }), resolver) : alone(asked)
    )
})
