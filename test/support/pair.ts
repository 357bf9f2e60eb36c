/** Two processes of the program on one database, as behind a load balancer, and the mail server that both send by. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { freshDatabaseFacts } from "./database.ts"
import { openPostOffice } from "./post-office.ts"
import type { PostOffice } from "./post-office.ts"
import { clearAway, newFolder, serve } from "./program.ts"
import type { Program } from "./program.ts"

export interface Pair {
  readonly one: Program
  readonly two: Program
  readonly post: PostOffice
  /** Changes the facts beneath both of them. */
  readonly statement: (text: string, values?: ReadonlyArray<unknown>) => Promise<unknown>
  readonly stop: () => Promise<void>
}

export const startPair = async (environment: Readonly<Record<string, string>> = {}): Promise<Pair> => {
  const scope = Scope.makeUnsafe()
  const { database, host, username } = await Effect.runPromise(Scope.provide(scope)(freshDatabaseFacts))
  const post = await openPostOffice()
  const start = () =>
    serve({
      SVC_DATABASE_URL: `postgres://${username}@localhost/${database}?host=${host}`,
      SVC_SECRET: "a secret that both of them know, and nobody else",
      SVC_SMTP_URL: post.url,
      SVC_BASE_URL: "http://svc.localhost",
      SVC_DATA_DIR: newFolder(),
      SVC_TRUSTED_PROXY_HOPS: "1",
      ...environment
    })
  const statement = (text: string, values: ReadonlyArray<unknown> = []) =>
    Effect.runPromise(SqlClient.SqlClient.use((sql) => sql.unsafe(text, values)).pipe(
      Effect.provide(PgClient.layer({ host, username, database, maxConnections: 1 }))
    ))
  const stop = async () => {
    await clearAway()
    await post.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  // The first one finds the database alone, as a deployment would have it.
  return { one: await start(), two: await start(), post, statement, stop }
}
