/** Stops the server that a killed owner left behind. Only the holder of the folder's lock may call this. */
import { execFileSync } from "node:child_process"
import { readFileSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { removeSocketFolder, removeSockets } from "./socket-folder.ts"
import { STOP_SIGNALS } from "./spawn.ts"
import { StartRefused } from "../../start-refused.ts"

const quietly = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * Every PostgreSQL process working in the folder, found by its working directory: a pid read from a file may be another
 * program's by now, and even a zombie accepts signals. An administrator's shell in the folder is left alone.
 */
const processesIn = (cluster: string): ReadonlyArray<number> => {
  const home = quietly(() => statSync(cluster, { bigint: true }))
  if (home === undefined) return []
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    const cwd = quietly(() => statSync(`/proc/${pid}/cwd`, { bigint: true }))
    return cwd !== undefined && cwd.ino === home.ino && cwd.dev === home.dev &&
      quietly(() => readFileSync(`/proc/${pid}/comm`, "utf8").trim()) === "postgres"
  })
}

/** Without /proc: the process that the pid file names, if it was started on this very folder. */
const processOnRecord = (cluster: string, pid: number): ReadonlyArray<number> => {
  const command = quietly(() => execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" }))
  return command?.includes(cluster) === true ? [pid] : []
}

const parentOf = (pid: number): number | undefined =>
  quietly(() => Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]))

/** Removes the server's socket folder too, unless the caller keeps it for the next server. */
export const stopLeftover = async (cluster: string, kept?: string): Promise<void> => {
  const pidFile = join(cluster, "postmaster.pid")
  const record = quietly(() => readFileSync(pidFile, "utf8").split("\n")) ?? []
  const running = (): ReadonlyArray<number> =>
    process.platform === "linux" ? processesIn(cluster) : processOnRecord(cluster, Number(record[0]))

  for (const [signal, patience] of STOP_SIGNALS) {
    const found = running()
    // Children stop with their parent; only SIGKILL has to be sent to each of them.
    const told = signal === "SIGKILL" ? found : found.filter((pid) => !found.includes(parentOf(pid) ?? 0))
    for (const pid of told) quietly(() => process.kill(pid, signal))
    const deadline = Date.now() + patience
    while (running().length > 0 && Date.now() < deadline) await wait(20)
  }
  const [survivor] = running()
  if (survivor !== undefined) {
    throw new StartRefused({
      message: `An earlier PostgreSQL, process ${survivor}, still works in ${cluster} and does not stop; end it and start again.`
    })
  }
  rmSync(pidFile, { force: true })
  const sockets = record[4] ?? ""
  if (sockets === kept) removeSockets(sockets)
  else removeSocketFolder(sockets)
}
