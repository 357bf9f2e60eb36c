/** Metrics that are read from the database: mails that wait or failed, and its own connections. */
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { WAITING } from "./mails.ts"
import { counted, date } from "./rows.ts"

const MAILS = { waiting: WAITING, dead: "dead_at IS NOT NULL" } as const

const STATES = ["active", "idle", "idle in transaction"] as const

export const figures = SqlClient.SqlClient.useSync((sql) => ({
  read: Effect.gen(function*() {
    const mails = yield* Effect.forEach(Object.entries(MAILS), ([state, where]) =>
      Effect.map(counted(sql<{ count: number }>`SELECT count(*)::int AS count FROM mails WHERE ${sql.literal(where)}`), (value) => ({
        name: "svc_mails",
        description: "Mails that wait to go out, and that could not",
        attributes: { state },
        value
      })))
    const now = date(yield* DateTime.now)
    const [oldest] = yield* sql<{ value: number | null }>`
      SELECT extract(epoch FROM ${now}::timestamptz - min(enqueued_at))::float8 AS value FROM mails WHERE ${sql.literal(MAILS.waiting)}`
    const waited = {
      name: "svc_mails_oldest_waiting_seconds",
      description: "How long the mail that waits longest has waited; 0 if none waits",
      attributes: {},
      value: Math.max(0, oldest?.value ?? 0)
    }
    const open = yield* sql<{ state: string | null; value: number }>`
      SELECT state, count(*)::int AS value FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'svc' GROUP BY state`
    const connections = STATES.map((state) => ({
      name: "svc_database_connections",
      description: "Connections of every instance to the database, by state",
      attributes: { state },
      value: open.find((row) => row.state === state)?.value ?? 0
    }))
    return [...mails, waited, ...connections]
  }).pipe(Effect.orDie)
}))
