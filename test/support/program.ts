/** The program itself as child processes: started with an environment, asked, stopped or killed from outside. */
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { randomInt } from "node:crypto"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { stopLeftover } from "../../src/services/database/embedded/leftover.ts"
import { ask } from "./ask.ts"
import type { Answer, Question } from "./ask.ts"

export type Environment = Readonly<Record<string, string>>

const root = fileURLToPath(new URL("../..", import.meta.url))

/** How the process ended, with everything it wrote. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Program {
  readonly pid: number
  readonly port: number
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Promise<Ended>
  readonly ask: (path: string, question?: Question) => Promise<Answer>
  /** Sends the signal and waits for the end. */
  readonly end: (signal?: NodeJS.Signals) => Promise<Ended>
}

const children = new Set<ChildProcess>()
const folders = new Set<string>()
process.once("exit", () => children.forEach((child) => child.kill("SIGKILL")))

/** Polls until the answer is there; if it never comes, the error names it, before the test ends as one that hangs. */
export const eventually = async <A>(what: string, find: () => A | undefined | false | Promise<A | undefined | false>, seconds = 240): Promise<A> => {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} seconds`)
    await wait(10)
  }
}

/** From below the range that systems use for outgoing connections, so that nothing takes it before it is listened on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const port = randomInt(10_000, 32_768)
    const probe = createServer().listen(port, "127.0.0.1", () => probe.close(() => resolve(port)))
    probe.once("error", () => resolve(freePort()))
  })

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "svc-program-"))
  folders.add(folder)
  return folder
}

/** Starts the program with this environment and nothing else of ours; it may end at once. */
export const launch = (command: string, environment: Environment): Program => {
  const { HOME = "/", PATH = "" } = process.env
  const child = spawn(process.execPath, ["dist/service/main.js", command], {
    cwd: root,
    env: { HOME, PATH, NO_COLOR: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  children.add(child)
  const written = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk) => (written.stdout += String(chunk)))
  child.stderr.on("data", (chunk) => (written.stderr += String(chunk)))
  const ended = new Promise<Ended>((resolve) =>
    child.once("close", (code, signal) => {
      children.delete(child)
      resolve({ code, signal, ...written })
    })
  )
  const port = Number(environment["SVC_PORT"] ?? 8787)
  return {
    pid: child.pid!,
    port,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    ended,
    ask: (path, question) => ask(port, path, question),
    end: (signal = "SIGTERM") => {
      child.kill(signal)
      return ended
    }
  }
}

/** Starts the service and waits until it reports that it is up. */
export const serve = async (environment: Environment): Promise<Program> => {
  const program = launch("serve", { SVC_PORT: String(await freePort()), ...environment })
  let over = false
  void program.ended.then(() => (over = true))
  // The last line that it prints once it answers, or works.
  await eventually("svc is up", () => over || /\/signup --json .*\n|"svc is up"|listens on no port/.test(program.stdout()))
  if (over) throw new Error(`The service ended instead of starting: ${program.stderr()}${program.stdout()}`)
  return program
}

/** The token of the demo account, which the first start of the embedded default prints. */
export const demoToken = (program: Program): string => {
  const found = /svc_[\w-]{43}/.exec(program.stdout())
  if (found === null) throw new Error("The start printed no token")
  return found[0]
}

/** Ends every process that was started here. */
export const endAll = async (): Promise<void> => {
  await Promise.all([...children].map((child) =>
    new Promise<void>((resolve) => {
      child.once("close", () => resolve())
      child.kill("SIGTERM")
    })
  ))
}

/** For `afterAll`: ends everything that was started, removes everything that was written. */
export const clearAway = async (): Promise<void> => {
  await endAll()
  for (const folder of folders) {
    if (!existsSync(folder)) continue
    // Of a service that was killed, its server and the folder of its sockets are left.
    await stopLeftover(join(folder, "postgres"))
    rmSync(folder, { recursive: true, force: true })
  }
  folders.clear()
}
