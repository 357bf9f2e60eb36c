/** A lock that another transaction holds for as long as the test says, and who waits for one. */
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

/** How many sessions of this database wait for a lock. */
export const waiting = (sql: SqlClient.SqlClient) =>
  Effect.map(Effect.orDie(sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`), ({ length }) => length)
