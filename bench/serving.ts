/** Public pages and pages behind a doorcode under load, the access check on every request: against nginx, sirv, and the most that Node can do. */
import { mkdirSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import type { IncomingMessage } from "node:http"
import { dirname, join } from "node:path"
import type { Bench } from "./bench.ts"
import { folder } from "./closing.ts"
import { busy, CLIENT_CORE, family, missing, SERVER_CORE } from "./machine.ts"
import { interleaved, median } from "./pairs.ts"
import type { Measure } from "./pairs.ts"
import type { Peer } from "./peers/answering.ts"
import { startNginx } from "./peers/nginx.ts"
import { startNodePeer } from "./peers/node-peer.ts"
import { atLeast, atMost, paired, perSecond } from "./report.ts"
import type { Goal, Row } from "./report.ts"
import { moveDatabase, startService } from "./service.ts"
import type { Service } from "./service.ts"
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

/** The cookie of a reader who typed the doorcode. */
const passFor = async ({ port }: Service, slug: string, password: string): Promise<string> => {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const trying = request({
      host: "127.0.0.1", port, path: "/_svc/gate/password", method: "POST",
      headers: { host: `${slug}.svc.localhost:${port}`, "content-type": "application/json" }
    }, resolve)
    trying.on("error", reject)
    trying.end(JSON.stringify({ password }))
  })
  answer.resume()
  const pass = answer.headers["set-cookie"]?.[0]?.split(";")[0]
  if (pass === undefined) throw new Error(`the doorcode was answered ${answer.statusCode}`)
  return pass
}

const microseconds = (values: ReadonlyArray<number>): string => `${(median(values) * 1000).toFixed(1)} µs`

/** The median wait and the processor time per answer of every measured run, in milliseconds. */
interface Costs {
  readonly wait: Array<number>
  readonly cpu: Array<number>
}

export const serving: Bench = async ({ note, quick, tell }) => {
  const lacking = missing("wrk", "taskset")
  if (lacking.length > 0) return note(`left out, ${lacking.join(" and ")} missing (Debian: apt-get install wrk util-linux)`), []
  const files: Files = new Map([
    ["index.html", page(12 * 1024)],
    ["asset.js", Buffer.from(`/* ${prose(100 * 1024 - 6)} */`)],
    ["video.mp4", film(10 * MB)]
  ])
  const root = written(files)
  const hasNginx = missing("nginx").length === 0
  if (!hasNginx) note("nginx missing, so its rows are left out (Debian: apt-get install nginx-light)")

  const service = await startService({ core: SERVER_CORE })
  await service.ask("/v1/projects/bench", { method: "PUT", headers: { "content-type": "application/zip" }, body: zipped(files) })
  const doorcode = "bench-doorcode"
  await service.ask("/v1/projects/closed", { method: "PUT", headers: { "content-type": "application/zip" }, body: zipped(files) })
  await service.ask("/v1/projects/closed", {
    method: "PATCH", headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify({ visibility: "password", password: doorcode }))
  })
  const cookie = await passFor(service, "closed", doorcode)
  const us: Peer = { port: service.port, pids: [service.pid] }
  const nginx = hasNginx ? await startNginx(root) : undefined
  const decider = hasNginx ? await startNodePeer("decider", root, service.databaseHost) : undefined
  const asked = decider && await startNginx(root, decider)
  const sirv = await startNodePeer("sirv", root)
  const bare = await startNodePeer("bare", root)

  /** The contenders of a workload, and the cost of each of their measured runs. */
  const contending = ({ connections, path, range }: Workload) => {
    const seconds = quick ? 1 : 3
    const workload = { connections, seconds, ...(range !== undefined && { range }) }
    const costs: Record<string, Costs> = {}
    const hit = (name: string, { pids, port }: Peer, host?: string, dest?: string, cookie?: string): Measure => async () => {
      const before = busy(pids)
      const { p50, ...measured } = await wrk({
        ...workload, url: `http://127.0.0.1:${port}${path}`, ...(host !== undefined && { host }), ...(dest !== undefined && { dest }), ...(cookie !== undefined && { cookie })
      })
      const cost = costs[name] ??= { wait: [], cpu: [] }
      cost.wait.push(p50)
      cost.cpu.push((busy(pids) - before) * 1000 / (measured.perSecond * seconds))
      return measured.perSecond
    }
    const [site, closed] = [`bench.svc.localhost:${us.port}`, `closed.svc.localhost:${us.port}`]
    const ours = (name: string, core: number, pids = us.pids, dest?: string): Measure => {
      const measure = hit(name, { ...us, pids }, site, dest)
      return () => (moveDatabase(service, core), measure())
    }
    const gated = hit("ours, behind a doorcode", us, closed, undefined, cookie)
    const contenders: Record<string, Measure> = {
      ...(nginx !== undefined && { nginx: hit("nginx", nginx) }),
      ours: ours("ours", CLIENT_CORE),
      sirv: hit("sirv", sirv),
      gated: () => (moveDatabase(service, CLIENT_CORE), gated()),
      ...(asked !== undefined && path === "/" && { asked: hit("nginx auth_request", asked, closed, undefined, cookie) }),
      ...(range === undefined && {
        bare: hit("bare", bare),
        together: ours("ours with its PostgreSQL", SERVER_CORE, [...us.pids, ...family(service.databasePid)])
      }),
      ...(path === "/" && {
        read: ours("ours, opened by a browser", CLIENT_CORE, us.pids, "document"),
        unread: ours("ours, fetched by a script", CLIENT_CORE, us.pids, "empty")
      })
    }
    return { contenders, costs }
  }

  // Every workload once a round: when the machine's memory is slow for a minute, that affects a few pairs of each workload, not all pairs of one.
  const contests = workloads.map((workload) => ({ workload, ...contending(workload) }))
  tell("warming up")
  for (const { contenders, costs } of contests) {
    for (const measure of Object.values(contenders)) await measure()
    for (const name of Object.keys(costs)) delete costs[name]
  }
  const all: Record<string, Measure> = {}
  for (const { contenders, workload: { what } } of contests) for (const [name, measure] of Object.entries(contenders)) all[`${what}: ${name}`] = measure
  const rounds = quick ? 4 : 10
  const measured = await interleaved(rounds, all, (round) => tell(`round ${round} of ${rounds}`))

  const rows: Array<Row> = []
  for (const { costs, workload: { goals, path, range, what } } of contests) {
    const taken = (name: string) => measured[`${what}: ${name}`]
    const row = (peer: string, goal?: Goal, who = "ours", name = what) => {
      const [one, other] = [taken(who), taken(peer)]
      if (one && other) rows.push(paired("serving", name, perSecond, one, [peer, other], goal))
    }
    row("nginx", atLeast(goals.nginx))
    row("sirv", atLeast(goals.sirv))
    row("bare")
    if (range === undefined) row("nginx", undefined, "together", `${what}, database on our core`)
    row("ours", atLeast(0.85), "gated", `${what}, behind a doorcode`)
    row("asked", atLeast(10), "gated", `${what}, behind a doorcode`)
    row("unread", undefined, "read", `${what}, each load a view, against none`)
    if (path === "/") {
      rows.push(paired("serving", `${what}, CPU of a view that is recorded`, microseconds, costs["ours, opened by a browser"]!.cpu, ["none", costs["ours, fetched by a script"]!.cpu], atMost(1.05)))
    }
    rows.push(paired("serving", `${what}, CPU behind a doorcode`, microseconds, costs["ours, behind a doorcode"]!.cpu, ["public", costs["ours"]!.cpu], atMost(1.18)))
    note(`${what}, p50 and CPU per answer: ${
      Object.entries(costs).map(([name, { cpu, wait }]) => `${name} ${median(wait).toFixed(1)} ms, ${(median(cpu) * 1000).toFixed(0)} µs`).join("; ")
    }`)
  }
  note(
    `each server alone on core ${SERVER_CORE}, wrk on core ${CLIENT_CORE}; our embedded PostgreSQL runs on core ${CLIENT_CORE} beside wrk, ` +
      "as a database of its own would, and where it says so on our core; the peers have no database and check nothing; every load of the page is a view and is recorded"
  )
  return rows
}
