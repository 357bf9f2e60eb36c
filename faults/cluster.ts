/** A PostgreSQL of our own, reached over TCP like a deployment's: started, stopped in order, killed, and started again. */
import { closeSync, openSync } from "node:fs"
import type { ChildProcess } from "node:child_process"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { atEnd } from "../bench/closing.ts"
import { serverBinaries } from "../src/services/database/embedded/binaries.ts"
import { DATABASE, ensureCluster, USERNAME } from "../src/services/database/embedded/cluster.ts"
import { stopLeftover } from "../src/services/database/embedded/leftover.ts"
import { serverUser } from "../src/services/database/embedded/os-user.ts"
import { spawnAs, withFolder } from "../src/services/database/embedded/spawn.ts"
import { eventually, freePort, newFolder } from "../test/support/program.ts"

export interface Cluster {
  readonly port: number
  readonly url: (port?: number) => string
  /** A statement over a connection of ours, which goes through no proxy. */
  readonly statement: <Row extends object = Record<string, unknown>>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>
  readonly start: () => Promise<void>
  /** In order (fast), or as when a machine dies. */
  readonly stop: (how?: "in order" | "killed") => Promise<void>
}

export const openCluster = async (): Promise<Cluster> => {
  const dataDir = newFolder()
  const cluster = join(dataDir, "postgres")
  const user = serverUser(cluster)
  const bin = await serverBinaries(dataDir, user)
  await ensureCluster({ bin, cluster, durable: true, user })
  const port = await freePort()
  const url = (at = port) => `postgres://${USERNAME}@127.0.0.1:${at}/${DATABASE}`
  const settings = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", max_connections: "200", timezone: "UTC" }
  const database = ManagedRuntime.make(PgClient.layer({ url: Redacted.make(url()), maxConnections: 1 }))
  const statement = <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
    database.runPromise(SqlClient.SqlClient.use((sql) => sql.unsafe<Row>(text, values)))

  let server: ChildProcess | undefined
  const start = async () => {
    const log = openSync(join(dataDir, "postgres.log"), "a", 0o600)
    server = withFolder(cluster, (path, handles) =>
      spawnAs(user, join(bin, "postgres"), ["-D", path, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])], ["ignore", log, log, ...handles]))
    closeSync(log)
    await eventually("PostgreSQL answers", () => Effect.runPromise(
      SqlClient.SqlClient.use((sql) => sql`SELECT 1`).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url()), maxConnections: 1 })), Effect.scoped)
    ).then(() => true, () => false))
  }
  const stop = async (how = "in order") => {
    const ended = new Promise((resolve) => server?.exitCode === null && server.signalCode === null ? server.once("exit", resolve) : resolve(undefined))
    server?.kill(how === "killed" ? "SIGKILL" : "SIGINT")
    await ended
    // Backends outlive a killed server for a moment.
    if (how === "killed") await stopLeftover(cluster)
  }
  await start()
  atEnd(async () => {
    await database.dispose()
    await stop()
  })
  return { port, url, statement, start, stop }
}
