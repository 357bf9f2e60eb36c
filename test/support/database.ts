/** A database of its own for a test file: a clone of the migrated template, dropped afterwards. */
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { inject } from "vitest"
import { DatabaseEmbedded } from "../../src/services/database/client.ts"

export interface ConnectionFacts {
  /** The folder of the Unix socket. */
  readonly host: string
  readonly username: string
  readonly database: string
}

const administration = () => ManagedRuntime.make(PgClient.layer({ ...inject("cluster"), database: "postgres" }))

let kept: ReturnType<typeof administration> | undefined

/** One client for all test files of a worker, beside any test's clock: to begin a session costs the server more than to make a database. */
const administer = (statement: string) =>
  Effect.promise(() => (kept ??= administration()).runPromise(SqlClient.SqlClient.use((sql) => sql.unsafe(statement))))

/** Only the connection facts: for a whole server, or a second client, with a database of its own. */
export const freshDatabaseFacts = Effect.acquireRelease(
  Effect.gen(function*() {
    const { database: template, host, username } = inject("cluster")
    const database = `test_${randomUUID().replaceAll("-", "")}`
    yield* administer(`CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY file_copy`)
    const facts: ConnectionFacts = { host, username, database }
    return facts
  }),
  ({ database }) => administer(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
)

/** Takes a database away while it is used, as a restart would, and gives it back. */
export const outage = ({ database }: ConnectionFacts) => ({
  away: Effect.andThen(
    administer(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS false`),
    administer(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${database}'`)
  ),
  back: administer(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS true`)
})

/** Opening a connection must not time out because a test moves its clock on by years. */
const ownClock = Layer.sync(Clock.Clock, () => Clock.Clock.defaultValue())

/** The same client as the service's; but where the machine is busy or stops for seconds, it loses no transaction, and nobody who waits for one is sent away. */
export const patientClient = (facts: ConnectionFacts) => DatabaseEmbedded(facts, "1min")

export const freshDatabase = Layer.unwrap(Effect.map(freshDatabaseFacts, patientClient)).pipe(Layer.provide(ownClock), Layer.orDie)

/** What a statement finds in the database of the programs around it; the values stand for `$1`, `$2` … */
export const rows = (text: string, ...values: ReadonlyArray<unknown>) =>
  SqlClient.SqlClient.use((sql) => Effect.orDie(sql.unsafe<Record<string, unknown>>(text, values)))
