/** Processes of the program on one database, as behind a load balancer, and the mail server that all of them use. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { Answer } from "./ask.ts"
import { freshDatabaseFacts } from "./database.ts"
import type { ConnectionFacts } from "./database.ts"
import { openPostOffice } from "./post-office.ts"
import type { PostOffice } from "./post-office.ts"
import { clearAway, newFolder, serve } from "./program.ts"
import type { Environment, Program } from "./program.ts"

export interface Ground {
  readonly post: PostOffice
  readonly database: ConnectionFacts
  /** What every process is started with. */
  readonly environment: Environment
  readonly start: () => Promise<Program>
  /** Changes rows beneath all of them. */
  readonly statement: <Row extends object = Record<string, unknown>>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>
  readonly stop: () => Promise<void>
}

export interface Pair extends Ground {
  readonly one: Program
  readonly two: Program
}

/** Whoever is told to come again does: on a busy machine others hold for seconds what a request changes, and then nothing was done. */
export const comingAgain = async (ask: () => Promise<Answer>): Promise<Answer> => {
  const answer = await ask()
  return answer.status === 503 ? comingAgain(ask) : answer
}

/** A database, a mail server, and no process yet. */
export const openGround = async (given: Environment = {}): Promise<Ground> => {
  const scope = Scope.makeUnsafe()
  const facts = await Effect.runPromise(Scope.provide(scope)(freshDatabaseFacts))
  const { database, host, username } = facts
  const post = await openPostOffice()
  const environment = {
    SVC_DATABASE_URL: `postgres://${username}@localhost/${database}?host=${host}`,
    SVC_SECRET: "a secret that both of them know, and nobody else",
    SVC_SMTP_URL: post.url,
    SVC_BASE_URL: "http://svc.localhost",
    SVC_TRUSTED_PROXY_HOPS: "1",
    SVC_DATA_DIR: newFolder(),
    ...given
  }
  return {
    post,
    database: facts,
    environment,
    start: () => serve(environment),
    statement: <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.runPromise(SqlClient.SqlClient.use((sql) => sql.unsafe<Row>(text, values)).pipe(
        Effect.provide(PgClient.layer({ host, username, database, maxConnections: 1 }))
      )),
    stop: async () => {
      await clearAway()
      await post.stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}

export const startPair = async (environment: Environment = {}): Promise<Pair> => {
  const ground = await openGround(environment)
  // Only the first one meets an empty database, as in a deployment.
  return { ...ground, one: await ground.start(), two: await ground.start() }
}
