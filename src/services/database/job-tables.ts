/**
 * The job engine's tables, made or changed without the limits of requests, and only where they have to be: its migrator locks its
 * table in any case, so that each start would wait for a running pg_dump with nothing to do.
 */
import { Effect, Layer } from "effect"
import { SqlMessageStorage, SqlRunnerStorage } from "effect/cluster"
import { Migrator, SqlClient } from "effect/sql"
import { withoutLimits } from "./client.ts"
import { reached } from "./migrate.ts"

const made = (table: string, loader: Migrator.Loader) =>
  Layer.effectDiscard(Effect.orDie(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const newest = Math.max(...(yield* loader).map(([id]) => id))
    if ((yield* reached(sql, table)) >= newest) return
    yield* sql.withTransaction(withoutLimits(sql).pipe(
      // Of a table, not an advisory one: only where it locks a table does PostgreSQL look anew for those that others made meanwhile.
      Effect.andThen(sql`LOCK TABLE migrations IN SHARE UPDATE EXCLUSIVE MODE`),
      Effect.andThen(Migrator.make({})({ loader, table }))
    ))
  })))

export const MessageTables = made("cluster_migrations", SqlMessageStorage.migrations({}))

/**
 * A sign of life that lies ahead was written in a zone east of UTC by an earlier release, or by a clock since set back: a worker that died
 * would keep its jobs until then. One that lives registers again.
 */
const neverAhead = Layer.effectDiscard(
  SqlClient.SqlClient.use((sql) => Effect.orDie(sql`DELETE FROM cluster_runners WHERE last_heartbeat > now() + interval '1 minute'`))
)

export const RunnerTables = Layer.provideMerge(neverAhead, made("cluster_runner_migrations", SqlRunnerStorage.migrations({})))
