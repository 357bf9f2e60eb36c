/** Public pages under load, the access check on every request: against nginx, sirv, and the most that Node can do. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Bench } from "./bench.ts"
import { folder } from "./closing.ts"
import { CLIENT_CORE, missing, SERVER_CORE } from "./machine.ts"
import { interleaved, median } from "./pairs.ts"
import type { Measure } from "./pairs.ts"
import { startNginx } from "./peers/nginx.ts"
import { startNodePeer } from "./peers/node-peer.ts"
import { atLeast, paired, perSecond } from "./report.ts"
import type { Row } from "./report.ts"
import { startService, moveDatabase } from "./service.ts"
import { film, page, prose, zipped } from "./site.ts"
import type { Files } from "./site.ts"
import { wrk } from "./wrk.ts"

interface Workload {
  readonly what: string
  readonly path: string
  readonly connections: number
  readonly range?: string
  readonly goals: { readonly nginx: number; readonly sirv: number }
}

const MB = 1024 * 1024

const workloads: ReadonlyArray<Workload> = [
  { what: "12 KB page", path: "/", connections: 64, goals: { nginx: 0.4, sirv: 3 } },
  { what: "100 KB asset", path: "/asset.js", connections: 64, goals: { nginx: 0.4, sirv: 2 } },
  { what: "1 MB of a 10 MB video", path: "/video.mp4", connections: 16, range: `bytes=${3 * MB}-${4 * MB - 1}`, goals: { nginx: 0.7, sirv: 1.5 } }
]

const written = (files: Files): string => {
  const root = folder("files")
  for (const [path, content] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

export const serving: Bench = async ({ note, quick, tell }) => {
  const lacking = missing("wrk", "taskset")
  if (lacking.length > 0) return note(`serving: left out, ${lacking.join(" and ")} missing (Debian: apt-get install wrk util-linux)`), []
  const files: Files = new Map([
    ["index.html", page(12 * 1024)],
    ["asset.js", Buffer.from(`/* ${prose(100 * 1024 - 6)} */`)],
    ["video.mp4", film(10 * MB)]
  ])
  const root = written(files)
  const hasNginx = missing("nginx").length === 0
  if (!hasNginx) note("serving: nginx missing, so its rows are left out (Debian: apt-get install nginx-light)")

  const service = await startService({ core: SERVER_CORE })
  await service.ask("/v1/projects/bench", { method: "PUT", headers: { "content-type": "application/zip" }, body: zipped(files) })
  const ports = {
    nginx: hasNginx ? await startNginx(root) : undefined,
    sirv: await startNodePeer("sirv", root),
    bare: await startNodePeer("bare", root)
  }
  const seconds = quick ? 1 : 2
  const latencies: Array<string> = []

  const rows: Array<Row> = []
  for (const { connections, goals, path, range, what } of workloads) {
    const asked = { connections, seconds, ...(range !== undefined && { range }) }
    const waits: Record<string, Array<number>> = {}
    const hit = (name: string, port: number, host?: string): Measure => async () => {
      const measured = await wrk({ ...asked, url: `http://127.0.0.1:${port}${path}`, ...(host !== undefined && { host }) })
      ;(waits[name] ??= []).push(measured.p50)
      return measured.perSecond
    }
    const ours = (name: string, core: number): Measure => {
      const measure = hit(name, service.port, `bench.svc.localhost:${service.port}`)
      return () => (moveDatabase(service, core), measure())
    }
    const contenders: Record<string, Measure> = {
      ours: ours("ours", CLIENT_CORE),
      ...(ports.nginx !== undefined && { nginx: hit("nginx", ports.nginx) }),
      sirv: hit("sirv", ports.sirv),
      ...(range === undefined && { bare: hit("bare", ports.bare), together: ours("together", SERVER_CORE) })
    }
    tell(`serving: ${what}`)
    for (const measure of Object.values(contenders)) await measure()
    for (const name of Object.keys(waits)) waits[name] = []
    const taken = await interleaved(quick ? 3 : 5, contenders)
    const row = (peer: string, goal?: ReturnType<typeof atLeast>, who = "ours", name = what) =>
      taken[peer] && rows.push(paired("serving", name, perSecond, taken[who]!, [peer, taken[peer]], goal))
    row("nginx", atLeast(goals.nginx))
    row("sirv", atLeast(goals.sirv))
    row("bare")
    if (taken["together"] !== undefined) row("nginx", undefined, "together", `${what}, database on the same core`)
    latencies.push(`${what}: ${Object.entries(waits).map(([name, all]) => `${name} ${median(all).toFixed(2)} ms`).join(", ")}`)
  }
  note(
    `serving: each server alone on core ${SERVER_CORE}, wrk on core ${CLIENT_CORE}; our embedded PostgreSQL runs on core ${CLIENT_CORE} beside wrk, ` +
      "as a database of its own would, and in the rows that say so on our core; the peers have no database and check nothing; views are not recorded yet"
  )
  note(`serving, p50: ${latencies.join("; ")}`)
  return rows
}
