/** The one PostgreSQL client: the embedded server over its socket, or the one that SVC_DATABASE_URL names. */
import { PgClient } from "@effect/sql-pg"
import type { Redacted } from "effect"

/** A query that runs longer than this is stuck, not slow. */
const STATEMENT_TIMEOUT = "30s"

const pool = {
  maxConnections: 10,
  connectTimeout: "5 seconds",
  applicationName: "svc",
  startupParameters: { statement_timeout: STATEMENT_TIMEOUT }
} as const

export const DatabaseEmbedded = (at: { readonly host: string; readonly username: string; readonly database: string }) =>
  PgClient.layer({ ...pool, ...at })

export const DatabaseRemote = (url: Redacted.Redacted<string>) => PgClient.layer({ ...pool, url })
