/** A site of 1,000 files in one zip, and a second publish with one of them changed. */
import { execFileSync, spawnSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Bench } from "./bench.ts"
import { folder } from "./closing.ts"
import { makeFloor } from "./floor.ts"
import { missing, settle } from "./machine.ts"
import { interleaved, median, timed } from "./pairs.ts"
import { atMost, milliseconds, paired } from "./report.ts"
import { choosePlan, startService } from "./service.ts"
import { oneChanged, page, thousandFiles, zipped } from "./site.ts"
import { form } from "../test/support/ask.ts"

/** How often either way runs per round: a single run of some 30 ms says little. */
const CHANGES = 3

export const sites: Bench = async ({ note, quick, tell }) => {
  const service = await startService()
  await choosePlan(service, "agency")
  const floor = makeFloor()
  const home = folder("unzip")
  const hasUnzip = missing("unzip").length === 0
  if (!hasUnzip) note("unzip missing, so its row is left out (Debian: apt-get install unzip)")

  const put = (slug: string, zip: Buffer) =>
    timed(() => service.ask(`/v1/projects/${slug}`, { method: "PUT", headers: { "content-type": "application/zip" }, body: zip }))
  const unzip = async (zip: Buffer) => {
    const [at, to] = [join(home, "site.zip"), join(home, "site")]
    writeFileSync(at, zip)
    settle()
    const took = await timed(() => {
      execFileSync("unzip", ["-q", at, "-d", to])
      spawnSync("sync")
    })
    rmSync(to, { recursive: true })
    return took
  }

  const taken = { first: [] as Array<number>, files: [] as Array<number>, zip: [] as Array<number>, unzip: [] as Array<number>, floor: [] as Array<number> }
  const warm = quick ? 1 : 2
  for (let round = -warm; round < (quick ? 4 : 12); round++) {
    tell(round < 0 ? "warming up" : `round ${round + 1}`)
    const files = thousandFiles()
    const zip = zipped(files)
    const slug = `site-${round + warm}`
    const peers = async () => {
      const blob = Buffer.concat([...files.values()])
      const [unzipped, written] = [hasUnzip ? await unzip(zip) : 0, (settle(), await timed(() => floor.write(blob)))]
      return { unzip: unzipped, floor: written }
    }
    const ours = async () => {
      settle()
      const first = await put(slug, zip)
      const again = await interleaved(CHANGES, {
        files: () => {
          const parts = form({ name: "file", file: "pages/3/page-3.html", content: page(9_000) })
          settle()
          return timed(() => service.ask(`/v1/projects/${slug}/files`, parts))
        },
        zip: () => {
          const changed = zipped(oneChanged(files))
          settle()
          return put(slug, changed)
        }
      })
      return { first, files: median(again.files), zip: median(again.zip) }
    }
    const both = round % 2 === 0 ? { ...(await ours()), ...(await peers()) } : { ...(await peers()), ...(await ours()) }
    if (round === 0) note(`a zip of ${(zip.length / 1e6).toFixed(1)} MB that holds ${files.size} files`)
    if (round >= 0) for (const name of Object.keys(taken) as Array<keyof typeof taken>) taken[name].push(both[name])
  }
  return [
    ...(hasUnzip ? [paired("sites", "1,000 files by zip", milliseconds, taken.first, ["unzip + sync", taken.unzip], atMost(0.4))] : []),
    paired("sites", "1,000 files by zip", milliseconds, taken.first, ["the same bytes as one file", taken.floor]),
    paired("sites", "one changed, POST /files", milliseconds, taken.files, ["our first publish", taken.first], atMost(0.2)),
    paired("sites", "one changed, by zip", milliseconds, taken.zip, ["our first publish", taken.first], atMost(0.2))
  ]
}
