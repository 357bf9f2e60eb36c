/**
 * Questions that many requests ask at once, in one statement.
 *
 * 1. Whoever asks joins those that were not sent yet: the answer is read after the question came.
 * 2. They leave at the end of the tick in which a lane is free; one that is alone is asked by itself.
 * 3. Nothing outlives its statement: there is no cache between a decision and the facts.
 *
 * Only for what finds its rows by an index and waits for nobody's lock: a statement takes as long as its slowest question.
 */
import { Cause, Context, Effect, Exit, type Fiber } from "effect"
import { SqlClient, SqlError } from "effect/sql"

/** Statements of one kind in flight at a time. */
const LANES = 2

export interface Question<Asked, A> {
  /** Of one statement: whoever comes after these is asked with the next. Fewer where an answer has many rows. */
  readonly most?: number
  readonly alone: (asked: Asked) => Effect.Effect<A>
  /** The answers of all of them, in their order. */
  readonly many: (asked: ReadonlyArray<Asked>) => Effect.Effect<ReadonlyArray<A>>
}

interface Asker<Asked, A> {
  readonly asked: Asked
  readonly tell: (answer: Effect.Effect<A>) => void
  sent: Sent | undefined
}

/** A statement under way, and how many still want to hear its answer. */
interface Sent {
  readonly fiber: Fiber.Fiber<unknown>
  present: number
}

/** SQLSTATEs of what is wrong with a value, and so with one question among others. */
const WRONG_VALUE = /^22/

const isWrongValue = (cause: Cause.Cause<never>): boolean => {
  const error = Cause.squash(cause)
  const why: unknown = SqlError.isSqlError(error) && "cause" in error.reason ? error.reason.cause : undefined
  return typeof why === "object" && why !== null && "code" in why && WRONG_VALUE.test(String(why.code))
}

export const together = Effect.fnUntraced(function*<Asked, A>({ alone, many, most = 64 }: Question<Asked, A>) {
  const { transactionService } = yield* SqlClient.SqlClient
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const waiting: Array<Asker<Asked, A>> = []
  let free = LANES
  let scheduled = false

  const tell = (askers: ReadonlyArray<Asker<Asked, A>>, exit: Exit.Exit<ReadonlyArray<A>>): void => {
    if (Exit.isSuccess(exit)) askers.forEach((asker, at) => asker.tell(Exit.succeed(exit.value[at]!)))
    else if (askers.length > 1 && isWrongValue(exit.cause)) for (const asker of askers) asker.tell(alone(asker.asked))
    else for (const asker of askers) asker.tell(Exit.failCause(exit.cause))
  }

  const send = (): void => {
    scheduled = false
    const askers = waiting.splice(0, most)
    if (askers.length === 0) return
    free--
    const asked = askers.map((asker) => asker.asked)
    const fiber = run(asked.length === 1 ? Effect.map(alone(asked[0]!), (answer) => [answer]) : many(asked))
    const sent = { fiber, present: askers.length }
    for (const asker of askers) asker.sent = sent
    fiber.addObserver((exit) => {
      free++
      tell(askers, exit)
      schedule()
    })
    schedule()
  }

  const schedule = (): void => {
    if (scheduled || free === 0 || waiting.length === 0) return
    scheduled = true
    setImmediate(send)
  }

  const leave = (asker: Asker<Asked, A>) =>
    Effect.sync(() => {
      if (asker.sent === undefined) return void waiting.splice(waiting.indexOf(asker), 1)
      if (--asker.sent.present === 0) asker.sent.fiber.interruptUnsafe()
    })

  return (asked: Asked): Effect.Effect<A> =>
    Effect.withFiber((fiber) => {
      // There it may find what nobody else sees yet.
      if (Context.getOrUndefined(fiber.context, transactionService) !== undefined) return alone(asked)
      return Effect.callback<A>((resume) => {
        const asker: Asker<Asked, A> = { asked, tell: resume, sent: undefined }
        waiting.push(asker)
        schedule()
        return leave(asker)
      })
    })
})
