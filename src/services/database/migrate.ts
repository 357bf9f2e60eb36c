/** Brings the database up to this code, one instance at a time: the others wait for it. */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { LOCKS } from "./locks.ts"
import { migrations } from "./migrations/index.ts"

const run = Migrator.make({})({ loader: migrations, table: "migrations" })

export const migrate = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    // The limit on what requests ask is none of an index over a large table, nor of waiting for who makes it.
    yield* sql`SET LOCAL statement_timeout = 0`
    yield* sql`SELECT pg_advisory_xact_lock(${LOCKS.migrations})`
    return yield* run
  }))
}).pipe(Effect.withSpan("migrate"))
