/** One file, one PUT, until it is durable and live: against writing the same bytes durably, and one commit. */
import { randomBytes } from "node:crypto"
import type { Bench } from "./bench.ts"
import { makeFloor } from "./floor.ts"
import { inBlocks, interleaved, timed } from "./pairs.ts"
import { settle } from "./machine.ts"
import { atMost, milliseconds, paired } from "./report.ts"
import type { Row } from "./report.ts"
import { choosePlan, startService } from "./service.ts"
import { film, page } from "./site.ts"

const MB = 1024 * 1024

export const publishing: Bench = async ({ note, quick, tell }) => {
  const service = await startService()
  const floor = makeFloor()
  await choosePlan(service, "agency")
  await service.sql("CREATE TABLE bench_commits (n int)")
  const put = (slug: string, body: Buffer, type = "text/html") =>
    timed(() => service.ask(`/v1/projects/${slug}`, { method: "PUT", headers: { "content-type": type }, body }))
  const commit = () => timed(() => service.sql("INSERT INTO bench_commits VALUES ($1)", [1]))
  const write = (body: Buffer) => timed(() => floor.write(body))
  const rows: Array<Row> = []
  const sum = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) => a.map((value, round) => value + b[round]!)

  tell("10 KB")
  const fresh = () => page(10 * 1024)
  let made = 0
  // Beyond the versions that the plan keeps, so that every publish also prunes one.
  for (let n = 0; n < 150; n++) await put("again", fresh())
  for (let n = 0; n < 50; n++) await commit()
  settle()
  const small = await inBlocks(quick ? 4 : 10, 30, {
    again: () => put("again", fresh()),
    floor: () => write(fresh()),
    commit,
    anew: () => put(`paper-${++made}`, fresh())
  })
  const least = sum(small.floor, small.commit)
  rows.push(
    paired("publishing", "10 KB to its address", milliseconds, small.again, ["floor + commit", least], atMost(2)),
    paired("publishing", "10 KB to a new address", milliseconds, small.anew, ["floor + commit", least], atMost(2))
  )
  note(`10 KB: the floor alone ${milliseconds(small.floor)}, one commit alone ${milliseconds(small.commit)}`)

  tell("1 MB")
  const mega = () => randomBytes(MB)
  for (let n = 0; n < 5; n++) await put("mega", film(MB), "video/mp4")
  settle()
  const middle = await inBlocks(quick ? 4 : 10, 10, {
    ours: () => put("mega", film(MB), "video/mp4"),
    floor: () => write(mega())
  })
  rows.push(paired("publishing", "1 MB", milliseconds, middle.ours, ["floor", middle.floor], atMost(1.5)))
  floor.clear()

  tell("100 MB")
  const large = await interleaved(quick ? 4 : 12, {
    ours: () => (settle(), put("large", film(100 * MB), "video/mp4")),
    floor: () => (settle(), write(randomBytes(100 * MB)))
  })
  rows.push(paired("publishing", "100 MB", milliseconds, large.ours, ["floor", large.floor], atMost(1.15)))
  floor.clear()
  note("one client, one kept connection, nothing pinned, PostgreSQL and both folders on the same disk; p50s")
  return rows
}
