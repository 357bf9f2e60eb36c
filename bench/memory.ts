/** How much memory the server gains while large uploads stream through it. */
import { readFileSync, writeFileSync } from "node:fs"
import type { Bench } from "./bench.ts"
import { atMost } from "./report.ts"
import type { Row } from "./report.ts"
import { choosePlan, startService } from "./service.ts"
import { film, page } from "./site.ts"

const MB = 1024 * 1024

export const resident = (pid: number, which: "VmRSS" | "VmHWM"): number =>
  Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** Resets the kernel's high-water mark. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5")

export const memory: Bench = async ({ note, quick, tell }) => {
  const service = await startService()
  const chunk = film(MB)
  const upload = (slug: string, megabytes: number) =>
    service.ask(`/v1/projects/${slug}`, { method: "PUT", headers: { "content-type": "video/mp4" }, body: chunk, times: megabytes })
  for (let n = 0; n < 20; n++) {
    await service.ask("/v1/projects/small", { method: "PUT", headers: { "content-type": "text/html" }, body: page(10_000) })
  }
  await upload("warm", 1)

  const before = resident(service.pid, "VmRSS")
  const rows: Array<Row> = []
  for (const megabytes of quick ? [100, 500] : [100, 500, 1024]) {
    tell(`${megabytes} MB`)
    if (megabytes > 500) await choosePlan(service, "agency")
    resetPeak(service.pid)
    await upload(`upload-${megabytes}`, megabytes)
    const peak = resident(service.pid, "VmHWM")
    rows.push({
      bench: "memory",
      what: `growth in a ${megabytes === 1024 ? "1 GB" : `${megabytes} MB`} upload`,
      ours: `${peak.toFixed(0)} MB at its peak`,
      peer: `${before.toFixed(0)} MB before the first`,
      ratios: [peak - before],
      unit: "MB",
      goal: atMost(64)
    })
  }
  note("resident size of the server alone, after twenty small publishes and one of 1 MB; the plan is set beneath the API for 1 GB")
  return rows
}
