/**
 * `npm run bench -- [names…] [--quick] [--profile]`: measures the service beside what one would use instead, and
 * prints one table. `--profile` writes a CPU profile of each of our servers to bench/results.
 */
import { relative } from "node:path"
import { analytics } from "./analytics.ts"
import { api } from "./api.ts"
import { app } from "./app.ts"
import { closeAll, closeOnSignals, unlessLeaving } from "./closing.ts"
import { exports } from "./exports.ts"
import { logins } from "./logins.ts"
import { growth } from "./growth.ts"
import { load, machine } from "./machine.ts"
import { memory } from "./memory.ts"
import { publishing } from "./publishing.ts"
import { save, table } from "./report.ts"
import type { Row } from "./report.ts"
import { serving } from "./serving.ts"
import { sites } from "./sites.ts"

export interface Course {
  /** Fewer and shorter rounds: to see that it runs, not to quote. */
  readonly quick: boolean
  /** Prints a line above the table: how it was measured, what is missing. */
  readonly note: (line: string) => void
  /** Shows what is being done right now. */
  readonly tell: (line: string) => void
}

export type Bench = (course: Course) => Promise<ReadonlyArray<Row>>

const benches: Readonly<Record<string, Bench>> = { serving, api, logins, publishing, sites, memory, exports, analytics, growth, app }

const asked = process.argv.slice(2).filter((word) => !word.startsWith("--"))
const quick = process.argv.includes("--quick")
const unknown = asked.find((name) => !Object.hasOwn(benches, name))

if (unknown !== undefined) {
  process.stderr.write(`bench: there is no "${unknown}". There are ${Object.keys(benches).join(", ")}, and --quick and --profile.\n`)
  process.exit(2)
}

closeOnSignals()
const started = performance.now()
const notes: Array<string> = [`${machine()}; load average before: ${load()}`]
const rows: Array<Row> = []
let failed = false

for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
  try {
    const course = { quick, note: (line: string) => void notes.push(line), tell: (line: string) => void process.stderr.write(`${line} …\n`) }
    rows.push(...await unlessLeaving(benches[name]!(course)))
  } catch (error) {
    failed = true
    notes.push(`${name}: failed, ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await closeAll()
  }
}

notes.push(`took ${((performance.now() - started) / 1000).toFixed(0)} s; load average after: ${load()}`)
const path = save(rows, notes, quick)
process.stdout.write(`\n${table(rows)}\n\n${notes.map((line) => `  ${line}`).join("\n")}\n  ${relative(process.cwd(), path)}\n`)
process.exit(failed ? 1 : 0)
