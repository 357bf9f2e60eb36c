/** How much memory the server gains while it builds the archive of a large workspace, and how long that takes. */
import { setTimeout as wait } from "node:timers/promises"
import type { Bench } from "./bench.ts"
import { resident, resetPeak } from "./memory.ts"
import { atMost } from "./report.ts"
import { choosePlan, startService } from "./service.ts"
import { film, prose, thousandFiles, zipped } from "./site.ts"

const MB = 1024 * 1024

/** 2 GB in all: half of it a film, which is stored; most of the rest text, which is compressed; and sites of a thousand files each. */
const SIZES = { film: 1024, text: 2 * 450, sites: 10 } as const
/** A tenth of it. */
const QUICK = { film: 102, text: 2 * 45, sites: 1 } as const

export const exports: Bench = async ({ note, quick, tell }) => {
  const service = await startService()
  const sizes = quick ? QUICK : SIZES
  await choosePlan(service, "agency")
  const { workspaces: [{ id }] } = JSON.parse((await service.ask("/v1/me")).text) as { workspaces: [{ id: string }] }
  const put = (slug: string, type: string, body: Buffer, times = 1) =>
    service.ask(`/v1/projects/${slug}`, { method: "PUT", headers: { "content-type": type }, body, times })
  const latest = async () => JSON.parse((await service.ask(`/v1/workspace/export?workspace=${id}`)).text) as { status: string; size_bytes: number }
  /** Returns the archive's size. */
  const exported = async () => {
    await service.sql("DELETE FROM exports")
    const body = Buffer.from(JSON.stringify({ workspace: id, password: service.password }))
    await service.ask("/v1/workspace/export", { method: "POST", headers: { "content-type": "application/json" }, body })
    for (;;) {
      const { size_bytes, status } = await latest()
      if (status === "ready") return size_bytes
      if (status === "failed") throw new Error("the export failed")
      await wait(50)
    }
  }
  // Warms up: everything that an export uses is loaded and compiled.
  await put("small", "text/html", Buffer.from(prose(100_000)))
  await exported()

  tell(`publishing ${sizes.film + sizes.text} MB and ${sizes.sites},000 files`)
  await put("film", "video/mp4", film(MB), sizes.film)
  for (const part of [1, 2]) await put(`text-${part}`, "text/plain", Buffer.from(`${prose(MB - 1)}\n`), sizes.text / 2)
  for (let site = 1; site <= sizes.sites; site++) await put(`site-${site}`, "application/zip", zipped(thousandFiles()))

  tell("the archive")
  const before = resident(service.pid, "VmRSS")
  resetPeak(service.pid)
  const started = performance.now()
  const length = await exported()
  const seconds = (performance.now() - started) / 1000
  const peak = resident(service.pid, "VmHWM")
  note(`an archive of ${(length / MB).toFixed(0)} MB in ${seconds.toFixed(0)} s, of a film, text and ${sizes.sites} sites of 1,000 files; resident size of the server alone, after one small export and all the publishing`)
  return [{
    bench: "exports",
    what: `growth in an export of ${quick ? "200 MB" : "2 GB"}`,
    ours: `${peak.toFixed(0)} MB at its peak`,
    peer: `${before.toFixed(0)} MB before it`,
    ratios: [peak - before],
    unit: "MB",
    goal: atMost(64)
  }]
}
