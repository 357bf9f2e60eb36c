/**
 * `npm run bench -- [names…] [--quick] [--profile]`: measures the service beside what one would use instead, and
 * prints one table. `--profile` writes a CPU profile of each of our servers to bench/results.
 */
import { join } from "node:path"
import { analytics } from "./analytics.ts"
import { api } from "./api.ts"
import { app } from "./app.ts"
import { exports } from "./exports.ts"
import { logins } from "./logins.ts"
import { growth } from "./growth.ts"
import { memory } from "./memory.ts"
import { publishing } from "./publishing.ts"
import { judged, table } from "./report.ts"
import type { Row } from "./report.ts"
import { runCourses } from "./running.ts"
import type { Run } from "./running.ts"
import { serving } from "./serving.ts"
import { sites } from "./sites.ts"
import { starting } from "./starting.ts"

export type Bench = Run<Row>

const benches: Readonly<Record<string, Bench>> = { serving, api, logins, publishing, sites, memory, exports, starting, analytics, growth, app }

await runCourses(
  benches,
  { flags: "--quick and --profile", results: join(import.meta.dirname, "results") },
  (rows) => ({ table: table(rows), rows: rows.map(judged), wrong: [] })
)
