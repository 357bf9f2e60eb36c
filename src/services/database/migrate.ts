/** Migrates the database to this code's schema, one instance at a time: the others wait. */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { LOCKS } from "./locks.ts"
import { migrations } from "./migrations/index.ts"

const run = Migrator.make({})({ loader: migrations, table: "migrations" })

export const migrate = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    // The statement timeout is meant for requests, not for indexing a large table or waiting for the instance that does.
    yield* sql`SET LOCAL statement_timeout = 0`
    yield* sql`SELECT pg_advisory_xact_lock(${LOCKS.migrations})`
    return yield* run
  }))
}).pipe(Effect.withSpan("migrate"))
