/** kill -9 at random moments of publishes, exports and erasures, every fourth time of PostgreSQL too. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { PgClient } from "@effect/sql-pg"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { DeletionStore } from "../src/domain/erasure/store.ts"
import { DeletionStoreSql } from "../src/services/database/erasure.ts"
import { JobsClient } from "../src/services/jobs/engine.ts"
import { comesIn, NEWCOMER_PASSWORD } from "../test/support/newcomers.ts"
import type { Newcomer } from "../test/support/newcomers.ts"
import { eventually, newFolder } from "../test/support/program.ts"
import type { Program } from "../test/support/program.ts"
import { filesIn } from "../test/support/zips.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import type { Ground } from "./ground.ts"
import { held, startTraffic } from "./traffic.ts"

/** As the worker that looks every ten minutes. */
const beginDue = ({ cluster }: Ground) =>
  Effect.runPromise(
    Effect.flatMap(DateTime.now, (now) => DeletionStore.use((store) => store.beginDue(now))).pipe(
      Effect.provide(DeletionStoreSql.pipe(Layer.provide(JobsClient), Layer.provide(PgClient.layer({ url: Redacted.make(cluster.url()), maxConnections: 2 })))),
      Effect.scoped
    )
  )

const publish = async (program: Program, { bearer }: Newcomer, slug: string) => {
  const answer = await program.ask(`/v1/projects/${slug}`, { method: "PUT", body: `<h1>${slug}</h1>`, headers: { ...bearer, "content-type": "text/html" } })
  if (answer.status !== 201) throw new Error(answer.text)
}

export const kills: Fault = async ({ note, quick, tell }) => {
  const [rounds, jobs] = quick ? [6, 2] : [40, 10]
  const dataDir = newFolder()
  const ground = await openGround({ SVC_DATA_DIR: dataDir })
  const { cluster, post } = ground
  let program = await ground.start()
  const ada = await comesIn(program, post, "ada")
  const people: Array<Newcomer> = []
  for (let index = 0; index < 2 * jobs; index++) {
    const one = await comesIn(program, post, `person-${index}`)
    await publish(program, one, `theirs-${index}`)
    people.push(one)
  }
  const [leaving, going] = [people.slice(0, jobs), people.slice(jobs)]
  const [back, wrong]: [Array<number>, Array<string>] = [[], []]
  let servers = 0

  const traffic = await startTraffic(program, ada, { named: "killed", cuts: true, pauseMs: 5 })
  for (let round = 0; round < rounds; round++) {
    tell(`kill ${round + 1} of ${rounds}`)
    const confirmed = (one: Newcomer) => ({ workspace: one.workspace, password: NEWCOMER_PASSWORD })
    const [exporting, erasing] = [leaving[round], going[round]]
    if (exporting !== undefined && erasing !== undefined) {
      const asked = await program.ask("/v1/workspace/export", { json: confirmed(exporting), headers: exporting.session })
      const deleted = await program.ask("/v1/workspace", { method: "DELETE", json: confirmed(erasing), headers: erasing.session })
      if (asked.status !== 202 || deleted.status !== 202) wrong.push(`asked for an export and an erasure: ${asked.status}, ${deleted.status}`)
      await cluster.statement("UPDATE deletions SET erase_on = now() WHERE erased_at IS NULL AND begun_at IS NULL")
      await beginDue(ground)
    }
    // A job is begun within a second; publishes are under way all the time.
    await wait(Math.random() * 1500)
    const both = round % 4 === 3
    await Promise.all([program.end("SIGKILL"), ...(both ? [cluster.stop("killed")] : [])])
    if (both) {
      servers++
      await cluster.start()
    }
    const began = performance.now()
    program = await ground.start()
    traffic.lead(program)
    await traffic.back()
    back.push(performance.now() - began)
  }
  await traffic.end(program)
  wrong.push(...traffic.wrong)

  tell("waiting for what was interrupted")
  const jobsBegan = performance.now()
  const open = async () => (await cluster.statement<{ open: number }>(
    "SELECT (SELECT count(*)::int FROM exports WHERE completed_at IS NULL AND failed_at IS NULL) + (SELECT count(*)::int FROM deletions WHERE erased_at IS NULL) AS open"))[0]!.open
  await eventually("every export is ready and every deletion erased", async () => (await open()) === 0, 120)
  const finished = performance.now() - jobsBegan
  for (const [index, { email }] of leaving.entries()) {
    await held(wrong, async () => {
      const ready = () => post.lettersTo(email).filter(({ mail }) => mail.subject === "Your export is ready")
      const letter = await eventually(`the mail about export ${index}`, () => ready()[0])
      const archive = await program.ask(/\/v1\/exports\/\S+/.exec(letter.mail.text!)![0])
      const files = await filesIn(archive.bytes)
      if (String(files.get(`projects/theirs-${index}/files/index.html`)) !== `<h1>theirs-${index}</h1>`) throw new Error(`export ${index} is not whole`)
      if (new Set(ready().map(({ mail }) => mail.messageId)).size !== 1) throw new Error(`export ${index}: two mails`)
    })
  }
  for (const [index, { workspace }] of going.entries()) {
    await held(wrong, async () => {
      if ((await program.ask("/", { host: `theirs-${jobs + index}.svc.localhost` })).status !== 404) throw new Error(`erased, and served: theirs-${jobs + index}`)
      const [left] = await cluster.statement<{ left: number }>(
        "SELECT (SELECT count(*)::int FROM workspaces WHERE id = $1) + (SELECT count(*)::int FROM projects WHERE workspace_id = $1) + (SELECT count(*)::int FROM packs WHERE workspace_id = $1) AS left", [workspace])
      if (left!.left !== 0) throw new Error(`erased, and ${left!.left} rows left`)
    })
  }
  const named = new Set((await cluster.statement<{ id: string }>("SELECT id::text FROM packs UNION ALL SELECT pack_id::text FROM exports WHERE pack_id IS NOT NULL")).map(({ id }) => id))
  const packs = new Set(readdirSync(join(dataDir, "blobs/packs"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name))
  for (const id of named) if (!packs.has(id)) wrong.push(`a row without its bytes: ${id}`)
  note(`${packs.size - named.size} packs of ${packs.size} are named by nothing, for the collector to take a day later`)
  return [
    { course: "kills", fault: `kill -9, ${rounds} times, ${servers} of them PostgreSQL too`, meanwhile: traffic.told(), wrong, back },
    { course: "kills", fault: "the same kills", meanwhile: `${jobs} exports and ${jobs} erasures: each done once, one mail an export`, wrong: [], back: [finished] }
  ]
}
