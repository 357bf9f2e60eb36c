/** Starts PostgreSQL's programs as another user, on a folder that this user may be unable to reach by its path. */
import { spawn } from "node:child_process"
import type { ChildProcess, StdioOptions } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import type { OsUser } from "./os-user.ts"

/** How PostgreSQL is told to stop (fast shutdown, immediate shutdown, kill), each with the milliseconds it is given before the next. */
export const STOP_SIGNALS = [["SIGINT", 10_000], ["SIGQUIT", 5_000], ["SIGKILL", 5_000]] as const

/** glibc raises these with what is asked for, up to 32 MB, and each session then keeps as much; in bytes. */
const GIVES_BACK = { MALLOC_MMAP_THRESHOLD_: "1048576", MALLOC_TRIM_THRESHOLD_: "4194304" }

/** Detached, so that Ctrl-C in a terminal reaches this process alone, which then stops the server in order. */
export const spawnAs = (
  user: OsUser | undefined,
  file: string,
  args: ReadonlyArray<string>,
  stdio: StdioOptions
): ChildProcess =>
  spawn(file, args, {
    ...user,
    stdio,
    cwd: "/",
    detached: true,
    // None of the caller's PG* variables may steer this server.
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", ...GIVES_BACK }
  })

/**
 * Opens the folder here and passes the handle on as descriptor 3: an inherited handle works even below parents that the
 * server's user cannot enter. macOS cannot reopen a folder that way and gets the path.
 */
export const withFolder = <A>(folder: string, use: (path: string, stdio: ReadonlyArray<number>) => A): A => {
  if (process.platform !== "linux") return use(folder, [])
  const handle = openSync(folder, "r")
  try {
    return use("/proc/self/fd/3", [handle])
  } finally {
    closeSync(handle)
  }
}

/** Runs a program to its end; resolves to its exit code and everything it wrote. */
export const finished = (child: ChildProcess, input = ""): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve, reject) => {
    let output = ""
    child.stdout?.on("data", (chunk) => (output += String(chunk)))
    child.stderr?.on("data", (chunk) => (output += String(chunk)))
    child.once("error", reject)
    child.once("close", (code) => resolve({ code: code ?? 1, output }))
    // A program that ends before it reads its input is judged by its exit code.
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
  })
