/** An instance that freezes, or whose machine loses power, in the middle of publishes: the others go on in the same workspace. */
import { setTimeout as wait } from "node:timers/promises"
import { comesIn } from "../test/support/newcomers.ts"
import type { Program } from "../test/support/program.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import { openProxy } from "./proxy.ts"
import type { Row } from "./report.ts"
import { startTraffic } from "./traffic.ts"

const WRITERS = 12
/** Nobody waits longer than for one lock and the next try. */
const SLOWEST_MS = 15_000

export const machines: Fault = async ({ quick, tell }) => {
  const ground = await openGround()
  const { cluster, post } = ground
  const way = await openProxy(cluster.port)
  const stays = await ground.start()
  const ada = await comesIn(stays, post, "ada")
  const rows: Array<Row> = []

  const start = () => ground.start({ SVC_ROLE: "http", SVC_DATABASE_URL: cluster.url(way.port) })

  /** Publishes until nobody answers, to the workspace that the others write to as well. */
  const busy = (program: Program) =>
    Array.from({ length: WRITERS }, async (_, n) => {
      for (let round = 0;; round++) {
        const answer = await program.ask(`/v1/projects/gone-${n % 6}`, { method: "PUT", body: `<p>${n} ${round}`, headers: { ...ada.bearer, "content-type": "text/html" } })
          .catch(() => undefined)
        if (answer === undefined || answer.status >= 500) return
      }
    })

  const left = async () => (await cluster.statement("SELECT 1 FROM pg_stat_activity WHERE application_name = 'svc' AND state LIKE 'idle in transaction%'")).length

  const course = async (fault: string, gone: (program: Program) => Promise<unknown>, again: (program: Program) => Promise<unknown>) => {
    const traffic = await startTraffic(stays, ada, { named: `machine-${rows.length}` })
    const [back, wrong]: [Array<number>, Array<string>] = [[], []]
    const times = quick ? 2 : 10
    let held = 0
    for (let time = 1; time <= times; time++) {
      tell(`${fault}, ${time} of ${times}`)
      const program = await start()
      const writing = busy(program)
      await wait(1000 + 500 * Math.random())
      await gone(program)
      const went = traffic.back()
      await wait(300)
      if (await left() > 0) held++
      back.push(await went)
      await again(program)
      await Promise.all(writing)
    }
    wrong.push(...await traffic.end())
    if (held === 0) wrong.push("it never held a lock: nothing was tried")
    if (traffic.counts.slowestMs > SLOWEST_MS) wrong.push(`somebody waited for ${Math.round(traffic.counts.slowestMs)} ms`)
    rows.push({ course: "machines", fault: `${fault}, ${times} times`, meanwhile: `locks held at ${held}; ${traffic.told()}`, wrong, back })
  }

  await course("one of two instances frozen in the middle of publishes", async ({ pid }) => process.kill(pid, "SIGSTOP"), async (program) => {
    process.kill(program.pid, "SIGCONT")
    await wait(1000)
    if ((await program.ask("/readyz")).status !== 200) throw new Error("the instance that was frozen is not ready")
    await program.end()
  })
  await course("the machine of one of two instances without power, its connections left open", async (program) => {
    await way.become("vanished")
    await program.end("SIGKILL")
  }, () => way.become("open"))
  return rows
}
