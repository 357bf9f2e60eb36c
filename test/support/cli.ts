/** The command line as people run it: the packed file, in a process of its own, in a pipe or at a terminal. */
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Semaphore } from "effect"
import * as CliConfig from "effect/cli/CliConfig"
import { runWith } from "effect/cli/Command"
import { Help } from "effect/cli/GlobalFlag"
import { buildCli } from "../../scripts/cli.mjs"
import { listedIn, modesOf, Output } from "../../src/cli/output.ts"
import { refusalOf } from "../../src/cli/refusal.ts"
import { svc as svcCommand } from "../../src/cli/root.ts"
import { program } from "../../src/cli/run.ts"
import type { Ended } from "./program.ts"

const scratch = mkdtempSync(join(tmpdir(), "svc-cli-"))
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }))

let building: Promise<string> | undefined
/** Built once for all tests of this process. */
export const packed = (): Promise<string> => (building ??= buildCli(join(scratch, "package")))

let folders = 0
export const newFolder = (files: Readonly<Record<string, string | Uint8Array>> = {}): string => {
  const folder = join(scratch, `folder-${++folders}`)
  mkdirSync(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** Nothing of this environment but what is named: a home without credentials. What is compiled is kept for all. */
export const environment = (own: Readonly<Record<string, string>> = {}) => ({
  HOME: newFolder(),
  PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
  LC_ALL: "C",
  NODE_COMPILE_CACHE: join(scratch, "compiled"),
  ...own
})
export type Environment = ReturnType<typeof environment>

export const credentialsIn = ({ HOME }: Environment): string => join(HOME, ".config", "svc", "credentials.json")

export interface Running {
  readonly stdout: () => string
  readonly write: (text: string) => void
  readonly ended: Promise<Ended>
}

const started = (program: string, args: ReadonlyArray<string>, env: Environment, cwd: string | undefined, input: string | undefined): Running => {
  const child = spawn(program, args, { env, cwd, stdio: "pipe" })
  const written = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk) => (written.stdout += String(chunk)))
  child.stderr.on("data", (chunk) => (written.stderr += String(chunk)))
  child.stdin.on("error", () => {})
  if (input !== undefined) child.stdin.end(input)
  return {
    stdout: () => written.stdout,
    write: (text) => void child.stdin.write(text),
    ended: new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal, ...written })))
  }
}

export const start = async (args: ReadonlyArray<string>, env: Environment, { cwd, input = "" }: { readonly cwd?: string; readonly input?: string } = {}) =>
  started(process.execPath, [join(await packed(), "svc.js"), ...args], env, cwd, input)

export const svc = async (args: ReadonlyArray<string>, env: Environment, options?: { readonly cwd?: string; readonly input?: string }) =>
  (await start(args, env, options)).ended

const turn = Semaphore.makeUnsafe(1)

/** In place, since the home and the temporary folder are asked of the system. */
const lend = (env: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}

/** As `svc` with nothing in its stdin, but in this process, which takes a tenth of the time: one at a time, since its environment, streams and exit code are lent. */
export const ran = (args: ReadonlyArray<string>, env: Environment): Effect.Effect<Ended> =>
  turn.withPermit(Effect.acquireUseRelease(
    Effect.sync(() => {
      const before = { env: { ...process.env }, exitCode: process.exitCode, stdin: Object.getOwnPropertyDescriptor(process, "stdin")!, out: process.stdout.write, err: process.stderr.write }
      const written = { stdout: "", stderr: "" }
      lend(env)
      process.exitCode = undefined
      Object.defineProperty(process, "stdin", { value: Readable.from([]), configurable: true })
      for (const name of ["stdout", "stderr"] as const) process[name].write = (text: string | Uint8Array) => (written[name] += String(text)) !== ""
      return { before, written }
    }),
    ({ written }) => Effect.map(program(args), () => ({ code: Number(process.exitCode ?? 0), signal: null, ...written })),
    ({ before }) => Effect.sync(() => {
      lend(before.env)
      process.exitCode = before.exitCode
      Object.defineProperty(process, "stdin", before.stdin)
      process.stdout.write = before.out
      process.stderr.write = before.err
    })
  ))

/** Whether util-linux' `script` is installed, which gives a command a terminal. */
export const hasTerminal = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") === true

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** At a terminal of 80 columns, where stdout and stderr are one stream. */
export const atTerminal = async (args: ReadonlyArray<string>, env: Environment): Promise<Running> => {
  const command = ["stty cols 80;", quoted(process.execPath), quoted(join(await packed(), "svc.js")), ...args.map(quoted)].join(" ")
  return started("script", ["-qec", command, "/dev/null"], { ...env, TERM: "xterm" } as Environment, undefined, undefined)
}

/** The same in this process, with nobody watching, which takes a hundredth of the time: how it was refused, and what it said. */
export const within = (env: Environment, ...args: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const said = { answers: [] as Array<object>, lines: [] as Array<string>, aside: [] as Array<string> }
    const plain = (text: string) => text
    const paint = { bold: plain, dim: plain, green: plain, red: plain }
    const output = Output.of({
      ...{ ...modesOf(args), watched: false, asks: false, wide: 80, paint, asidePaint: paint, event: () => Effect.void },
      listed: listedIn(paint, 80),
      answer: (value, lines) => Effect.sync(() => void (said.answers.push(value), said.lines.push(...[lines(paint)].flat()))),
      aside: (line) => Effect.sync(() => void said.aside.push(line))
    })
    const before = { ...process.env }
    lend(env)
    const refusal = yield* runWith(svcCommand, { version: "0" })(args).pipe(
      Effect.as(undefined),
      Effect.catch(refusalOf),
      Effect.provide(Layer.mergeAll(NodeServices.layer, Layer.succeed(Output, output), CliConfig.layer({ builtIns: [Help] }))),
      Effect.ensuring(Effect.sync(() => lend(before)))
    )
    return { ...said, refusal }
  })
