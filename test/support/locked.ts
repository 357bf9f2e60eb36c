/** A lock that another transaction holds for as long as the test says. */
import { Effect, Fiber, Latch } from "effect"
import { SqlClient } from "effect/sql"
import { withoutLimits } from "../../src/services/database/client.ts"

/** Answers what lets it go. */
export const locked = Effect.fnUntraced(function*(lock: string) {
  const sql = yield* SqlClient.SqlClient
  const [taken, free] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  const holding = yield* Effect.forkChild(sql.withTransaction(withoutLimits(sql).pipe(
    Effect.andThen(sql.unsafe(lock)), Effect.andThen(taken.open), Effect.andThen(free.await)
  )))
  yield* taken.await
  return Effect.andThen(free.open, Fiber.join(holding))
})
