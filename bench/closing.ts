/** Whatever a program starts or makes is undone at its end, in reverse order, after Ctrl-C too. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"

/** The program that runs: bench, faults or fleet. */
export const program = basename(process.argv[1] ?? "", ".ts")

type Undo = () => unknown

const undos: Array<Undo> = []

export const atEnd = (undo: Undo): void => {
  undos.push(undo)
}

export const closeAll = async (): Promise<void> => {
  for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
    try {
      await undo()
    } catch (error) {
      process.stderr.write(`${program}: left something behind: ${String(error)}\n`)
    }
  }
}

/** A folder that is removed at the end, on the disk where everything is measured. */
export const folder = (name: string): string => {
  const made = mkdtempSync(join(tmpdir(), `svc-bench-${name}-`))
  atEnd(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const forever = new Promise<never>(() => {})

let leaving = false

/** After Ctrl-C work fails because its servers are stopped; that must neither be reported nor end the process early. */
export const unlessLeaving = <A>(work: Promise<A>): Promise<A> =>
  work.then((done) => leaving ? forever : done, (error: unknown) => leaving ? forever : Promise.reject(error))

/** A second Ctrl-C changes nothing: what was started must still be stopped. */
export const closeOnSignals = (): void => {
  const leave = (code: number) => () => {
    if (leaving) return
    leaving = true
    process.stderr.write(`\n${program}: stopping …\n`)
    void closeAll().then(() => process.exit(code))
  }
  process.on("SIGINT", leave(130))
  process.on("SIGTERM", leave(143))
  process.on("uncaughtException", (error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`)
    leave(1)()
  })
}
