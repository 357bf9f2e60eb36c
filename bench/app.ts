/** First visits to the web app, as Lighthouse would score them: cold caches, a slowed processor and network, on a phone and on a desktop. */
import { existsSync } from "node:fs"
import { chromium } from "playwright-core"
import type { Browser } from "playwright-core"
import type { Bench } from "./bench.ts"
import { atEnd } from "./closing.ts"
import { presets, score } from "./lighthouse.ts"
import type { Metrics, Preset } from "./lighthouse.ts"
import { median } from "./pairs.ts"
import { atLeast } from "./report.ts"
import type { Row } from "./report.ts"
import { startService } from "./service.ts"

/** The whole browser if there is one; the headless shell paints and runs the same. */
const CHROMIUM = process.env["CHROMIUM"] ?? ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell"].find(existsSync) ?? "/usr/bin/chromium"
const GOAL = 95
const QUIET_MS = 2000

interface Cookie {
  readonly name: string
  readonly value: string
}

/** Runs in the page before any of its own script. */
const watch = () => {
  const seen = { fcp: 0, lcp: 0, cls: 0, tasks: [] as Array<readonly [start: number, ms: number]> }
  Object.assign(globalThis, { seen })
  const on = (type: string, each: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true })
  on("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") seen.fcp = startTime
  })
  on("largest-contentful-paint", ({ startTime }) => {
    seen.lcp = startTime
  })
  on("layout-shift", (entry) => {
    seen.cls += (entry as unknown as { value: number }).value
  })
  on("longtask", ({ duration, startTime }) => {
    seen.tasks.push([startTime, duration])
  })
}

const visit = async (browser: Browser, url: string, words: string, cookies: ReadonlyArray<Cookie>, preset: Preset): Promise<Metrics & { readonly bytes: number; readonly requests: number }> => {
  const { cpuSlowdown, network, screen } = preset
  const context = await browser.newContext({
    viewport: { width: screen.width, height: screen.height }, deviceScaleFactor: screen.scale, isMobile: screen.touch, hasTouch: screen.touch, reducedMotion: "reduce"
  })
  try {
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, domain: "svc.localhost", path: "/", secure: true, sameSite: "Lax" as const })))
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send("Network.enable")
    await devtools.send("Network.emulateNetworkConditions", {
      offline: false, latency: network.latencyMs, downloadThroughput: network.downKbps * 1024 / 8, uploadThroughput: network.upKbps * 1024 / 8
    })
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown })
    let [bytes, requests] = [0, 0]
    devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength
      requests++
    })
    await page.addInitScript(watch)
    await page.goto(url, { waitUntil: "load" })
    await page.getByText(words).first().waitFor()
    await page.waitForLoadState("networkidle")
    await page.waitForTimeout(QUIET_MS)
    const { cls, fcp, lcp, tasks } = await page.evaluate(() => (globalThis as unknown as { seen: { fcp: number; lcp: number; cls: number; tasks: Array<[number, number]> } }).seen)
    const tbt = tasks.filter(([start, ms]) => start + ms > fcp).reduce((sum, [, ms]) => sum + Math.max(0, ms - 50), 0)
    return { fcp, lcp, cls, tbt, si: lcp, bytes, requests }
  } finally {
    await context.close()
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

export const app: Bench = async ({ note, quick, tell }) => {
  if (!existsSync(CHROMIUM)) return note(`left out, Chromium missing at ${CHROMIUM} (Debian: apt-get install chromium)`), []
  tell("publishing 50 projects")
  const service = await startService()
  for (let n = 0; n < 50; n++) {
    const [type, text] = n % 2 === 0 ? ["text/html", `<!doctype html><title>Report ${n}</title><p>Here`] : ["text/markdown", `# Report ${n}\n\nHere.`]
    await service.ask(`/v1/projects/report-${n}`, { method: "PUT", headers: { "content-type": type! }, body: Buffer.from(text!) })
  }
  const me = JSON.parse((await service.ask("/v1/me")).text) as { readonly user: { readonly email: string } }
  const login = await fetch(`http://127.0.0.1:${service.port}/v1/auth/login`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ email: me.user.email, password: service.password })
  })
  const cookies = login.headers.getSetCookie().map((line) => line.split(";", 1)[0]!.split(/=(.*)/s)).map(([name = "", value = ""]) => ({ name, value }))
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] })
  atEnd(() => browser.close())

  const base = `http://svc.localhost:${service.port}`
  const screens = [
    ["login", "/login", "Forgot your password?", []],
    ["library of 50", "/", "Report 4", cookies],
    ["project", "/projects/report-7", "Published by", cookies]
  ] as const
  const rows: Array<Row> = []
  for (const preset of presets) {
    for (const [name, path, words, session] of screens) {
      tell(`${name}, ${preset.name}`)
      const visits: Array<Awaited<ReturnType<typeof visit>>> = []
      for (let n = 0; n < (quick ? 1 : 5); n++) visits.push(await visit(browser, base + path, words, session, preset))
      const middle = (of: keyof (typeof visits)[number]) => median(visits.map((one) => one[of]))
      const metrics = { fcp: middle("fcp"), si: middle("si"), lcp: middle("lcp"), tbt: middle("tbt"), cls: middle("cls") }
      rows.push({
        bench: "app",
        what: `${name}, ${preset.name}`,
        ours: `FCP ${seconds(metrics.fcp)}, LCP ${seconds(metrics.lcp)}, TBT ${metrics.tbt.toFixed(0)} ms, CLS ${metrics.cls.toFixed(3)}`,
        peer: `${(middle("bytes") / 1024).toFixed(0)} KB in ${middle("requests")} requests`,
        ratios: [score(metrics, preset)],
        unit: "of 100",
        goal: atLeast(GOAL)
      })
    }
  }
  note("Lighthouse’s weights and curves over medians; mobile is 4× slower with 150 ms round trips (562 ms a request) and 1.6 Mbit/s, desktop 40 ms and 10 Mbit/s, as DevTools applies them")
  note("Speed Index is taken to be LCP, the worst that it can be; TBT counts every long task after FCP")
  return rows
}
