/** All-or-nothing on PostgreSQL. */
import { Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Atomically } from "../../domain/ports/atomically.ts"

export const AtomicallySql = Layer.effect(
  Atomically,
  SqlClient.SqlClient.useSync((sql) => ({
    // A store never fails with SqlError, so the only one that can surface here is BEGIN or COMMIT itself.
    atomically: <A, E, R>(program: Effect.Effect<A, E, R>) =>
      sql.withTransaction(program).pipe(
        Effect.catch((error): Effect.Effect<never, E> =>
          SqlError.isSqlError(error) ? Effect.die(error) : Effect.fail(error as E)
        )
      )
  }))
)
