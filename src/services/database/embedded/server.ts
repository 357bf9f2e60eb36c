/** One running PostgreSQL: started, awaited until it answers, and stopped in order. */
import { closeSync, openSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { DATABASE, USERNAME } from "./cluster.ts"
import type { ClusterPlan } from "./cluster.ts"
import { SOCKET_NAME } from "./socket-folder.ts"
import { spawnAs, STOP_SIGNALS, withFolder } from "./spawn.ts"
import { StartRefused } from "../../start-refused.ts"

export interface Server {
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>
  readonly stop: () => Promise<void>
}

/** Crash recovery replays the WAL first, which may take a while on a busy database. */
const START_PATIENCE = 120_000

const settings = (socketFolder: string, durable: boolean): ReadonlyArray<string> =>
  Object.entries({
    listen_addresses: "",
    unix_socket_directories: `"${socketFolder}"`,
    unix_socket_permissions: "0700",
    cluster_name: "svc",
    max_connections: "100",
    shared_buffers: "128MB",
    // Parallel queries need shared memory that a container's small /dev/shm does not have.
    max_parallel_workers_per_gather: "0",
    max_parallel_maintenance_workers: "0",
    timezone: "UTC",
    log_timezone: "UTC",
    // Logs only what concerns the server itself: failed statements would quote what people typed.
    log_min_messages: "log",
    log_checkpoints: "off",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off", wal_level: "minimal", max_wal_senders: "0" })
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`])

const startupMessage = ((): Buffer => {
  const body = Buffer.from(`user\0${USERNAME}\0database\0${DATABASE}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + body.length, 0)
  head.writeInt32BE(196_608, 4)
  return Buffer.concat([head, body])
})()
const terminate = Buffer.from([0x58, 0, 0, 0, 4])

/** A server that lets us in answers with `R` first; any other letter is a refusal. */
const answers = (socketPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.write(startupMessage))
    socket.setTimeout(2_000, () => socket.destroy())
    socket.once("data", (bytes) => {
      resolve(bytes[0] === 0x52)
      socket.end(terminate)
    })
    socket.once("error", () => socket.destroy())
    socket.once("close", () => resolve(false))
  })

/** Checked first, because every connection refused during a recovery is a line in the log. */
const saysReady = (cluster: string, pid: number | undefined): boolean => {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")
    return Number(lines[0]) === pid && lines[7]?.trim() === "ready"
  } catch {
    return false
  }
}

const lastWords = (log: string): string => {
  const lines = readFileSync(log, "utf8").trim().split("\n")
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.slice(-3).join(" ")
}

export const startServer = async (
  { bin, cluster, durable, user }: ClusterPlan,
  socketFolder: string,
  log: string
): Promise<Server> => {
  const output = openSync(log, "a", 0o600)
  const child = withFolder(cluster, (path, handles) =>
    spawnAs(user, join(bin, "postgres"), ["-D", path, ...settings(socketFolder, durable)],
      ["ignore", output, output, ...handles]))
  closeSync(output)

  let running = true
  const stopAtExit = () => child.kill("SIGINT")
  process.once("exit", stopAtExit)
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      running = false
      process.off("exit", stopAtExit)
      resolve()
    }
    child.once("exit", end)
    child.once("error", end)
  })
  const stop = async () => {
    for (const [signal, patience] of STOP_SIGNALS) {
      if (!running) return
      child.kill(signal)
      const over = new AbortController()
      await Promise.race([ended, wait(patience, undefined, { signal: over.signal }).catch(() => {})])
      over.abort()
    }
  }

  const deadline = Date.now() + START_PATIENCE
  while (!saysReady(cluster, child.pid) || !await answers(join(socketFolder, SOCKET_NAME))) {
    if (running && Date.now() < deadline) {
      await wait(10)
      continue
    }
    await stop()
    throw new StartRefused({
      message: `PostgreSQL did not start (${lastWords(log)}); mend what ${log} says, or choose another folder with SVC_DATA_DIR.`
    })
  }
  return { ended, stop }
}
