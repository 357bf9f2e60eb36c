/** The machine a bench runs on: its tools, its load, and which core a process runs on. */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { accessSync, constants, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { cpus, loadavg } from "node:os"
import { delimiter, join } from "node:path"
import { atEnd } from "./closing.ts"

export const SERVER_CORE = 0
export const CLIENT_CORE = 1

const has = (tool: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).concat("/usr/sbin", "/sbin").some((at) => {
    try {
      accessSync(join(at, tool), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Debian's package for each tool that is not there. */
export const missing = (...tools: ReadonlyArray<string>): ReadonlyArray<string> => tools.filter((tool) => !has(tool))

export const load = (): string => loadavg().map((value) => value.toFixed(2)).join(" ")

export const machine = (): string => `${cpus().length} × ${cpus()[0]?.model.trim() ?? "?"}, Node ${process.versions.node}`

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

/** A child that is stopped in order at the end, and by force when that takes too long. */
export const start = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = process.env): ChildProcess => {
  // A group of its own: Ctrl-C reaches it through this process alone, which then waits for it.
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true })
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve())
    child.once("error", () => resolve())
  })
  atEnd(async () => {
    child.kill("SIGTERM")
    const force = setTimeout(() => child.kill("SIGKILL"), 15_000)
    await ended
    clearTimeout(force)
  })
  return child
}

export const pinned = (core: number, command: string, args: ReadonlyArray<string>): [string, ReadonlyArray<string>] => [
  "taskset",
  ["-c", String(core), command, ...args]
]

/** A process and its children. */
export const family = (pid: number): ReadonlyArray<number> => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").map(Number).filter((child) => child > 0)
]

/** What these forks later goes along. */
export const move = (pids: ReadonlyArray<number>, core: number): void => {
  for (const pid of pids) execFileSync("taskset", ["-a", "-c", "-p", String(core), String(pid)], { stdio: "ignore" })
}

/** Nanoseconds that a process's threads have run; none of one that has ended, as PostgreSQL's helpers do. */
const ran = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) =>
      sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]), 0)
  } catch {
    return 0
  }
}

/** Seconds of processor time, which say more than the clock on a machine that others use too. */
export const busy = (pids: ReadonlyArray<number>): number => pids.reduce((sum, pid) => sum + ran(pid) / 1e9, 0)

/** What others left to be written must not be waited for inside a measurement. */
export const settle = (): void => void spawnSync("sync")
