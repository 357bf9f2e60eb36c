/** How long a start takes on a data folder that is there, the memory that an idle service has, and how long the first document then takes: as `npm start` runs it, beside its sources. */
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { freePort } from "../test/support/program.ts"
import { ask } from "./ask.ts"
import type { Bench } from "./bench.ts"
import { folder } from "./closing.ts"
import { busy, start } from "./machine.ts"
import { resident } from "./memory.ts"
import { interleaved, median } from "./pairs.ts"
import { milliseconds, paired } from "./report.ts"
import { environment, greeted, MAIN } from "./service.ts"

const SOURCES = join(import.meta.dirname, "..", "src", "main.ts")
const BETWEEN_LOOKS_MS = 5
/** After this long nothing more is loaded. */
const IDLE_MS = 3_000

const DOCUMENT = "# Plan\n\nWhat we do next.\n"

const megabytes = (values: ReadonlyArray<number>): string => `${median(values).toFixed(0)} MB`

export const starting: Bench = async ({ note, quick, tell }) => {
  const dataDir = folder("starting")
  const taken = () => ({ ours: [] as Array<number>, sources: [] as Array<number> })
  const [cpu, memory, document] = [taken(), taken(), taken()]

  /** Shown once, at the very first start. */
  let token: string | undefined

  /** Milliseconds until it says that it is ready. */
  const started = (name: "ours" | "sources") => async () => {
    const port = await freePort()
    const began = performance.now()
    const child = start(process.execPath, [name === "ours" ? MAIN : SOURCES, "serve"], environment({ SVC_PORT: String(port), SVC_DATA_DIR: dataDir, SVC_LOG: "json" }))
    const greeting = token === undefined ? greeted(child) : undefined
    if (greeting === undefined) [child.stdout, child.stderr].forEach((stream) => stream?.resume())
    const ready = () => ask(port, "/readyz", {}).then(({ status }) => status === 200, () => false)
    while (!await ready()) {
      if (child.exitCode !== null) throw new Error("the service did not start")
      await pause(BETWEEN_LOOKS_MS)
    }
    const took = performance.now() - began
    cpu[name].push(busy([child.pid!]) * 1_000)
    await pause(IDLE_MS)
    memory[name].push(resident(child.pid!, "VmRSS"))
    token ??= (await greeting)?.token
    const headers = { authorization: `Bearer ${token}`, "content-type": "text/markdown" }
    const put = await ask(port, "/v1/projects/first", { method: "PUT", headers, body: Buffer.from(`${DOCUMENT}${performance.now()}`) })
    if (put.status >= 300) throw new Error(`publishing was answered ${put.status}: ${put.text}`)
    const published = performance.now()
    await ask(port, "/", { headers: { host: `first.svc.localhost:${port}` } })
    document[name].push(performance.now() - published)
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    await ended
    return took
  }
  const contenders = { ours: started("ours"), sources: started("sources") }
  tell("the first time")
  await interleaved(2, contenders)
  for (const { ours, sources } of [cpu, memory, document]) ours.length = sources.length = 0
  tell("again and again")
  const took = await interleaved(quick ? 4 : 10, contenders)

  note("on one data folder, whose database starts with the service; the code that an earlier start compiled is read back, as always")
  return [
    paired("starting", "until /readyz says so", milliseconds, took.ours, ["from its sources", took.sources]),
    paired("starting", "processor time until then", milliseconds, cpu.ours, ["from its sources", cpu.sources]),
    paired("starting", "memory when idle", megabytes, memory.ours, ["from its sources", memory.sources]),
    paired("starting", "the first document, for its reader", milliseconds, document.ours, ["from its sources", document.sources])
  ]
}
