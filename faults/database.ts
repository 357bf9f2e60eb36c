/** The database restarted, killed, refusing and silent under publishes and page reads. */
import { setTimeout as wait } from "node:timers/promises"
import { comesIn } from "../test/support/newcomers.ts"
import { eventually } from "../test/support/program.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import { openProxy } from "./proxy.ts"
import type { Row } from "./report.ts"
import { saysAway, startTraffic } from "./traffic.ts"

export const database: Fault = async ({ quick, tell }) => {
  const ground = await openGround()
  const { cluster, post } = ground
  const way = await openProxy(cluster.port)
  const program = await ground.start({ SVC_DATABASE_URL: cluster.url(way.port) })
  const ada = await comesIn(program, post, "ada")
  const rows: Array<Row> = []

  /** Away for some seconds; for none if it is over before anybody could ask whether it is ready. */
  const course = async (fault: string, times: number, away: () => Promise<unknown>, again: () => Promise<unknown>, seconds: number) => {
    const traffic = await startTraffic(program, ada, { named: `db-${rows.length}` })
    const [back, wrong]: [Array<number>, Array<string>] = [[], []]
    for (let time = 1; time <= times; time++) {
      tell(`${fault}, ${time} of ${times}`)
      await wait(500)
      await away()
      if (seconds > 0 && !(await saysAway(program, "database"))) wrong.push("/readyz did not say so")
      await wait(seconds * 1000)
      await again()
      back.push(await traffic.back())
      await eventually("/readyz says ready", async () => (await program.ask("/readyz")).status === 200)
    }
    wrong.push(...await traffic.end())
    rows.push({ course: "database", fault: `${fault}, ${times} times`, meanwhile: traffic.told(), wrong, back })
  }
  const times = quick ? 1 : 5
  await course("restarted at once", times, () => cluster.stop(), cluster.start, 0)
  await course("stopped in order, started 2 s later", times, () => cluster.stop(), cluster.start, 2)
  await course("killed (-9), started 2 s later", times, () => cluster.stop("killed"), cluster.start, 2)
  await course("refusing connections for 5 s", times, () => way.become("refused"), () => way.become("open"), 5)
  await course("silent for 40 s", quick ? 1 : 2, () => way.become("silent"), () => way.become("open"), 40)
  return rows
}
