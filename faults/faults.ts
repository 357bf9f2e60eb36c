/**
 * `npm run faults -- [names…] [--quick]`: breaks what the service depends on while it works, and prints what was tried,
 * what went wrong and how soon it recovered by itself. Real processes, real faults, one course at a time.
 */
import { join } from "node:path"
import { runCourses } from "../bench/running.ts"
import type { Run } from "../bench/running.ts"
import { clock } from "./clock.ts"
import { database } from "./database.ts"
import { disk } from "./disk.ts"
import { hostile } from "./hostile.ts"
import { kills } from "./kills.ts"
import { machines } from "./machines.ts"
import { mail } from "./mail.ts"
import { memory } from "./memory.ts"
import { nonsense } from "./nonsense.ts"
import { races } from "./races.ts"
import { table } from "./report.ts"
import type { Row } from "./report.ts"
import { storage } from "./storage.ts"
import { walks } from "./walks.ts"

export type Fault = Run<Row>

const courses: Readonly<Record<string, Fault>> = { kills, database, machines, storage, mail, disk, memory, clock, races, walks, nonsense, hostile }

await runCourses(courses, { flags: "--quick", results: join(import.meta.dirname, "results") }, (rows, without) => ({
  table: table(rows),
  rows,
  wrong: [
    // A course that was asked for by name and could not run has not passed.
    ...without.map((name) => `${name}: asked for, and nothing was tried`),
    ...rows.flatMap(({ course, fault, wrong }) => wrong.slice(0, 10).map((line) => `${course}, ${fault}: WRONG: ${line}`))
  ]
}))
