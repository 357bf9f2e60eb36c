/** How a program of courses runs: those asked for by name, or all, one after the other; then their table, and the same as JSON. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { closeAll, closeOnSignals, program, unlessLeaving } from "./closing.ts"
import { load, machine } from "./machine.ts"

export interface Course {
  /** Fewer and shorter rounds: to see that it runs, not to quote. */
  readonly quick: boolean
  /** Prints a line below the table: how it was measured, what is missing, what was found. */
  readonly note: (line: string) => void
  /** Shows what is being done right now. */
  readonly tell: (line: string) => void
}

export type Run<Row> = (course: Course) => Promise<ReadonlyArray<Row>>

/** What the rows of all courses come to. */
export interface Verdict {
  readonly table: string
  /** The rows as the JSON has them. */
  readonly rows: ReadonlyArray<unknown>
  /** One line each; with any of them the program exits with 1. */
  readonly wrong: ReadonlyArray<string>
}

const saved = (folder: string, quick: boolean, notes: ReadonlyArray<string>, rows: ReadonlyArray<unknown>): string => {
  mkdirSync(folder, { recursive: true })
  const at = new Date().toISOString()
  const path = join(folder, `${at.replaceAll(/[:.]/g, "-")}.json`)
  writeFileSync(path, `${JSON.stringify({ at, machine: machine(), load: load(), quick, notes, rows }, null, 2)}\n`)
  return path
}

/** `flags`: those it knows, in words. The verdict is told, too, which courses were asked for by name and gave no row. */
export const runCourses = async <Row>(
  courses: Readonly<Record<string, Run<Row>>>,
  { flags, results }: { readonly flags: string; readonly results: string },
  verdict: (rows: ReadonlyArray<Row>, without: ReadonlyArray<string>) => Verdict
): Promise<never> => {
  const asked = process.argv.slice(2).filter((word) => !word.startsWith("--"))
  const quick = process.argv.includes("--quick")
  const known = new Set([...Object.keys(courses), ...flags.match(/--\w+/g) ?? []])
  const unknown = process.argv.slice(2).find((word) => !known.has(word))
  if (unknown !== undefined) {
    process.stderr.write(`${program}: there is no "${unknown}". There are ${Object.keys(courses).join(", ")}, and ${flags}.\n`)
    process.exit(2)
  }

  closeOnSignals()
  const started = performance.now()
  const notes = [`${new Date().toISOString().slice(0, 10)}, ${machine()}; load average before: ${load()}`]
  const [rows, without]: [Array<Row>, Array<string>] = [[], []]
  let failed = false
  for (const name of asked.length > 0 ? asked : Object.keys(courses)) {
    try {
      const found = await unlessLeaving(courses[name]!({
        quick,
        note: (line) => void notes.push(`${name}: ${line}`),
        tell: (line) => void process.stderr.write(`${name}: ${line} …\n`)
      }))
      rows.push(...found)
      if (found.length === 0 && asked.includes(name)) without.push(name)
    } catch (error) {
      failed = true
      notes.push(`${name}: failed, ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      await closeAll()
    }
  }

  const { rows: told, table, wrong } = verdict(rows, without)
  notes.push(...wrong, `took ${((performance.now() - started) / 1000).toFixed(0)} s; load average after: ${load()}`)
  const path = saved(results, quick, notes, told)
  process.stdout.write(`\n${table}\n\n${notes.map((line) => `  ${line}`).join("\n")}\n  ${relative(process.cwd(), path)}\n`)
  process.exit(failed || wrong.length > 0 ? 1 : 0)
}
