/**
 * `npm run faults -- [names…] [--quick]`: breaks what the service depends on while it works, and prints what was tried,
 * what went wrong and how soon it recovered by itself. Real processes, real faults, one course at a time.
 */
import { relative } from "node:path"
import { closeAll, closeOnSignals, unlessLeaving } from "../bench/closing.ts"
import { load, machine } from "../bench/machine.ts"
import { clock } from "./clock.ts"
import { database } from "./database.ts"
import { disk } from "./disk.ts"
import { hostile } from "./hostile.ts"
import { kills } from "./kills.ts"
import { machines } from "./machines.ts"
import { mail } from "./mail.ts"
import { races } from "./races.ts"
import { save, table } from "./report.ts"
import type { Row } from "./report.ts"
import { storage } from "./storage.ts"

export interface Course {
  /** Fewer rounds: to see that it runs, not to quote. */
  readonly quick: boolean
  /** Prints a line below the table: what is missing, what was found. */
  readonly note: (line: string) => void
  /** Shows what is being done right now. */
  readonly tell: (line: string) => void
}

export type Fault = (course: Course) => Promise<ReadonlyArray<Row>>

const courses: Readonly<Record<string, Fault>> = { kills, database, machines, storage, mail, disk, clock, races, hostile }

const asked = process.argv.slice(2).filter((word) => !word.startsWith("--"))
const quick = process.argv.includes("--quick")
const unknown = asked.find((name) => !Object.hasOwn(courses, name))

if (unknown !== undefined) {
  process.stderr.write(`faults: there is no "${unknown}". There are ${Object.keys(courses).join(", ")}, and --quick.\n`)
  process.exit(2)
}

closeOnSignals()
const started = performance.now()
const notes: Array<string> = [`${new Date().toISOString().slice(0, 10)}, ${machine()}; load average before: ${load()}`]
const rows: Array<Row> = []
let failed = false

/** A course that was asked for by name and could not run has not passed. */
const nothing = (name: string) => {
  failed = true
  notes.push(`${name}: asked for, and nothing was tried`)
}

for (const name of asked.length > 0 ? asked : Object.keys(courses)) {
  try {
    const course = { quick, note: (line: string) => void notes.push(`${name}: ${line}`), tell: (line: string) => void process.stderr.write(`${name}: ${line} …\n`) }
    const found = await unlessLeaving(courses[name]!(course))
    rows.push(...found)
    if (found.length === 0 && asked.includes(name)) nothing(name)
  } catch (error) {
    failed = true
    notes.push(`${name}: failed, ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await closeAll()
  }
}

for (const { course, fault, wrong } of rows) for (const line of wrong.slice(0, 10)) notes.push(`${course}, ${fault}: WRONG: ${line}`)
notes.push(`took ${((performance.now() - started) / 1000).toFixed(0)} s; load average after: ${load()}`)
const path = save(rows, notes, quick)
process.stdout.write(`\n${table(rows)}\n\n${notes.map((line) => `  ${line}`).join("\n")}\n  ${relative(process.cwd(), path)}\n`)
process.exit(failed || rows.some(({ wrong }) => wrong.length > 0) ? 1 : 0)
