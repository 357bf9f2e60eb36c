/** The machine a bench runs on: its tools, its load, and which core a process runs on. */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { accessSync, constants, readdirSync, readFileSync } from "node:fs"
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

/** Those of these tools that are not here. */
export const missing = (...tools: ReadonlyArray<string>): ReadonlyArray<string> => tools.filter((tool) => !has(tool))

export const load = (): string => loadavg().map((value) => value.toFixed(2)).join(" ")

export const machine = (): string => `${cpus().length} × ${cpus()[0]?.model.trim() ?? "?"}, Node ${process.versions.node}`

/** A child that is stopped in order at the end, and by force if that takes too long. */
export const start = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = process.env): ChildProcess => {
  // A group of its own: Ctrl-C reaches only this process, which stops the child and waits for it.
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

/** Children that these fork later inherit the core. */
export const move = (pids: ReadonlyArray<number>, core: number): void => {
  for (const pid of pids) execFileSync("taskset", ["-a", "-c", "-p", String(core), String(pid)], { stdio: "ignore" })
}

/** Nanoseconds that a process's threads have run; 0 for a process that has ended, as PostgreSQL's helpers do. */
const ran = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) =>
      sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]), 0)
  } catch {
    return 0
  }
}

/** Seconds of processor time, which say more than wall-clock time on a shared machine. */
export const busy = (pids: ReadonlyArray<number>): number => pids.reduce((sum, pid) => sum + ran(pid) / 1e9, 0)

/** Flushes pending writes, so that no measurement waits for those of others. */
export const settle = (): void => void spawnSync("sync")
