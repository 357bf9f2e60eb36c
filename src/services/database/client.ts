/** The one PostgreSQL client: the embedded server over its socket, or the one that SVC_DATABASE_URL names. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { StartRefused } from "../start-refused.ts"
import { cutSilence } from "./silence.ts"

/** A query that runs longer than this is stuck, not slow. */
const STATEMENT_TIMEOUT = "30s"

const pool = {
  maxConnections: 10,
  connectTimeout: "5 seconds",
  applicationName: "svc",
  // A random read costs little more than a sequential one: hot rows are in memory, and the rest is not on a spinning disk.
  startupParameters: { statement_timeout: STATEMENT_TIMEOUT, random_page_cost: "1.1" }
} as const

export const DatabaseEmbedded = (at: { readonly host: string; readonly username: string; readonly database: string }) =>
  PgClient.layer({ ...pool, ...at })

/** The innermost error's message: "connect ECONNREFUSED …", "password authentication failed …". None quotes a password. */
export const reasonOf = (error: Error): string => error.cause instanceof Error ? reasonOf(error.cause) : error.message

const refused = (error: SqlError.SqlError) =>
  new StartRefused({
    message: `SVC_DATABASE_URL names a database that cannot be reached (${reasonOf(error)}); it wants a PostgreSQL that is up and lets this user in.`
  })

/** Connects once before anything uses it, so that a wrong address stops the start with one line. */
export const DatabaseRemote = (url: Redacted.Redacted<string>) =>
  Layer.effectContext(
    Layer.build(PgClient.layer({ ...pool, url })).pipe(
      Effect.tap((context) => Effect.provideContext(SqlClient.SqlClient.use((sql) => sql`SELECT 1`), context)),
      Effect.mapError(refused)
    )
  ).pipe(Layer.provide(Layer.effectDiscard(cutSilence(url))))

/** Whether the database answers. */
export const databaseReady = SqlClient.SqlClient.use((sql) => Effect.orDie(Effect.asVoid(sql`SELECT 1`)))
