/** All-or-nothing on PostgreSQL. */
import { Context, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Atomically, OnBehalfOf, StillClaimed, StillSignedIn } from "../../domain/ports/atomically.ts"
import { makeTurns } from "../../domain/turns.ts"

/**
 * How many transactions may run at once: fewer than the pool has connections. Those waiting for a workspace's lock keep their
 * connection, and readers of other projects must still find a free one.
 */
const AT_ONCE = 6

/** Of one account: all that publish to one workspace wait for its lock, and nobody else's may wait with them. */
const EACH = 2

/** A transaction inside another is a savepoint on the same connection, so it must not wait for a second permit. */
const Inside = Context.Reference<boolean>("svc/services/database/atomically/Inside", { defaultValue: () => false })

export const AtomicallySql = Layer.effect(
  Atomically,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const turns = makeTurns(AT_ONCE, EACH)
    let others = 0

    const atomically = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
      // A store never fails with SqlError, so the only one that can surface here is BEGIN or COMMIT itself.
      const transaction = (all: Effect.Effect<A, E, R>) =>
        sql.withTransaction(all).pipe(
          Effect.catch((error): Effect.Effect<never, E> =>
            SqlError.isSqlError(error) ? Effect.die(error) : Effect.fail(error as E)
          )
        )
      const checked = Effect.flatten(StillSignedIn).pipe(Effect.andThen(program), Effect.tap(() => Effect.flatten(StillClaimed)))
      const first = Effect.flatMap(OnBehalfOf, (account) =>
        turns.inTurn({ of: account ?? `other ${++others}`, awaited: true }, Effect.provideService(transaction(checked), Inside, true)))
      return Effect.flatMap(Inside, (inside) => inside ? transaction(program) : first)
    }
    return Atomically.of({ atomically })
  })
)
