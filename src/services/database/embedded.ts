/**
 * The embedded database: a real PostgreSQL that belongs to this process.
 *
 * 1. Lock the data folder; a second process is refused.
 * 2. Stop the server that a killed owner left there.
 * 3. Choose the user to run PostgreSQL as, and programs that this user can run.
 * 4. Make the cluster if there is none.
 * 5. Start on a private Unix socket and wait until it answers; restart it if it dies.
 * 6. When the scope closes: stop the server, then release the lock.
 */
import { Effect, Schedule } from "effect"
import type { Scope } from "effect"
import { rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { serverBinaries } from "./embedded/binaries.ts"
import { DATABASE, ensureCluster, USERNAME } from "./embedded/cluster.ts"
import { lockDataDir } from "./embedded/data-dir-lock.ts"
import { stopLeftover } from "./embedded/leftover.ts"
import { serverUser } from "./embedded/os-user.ts"
import type { Server } from "./embedded/server.ts"
import { startServer } from "./embedded/server.ts"
import { makeSocketFolder, removeSocketFolder } from "./embedded/socket-folder.ts"
import { makeFolder } from "../make-folder.ts"
import { StartRefused, step } from "../start-refused.ts"

export interface EmbeddedPostgres {
  /** The folder of the Unix socket, which PostgreSQL clients accept as a host. */
  readonly host: string
  readonly username: string
  readonly database: string
}

export const embeddedPostgres: (options: {
  readonly dataDir: string
  /** False gives up all protection against a power cut for speed: for tests. */
  readonly durable?: boolean
}) => Effect.Effect<EmbeddedPostgres, StartRefused, Scope.Scope> = Effect.fn("embeddedPostgres")(
  function*({ dataDir: given, durable = true }) {
    const dataDir = resolve(given)
    const cluster = join(dataDir, "postgres")
    const log = join(dataDir, "postgres.log")

    yield* step(() => makeFolder(dataDir, 0o700))
    yield* Effect.acquireRelease(step(() => lockDataDir(dataDir)), (lock) => Effect.sync(lock.release))
    yield* step(() => stopLeftover(cluster))

    const user = yield* step(() => serverUser(cluster))
    const bin = yield* step(() => serverBinaries(dataDir, user))
    const plan = { bin, cluster, durable, user }
    yield* step(() => ensureCluster(plan))

    const host = yield* Effect.acquireRelease(
      makeSocketFolder(user),
      (folder) => Effect.sync(() => removeSocketFolder(folder))
    )
    yield* step(() => rmSync(log, { force: true }))
    let server: Server
    // Known in the same step in which it is started: a stop waits for that step, and then stops what it started.
    const start = step(async () => {
      server = await startServer(plan, host, log)
    })
    yield* Effect.acquireRelease(start, () => Effect.promise(() => server.stop()))

    const restart = Effect.andThen(step(() => stopLeftover(cluster, host)), start)
    yield* Effect.promise(() => server.ended).pipe(
      Effect.andThen(Effect.logError("The embedded PostgreSQL ended by itself and is started again")),
      Effect.andThen(Effect.sleep("200 millis")),
      Effect.andThen(restart),
      Effect.tapError((refusal) => Effect.logError(refusal.message)),
      Effect.retry(Schedule.spaced("5 seconds")),
      Effect.forever,
      Effect.forkScoped
    )

    return { host, username: USERNAME, database: DATABASE }
  }
)
