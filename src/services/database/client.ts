/** The one PostgreSQL client: the embedded server over its socket, or the one that SVC_DATABASE_URL names. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { innermost, reasonOf } from "../innermost.ts"
import { StartRefused } from "../start-refused.ts"
import { authorityIn, BEHIND, hintFor, ignoredIn } from "./address.ts"
import { executed } from "./rows.ts"
import { cutSilence } from "./silence.ts"

/** A query that runs for longer is stuck, not slow. In the form that PostgreSQL tells it in. */
const STATEMENT_LIMIT = "30s"

/**
 * What a session may take, as the server itself counts it: an instance that froze or vanished gives up nothing by itself.
 *
 * A transaction waits for its pack for a tenth of a second at most, and for nothing else: one that idles would only keep its locks
 * from everyone. Nobody waits longer for one lock, or what a frozen instance had begun would inherit it one after the other. A peer
 * that is silent for half a minute is gone.
 */
const limitsWith = (held: string) => ({
  statement_timeout: STATEMENT_LIMIT,
  idle_in_transaction_session_timeout: held,
  lock_timeout: held,
  tcp_keepalives_idle: "15",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "30s"
})

/** For the rest of a transaction: the limits are meant for requests, not for indexing a large table or waiting for the instance that does. */
export const withoutLimits = (sql: SqlClient.SqlClient) =>
  sql`SELECT set_config(name, '0', true) FROM unnest(ARRAY['statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout']) AS name`

const poolWith = (held = "3s") => ({
  maxConnections: 10,
  connectTimeout: "5 seconds",
  applicationName: "svc",
  startupParameters: {
    ...limitsWith(held),
    // A random read costs little more than a sequential one: hot rows are in memory, and the rest is not on a spinning disk.
    random_page_cost: "1.1",
    // The job engine writes when a worker was last heard without a zone: in a local one, an hour comes twice each autumn.
    TimeZone: "UTC"
  }
} as const)

export const DatabaseEmbedded = (at: { readonly host: string; readonly username: string; readonly database: string }, held?: string) =>
  PgClient.layer({ ...poolWith(held), ...at })

/** The server that this start has begun. On a busy machine its first answer may take longer than a request would wait for one: it has a minute. */
export const DatabaseStarted = (at: Parameters<typeof DatabaseEmbedded>[0]) =>
  Layer.effectContext(Effect.gen(function*() {
    const context = yield* Layer.build(DatabaseEmbedded(at))
    yield* Effect.provideContext(SqlClient.SqlClient.use((sql) => sql`SELECT 1`), context).pipe(
      Effect.retry({ times: 11 }),
      Effect.mapError((error) => new StartRefused({ message: `The embedded PostgreSQL runs, but does not answer (${reasonOf(error)}); start again once this machine is less busy.` }))
    )
    return context
  }))

const refused = (error: SqlError.SqlError) =>
  new StartRefused({
    message: `SVC_DATABASE_URL names a database that cannot be reached (${reasonOf(error)}); it wants a PostgreSQL that is up and lets this user in.${hintFor(innermost(error))}`
  })

/** The oldest PostgreSQL that is supported, as `server_version_num` counts. */
const OLDEST = 160_000

/** Others have no place for some of what people write. The second takes bytes as they come. */
const ENCODINGS = ["UTF8", "SQL_ASCII"]

const checked = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<{ encoding: string; limit: string; number: number; version: string }>`
    SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version, pg_encoding_to_char(encoding) AS encoding,
      current_setting('statement_timeout') AS limit
    FROM pg_database WHERE datname = current_database()`.pipe(Effect.mapError(refused))
  if (server === undefined) return
  if (server.number < OLDEST) {
    return yield* new StartRefused({ message: `SVC_DATABASE_URL names a PostgreSQL ${server.version}; it wants ${OLDEST / 10_000} or newer.` })
  }
  if (!ENCODINGS.includes(server.encoding)) {
    return yield* new StartRefused({
      message: `SVC_DATABASE_URL names a database in ${server.encoding}; it wants one in UTF8, made with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`
    })
  }
  // A pooler that was told to ignore the settings of a session may also keep the locks of its jobs when it ends, and nobody works on those then.
  if (server.limit !== STATEMENT_LIMIT) {
    return yield* new StartRefused({ message: `SVC_DATABASE_URL names a pooler that ignores the settings of a session.${BEHIND}` })
  }
})

/** Connects once before anything uses it, so that a wrong address stops the start with one line. */
export const DatabaseRemote = (url: Redacted.Redacted<string>) =>
  Layer.effectContext(Effect.gen(function*() {
    const ignored = ignoredIn(Redacted.value(url))
    if (ignored !== undefined) return yield* new StartRefused({ message: ignored })
    const ca = yield* authorityIn(Redacted.value(url))
    const context = yield* Effect.mapError(Layer.build(PgClient.layer({ ...poolWith(), url, ...(ca === undefined ? {} : { ssl: { ca } }) })), refused)
    yield* Effect.provideContext(checked, context)
    return context
  })).pipe(Layer.provide(Layer.effectDiscard(cutSilence(url))))

/** Whether the database answers. */
export const databaseReady = SqlClient.SqlClient.use((sql) => executed(sql`SELECT 1`))
