/** The API by bearer token, for one project and a list of twenty: against Fastify and pg on the same rows, each on one core. */
import type { Bench } from "./bench.ts"
import { folder } from "./closing.ts"
import { busy, CLIENT_CORE, missing, SERVER_CORE } from "./machine.ts"
import { interleaved, median } from "./pairs.ts"
import type { Measure } from "./pairs.ts"
import { startNodePeer } from "./peers/node-peer.ts"
import { atLeast, paired, perSecond } from "./report.ts"
import { choosePlan, moveDatabase, startService } from "./service.ts"
import { page } from "./site.ts"
import { wrk } from "./wrk.ts"

const PROJECTS = 200

export const api: Bench = async ({ note, quick, tell }) => {
  const lacking = missing("wrk", "taskset")
  if (lacking.length > 0) return note(`left out, ${lacking.join(" and ")} missing (Debian: apt-get install wrk util-linux)`), []

  tell(`publishing ${PROJECTS} projects`)
  const service = await startService({ core: SERVER_CORE })
  await choosePlan(service, "agency")
  for (let n = 0; n < PROJECTS; n++) {
    await service.ask(`/v1/projects/project-${n}`, { method: "PUT", headers: { "content-type": "text/html" }, body: page(1_000) })
  }
  await service.sql("VACUUM ANALYZE")
  const peer = await startNodePeer("api", folder("api"), service.databaseHost)
  moveDatabase(service, CLIENT_CORE)

  const authorization = `Bearer ${service.token}`
  const costs = new Map<string, Array<number>>()
  const seconds = quick ? 1 : 2
  const hit = (name: string, { pids, port }: typeof peer, path: string): Measure => async () => {
    const before = busy(pids)
    const { perSecond } = await wrk({ url: `http://127.0.0.1:${port}${path}`, authorization, connections: 32, seconds })
    costs.set(name, [...costs.get(name) ?? [], (busy(pids) - before) * 1e6 / (perSecond * seconds)])
    return perSecond
  }
  const us = { port: service.port, pids: [service.pid] }
  const paths = { "one project": "/v1/projects/project-77", "a list of 20": "/v1/projects?limit=20" } as const
  const contenders = Object.fromEntries(Object.entries(paths).flatMap(([what, path]) => [
    [`ours, ${what}`, hit(`ours, ${what}`, us, path)],
    [`peer, ${what}`, hit(`peer, ${what}`, peer, path)]
  ]))
  tell("reading")
  for (const measure of Object.values(contenders)) for (let n = 0; n < 2; n++) await measure()
  costs.clear()
  const taken = await interleaved(quick ? 4 : 12, contenders)
  note(`CPU per answer: ${[...costs].map(([name, each]) => `${name} ${median(each).toFixed(0)} µs`).join("; ")}`)
  note(`the service and the peer each alone on core ${SERVER_CORE}, wrk with 32 connections on core ${CLIENT_CORE} beside the PostgreSQL that both ask`)
  return Object.keys(paths).map((what) =>
    paired("api", `${what}, by token`, perSecond, taken[`ours, ${what}`]!, ["Fastify and pg", taken[`peer, ${what}`]!], atLeast(1)))
}
