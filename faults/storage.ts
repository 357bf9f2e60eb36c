/** The bucket slow, refusing, silent and cut in the middle of bodies, under publishes and page reads. */
import { setTimeout as wait } from "node:timers/promises"
import { comesIn } from "../test/support/newcomers.ts"
import { eventually } from "../test/support/program.ts"
import type { Program } from "../test/support/program.ts"
import { checkPage, send } from "../test/support/ledger.ts"
import type { Ledger } from "../test/support/ledger.ts"
import { openBucket } from "./bucket.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import { openProxy } from "./proxy.ts"
import type { Way } from "./proxy.ts"
import type { Row } from "./report.ts"
import { held, saysAway, startTraffic } from "./traffic.ts"

export const storage: Fault = async ({ quick, tell }) => {
  const bucket = await openBucket()
  const way = await openProxy(bucket.port)
  const ground = await openGround({ ...bucket.environment(way.port) })
  const { cluster, post } = ground
  const program = await ground.start()
  const ada = await comesIn(program, post, "ada")
  const rows: Array<Row> = []
  const times = quick ? 1 : 3

  const checks: Array<(at: Program) => Promise<ReadonlyArray<string>>> = []

  /** `away`: /readyz has to report it. `refuses`: some publish or page cannot be answered. */
  const course = async (fault: string, trouble: Way, ms: number, { away = false, refuses = false } = {}) => {
    const known: Ledger = { slug: `known-${rows.length}`, site: false, attempts: 0, acknowledged: new Set() }
    const [back, wrong]: [Array<number>, Array<string>] = [[], []]
    await send(program, ada.bearer, known)
    await checkPage(program, known)
    const traffic = await startTraffic(program, ada, { named: `s3-${rows.length}` })
    const memory = { asked: 0, served: 0 }
    for (let time = 1; time <= times; time++) {
      tell(`${fault}, ${time} of ${times}`)
      await wait(500)
      const hits = way.hits()
      await way.become(trouble)
      if (away && !(await saysAway(program, "blobs"))) wrong.push("/readyz did not say so")
      for (const until = performance.now() + ms; performance.now() < until; await wait(100)) {
        memory.asked++
        await held(wrong, async () => {
          await checkPage(program, known)
          memory.served++
        })
      }
      if (way.hits() === hits) wrong.push(`time ${time} met nobody: nothing was on its way to the bucket`)
      await way.become("open")
      back.push(await traffic.back())
      await eventually("/readyz says ready", async () => (await program.ask("/readyz")).status === 200)
    }
    if (memory.asked === 0) wrong.push("no page in memory was asked for")
    if (refuses && traffic.counts.refused === 0) wrong.push("nothing was refused, so nothing was tried")
    wrong.push(...await traffic.end())
    checks.push(traffic.check)
    const packs = new Set(await bucket.packs())
    const named = await cluster.statement<{ id: string }>("SELECT id::text FROM packs")
    wrong.push(...named.filter(({ id }) => !packs.has(id)).map(({ id }) => `a row without its bytes: ${id}`))
    rows.push({ course: "storage", fault: `bucket ${fault}, ${times} times`, meanwhile: `${traffic.told()}; a page in memory served ${memory.served} times of ${memory.asked}`, wrong, back })
  }
  await course("slow (100 ms a piece) for 10 s", { slowMs: 100 }, 10_000)
  await course("refusing for 8 s", "refused", 8_000, { away: true, refuses: true })
  await course("cut in the middle of uploads for 8 s", { cutQuestion: 20_000 }, 8_000, { refuses: true })
  await course("cut in the middle of reads for 8 s", { cutAnswer: 2_000 }, 8_000, { refuses: true })
  await course(`silent for ${quick ? 10 : 40} s`, "silent", quick ? 10_000 : 40_000, { away: true })

  // An instance with nothing in memory and nothing on its disk.
  tell("everything once more, at a new instance")
  const stranger = await ground.start()
  const wrong = (await Promise.all(checks.map((check) => check(stranger)))).flat()
  const [versions] = await cluster.statement<{ count: number }>("SELECT count(*)::int AS count FROM versions")
  if (versions!.count === 0) wrong.push("there was nothing to read")
  rows.push({ course: "storage", fault: "read from the bucket alone", meanwhile: `every byte of ${versions!.count} versions, at a new instance`, wrong, back: [] })
  return rows
}
