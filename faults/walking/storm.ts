/** Many steps of one team at once, at two instances: whatever comes of each, the books must balance in the end. */
import { unbalanced } from "../balances.ts"
import type { Cluster } from "../cluster.ts"
import type { Steps, Walk } from "./walk.ts"

const LANES = 12

/** So many steps, a dozen at a time. */
export const storm = async ({ below, complain, counts, crowd, dan, plan, team }: Walk, steps: Steps, length: number, cluster: Cluster): Promise<void> => {
  crowd()
  const all = Object.values(steps).flatMap(([weight, step]) => Array.from({ length: weight }, () => step))
  const until = counts.steps + length
  await Promise.all(Array.from({ length: LANES }, async () => {
    while (counts.steps < until) {
      counts.steps++
      await all[below(all.length)]!()
    }
  }))
  for (const [home, on] of [[team, plan], [dan.workspace, "studio"]] as const) {
    counts.looks++
    for (const line of await unbalanced(cluster, home, on)) complain(line)
  }
}
