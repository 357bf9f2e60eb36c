/**
 * Teams that do as people and agents do, in no order: publish, rename, close, share, move, leave and come back, at two instances in turn, many
 * teams at once. After every step somebody looks, and what they see must be what the rules say, at the very next request.
 */
import { newFolder } from "../test/support/program.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import { commentSteps } from "./walking/comments.ts"
import { doorSteps } from "./walking/doors.ts"
import { folderSteps } from "./walking/folders.ts"
import { looksOf } from "./walking/looks.ts"
import { memberSteps } from "./walking/members.ts"
import { pageSteps } from "./walking/pages.ts"
import { storm } from "./walking/storm.ts"
import { openWalk } from "./walking/walk.ts"
import type { Among } from "./walking/walk.ts"

/** A walk that went wrong so often has told enough. */
const ENOUGH = 5

const walk = async (among: Among, seed: number, length: number) => {
  const walk = await openWalk(among, seed)
  const { about, counts, below, wrong } = walk
  const { lookAfter, lookAtAll } = looksOf(walk)
  const { comeBack, ...members } = memberSteps(walk)
  const steps = { ...pageSteps(walk), ...folderSteps(walk), ...doorSteps(walk), ...commentSteps(walk), ...members }
  const all = Object.values({ ...steps, comeBack: comeBack! }).flatMap(([weight, step]) => Array.from({ length: weight }, () => step))
  while (counts.steps < length && wrong.length < ENOUGH) {
    counts.steps++
    about(undefined)
    await all[below(all.length)]!()
    await lookAfter()
  }
  await lookAtAll()
  // Invitations, which are accepted by their letters, take turns.
  if (wrong.length === 0) await storm(walk, steps, length / 2, among.cluster)
  return { ...counts, wrong }
}

/** `WALK_SEED`: the first team's; the others have those that follow. */
const FIRST = Number(process.env["WALK_SEED"] ?? 1)

export const walks: Fault = async ({ note, quick, tell }) => {
  const [many, atOnce, length] = quick ? [4, 4, 150] : [40, 8, 500]
  const { cluster, post, start } = await openGround({ SVC_DATA_DIR: newFolder() })
  const among = { cluster, post, programs: [await start(), await start()] }
  note(`seeds ${FIRST} to ${FIRST + many - 1}`)
  const sums = { steps: 0, granted: 0, refused: 0, tools: 0, looks: 0 }
  const wrong: Array<string> = []
  for (let begun = 0; begun < many; begun += atOnce) {
    tell(`${begun} of ${many} teams are through`)
    for (const one of await Promise.all(Array.from({ length: atOnce }, (_, index) => walk(among, FIRST + begun + index, length)))) {
      for (const name of ["steps", "granted", "refused", "tools", "looks"] as const) sums[name] += one[name]
      wrong.push(...one.wrong)
    }
  }
  return [{
    course: "walks", fault: `${many} teams, ${atOnce} at a time, ${sums.steps} steps in no order at two instances`,
    meanwhile: `${sums.granted} requests did what they asked for and ${sums.refused} were refused, each as it had to be, ${sums.tools} of them and of the looks by agents’ tools; ${sums.looks} looks at what that led to`, wrong, back: []
  }]
}
