/** The bucket slow, refusing, silent and cut in the middle of bodies, under publishes and page reads. */
import { setTimeout as wait } from "node:timers/promises"
import { comesIn } from "../test/support/newcomers.ts"
import { checkPage, send } from "../test/support/ledger.ts"
import type { Ledger } from "../test/support/ledger.ts"
import { openBucket } from "./bucket.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import { openProxy } from "./proxy.ts"
import type { Way } from "./proxy.ts"
import type { Row } from "./report.ts"
import { held, startTraffic } from "./traffic.ts"

export const storage: Fault = async ({ quick, tell }) => {
  const bucket = await openBucket()
  const way = await openProxy(bucket.port)
  const ground = await openGround({ ...bucket.environment(way.port) })
  const { cluster, post } = ground
  const program = await ground.start()
  const ada = await comesIn(program, post, "ada")
  const rows: Array<Row> = []
  const times = quick ? 1 : 3

  const course = async (fault: string, trouble: Way, ms: number) => {
    const known: Ledger = { slug: `known-${rows.length}`, site: false, attempts: 0, acknowledged: new Set() }
    const [back, wrong]: [Array<number>, Array<string>] = [[], []]
    await send(program, ada.bearer, known)
    await checkPage(program, known)
    const traffic = await startTraffic(program, ada, { named: `s3-${rows.length}` })
    let fromMemory = 0
    for (let time = 1; time <= times; time++) {
      tell(`${fault}, ${time} of ${times}`)
      await wait(500)
      await way.become(trouble)
      for (const until = performance.now() + ms; performance.now() < until; await wait(100)) {
        await held(wrong, () => checkPage(program, known))
        fromMemory++
      }
      await way.become("open")
      back.push(await traffic.back())
    }
    wrong.push(...await traffic.end())
    const packs = new Set(await bucket.packs())
    const named = await cluster.statement<{ id: string }>("SELECT id::text FROM packs")
    wrong.push(...named.filter(({ id }) => !packs.has(id)).map(({ id }) => `a row without its bytes: ${id}`))
    rows.push({ course: "storage", fault: `bucket ${fault}, ${times} times`, meanwhile: `${traffic.told()}; a page in memory served ${fromMemory} times of ${fromMemory}`, wrong, back })
  }
  await course("slow (100 ms a piece) for 10 s", { slowMs: 100 }, 10_000)
  await course("refusing for 8 s", "refused", 8_000)
  await course("cut in the middle of uploads for 8 s", { cutQuestion: 20_000 }, 8_000)
  await course("cut in the middle of reads for 8 s", { cutAnswer: 2_000 }, 8_000)
  await course("silent for 40 s", "silent", quick ? 10_000 : 40_000)

  // One that has nothing in memory and nothing on its disk.
  tell("everything once more, at a new instance")
  const stranger = await ground.start()
  const wrong: Array<string> = []
  const sites = await cluster.statement<{ slug: string }>("SELECT slug FROM projects")
  for (const { slug } of sites) {
    const { status, text } = await stranger.ask("/", { host: `${slug}.svc.localhost` })
    if (status !== 200) wrong.push(`${slug}: ${status} ${text.slice(0, 100)}`)
  }
  rows.push({ course: "storage", fault: "read from the bucket alone", meanwhile: `${sites.length} pages at a new instance`, wrong, back: [] })
  return rows
}
