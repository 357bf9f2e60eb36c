/** kill -9 at random moments of publishes, exports and erasures, every fourth time of PostgreSQL too. */
import { readdirSync } from "node:fs"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { PgClient } from "@effect/sql-pg"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { MAX_TRIES } from "../src/domain/exports/rules.ts"
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

/** Does what the worker does every ten minutes. */
const beginDue = ({ cluster }: Ground) =>
  Effect.runPromise(
    Effect.flatMap(DateTime.now, (now) => DeletionStore.use((store) => store.beginDue(now))).pipe(
      Effect.provide(DeletionStoreSql.pipe(Layer.provide(JobsClient), Layer.provide(PgClient.layer({ url: Redacted.make(cluster.url()), maxConnections: 2 })))),
      Effect.scoped
    )
  )

/** On a busy machine there are fewer rounds, and the table says how many. */
const LIMIT_MS = 9 * 60_000

/** Large enough that a kill can hit an export of it. */
const BYTES = 4_000_000

const publish = async (program: Program, { bearer }: Newcomer, slug: string, body: Buffer) => {
  const answer = await program.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...bearer, "content-type": "text/html" } })
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
  const bodies: Array<Buffer> = []
  for (let index = 0; index < 2 * jobs; index++) {
    const one = await comesIn(program, post, `person-${index}`)
    bodies.push(Buffer.from(`<h1>${index}</h1>${randomBytes(BYTES).toString("base64")}`))
    await publish(program, one, `theirs-${index}`, bodies[index]!)
    people.push(one)
  }
  const [leaving, going] = [people.slice(0, jobs), people.slice(jobs)]
  const [back, wrong, undone]: [Array<number>, Array<string>, Array<string>] = [[], [], []]
  const caught = { exports: 0, deletions: 0, publishes: 0 }
  let servers = 0
  const open = async () => (await cluster.statement<{ exports: number; deletions: number }>(
    "SELECT (SELECT count(*)::int FROM exports WHERE completed_at IS NULL AND failed_at IS NULL) AS exports, (SELECT count(*)::int FROM deletions WHERE erased_at IS NULL) AS deletions"))[0]!

  const traffic = await startTraffic(program, ada, { named: "killed", cuts: true, pauseMs: 5 })
  const began = performance.now()
  let round = 0
  for (; round < rounds && performance.now() - began < LIMIT_MS; round++) {
    tell(`kill ${round + 1} of ${rounds}`)
    const confirmed = (one: Newcomer) => ({ workspace: one.workspace, password: NEWCOMER_PASSWORD })
    const [exporting, erasing] = [leaving[round], going[round]]
    if (exporting !== undefined && erasing !== undefined) {
      const asked = await program.ask("/v1/workspace/export", { json: confirmed(exporting), headers: exporting.session })
      const deleted = await program.ask("/v1/workspace", { method: "DELETE", json: confirmed(erasing), headers: erasing.session })
      if (asked.status !== 202 || deleted.status !== 202) undone.push(`asked for an export and an erasure: ${asked.status}, ${deleted.status}`)
      await cluster.statement("UPDATE deletions SET erase_on = now() WHERE erased_at IS NULL AND begun_at IS NULL")
      await beginDue(ground)
    }
    // Jobs begin within a second, and an erasure is soon done: kill sooner until one was caught. Publishes are always under way.
    await wait(Math.random() * (erasing !== undefined && caught.deletions === 0 ? 300 : 1500))
    const both = round % 4 === 3
    const cut = traffic.counts.cut
    await Promise.all([program.end("SIGKILL"), ...(both ? [cluster.stop("killed")] : [])])
    if (both) {
      servers++
      await cluster.start()
    }
    const { deletions, exports } = await open()
    if (exports > 0) caught.exports++
    if (deletions > 0) caught.deletions++
    const killed = performance.now()
    program = await ground.start()
    traffic.lead(program)
    await traffic.back()
    back.push(performance.now() - killed)
    if (traffic.counts.cut > cut) caught.publishes++
  }
  await traffic.end(program)
  wrong.push(...traffic.wrong)
  // A kind of work that no kill interrupted was not tried.
  if (caught.publishes === 0) wrong.push("no kill cut a request off")
  if (caught.exports === 0) undone.push("no export was unfinished at a kill")
  if (caught.deletions === 0) undone.push("no erasure was unfinished at a kill")

  tell("waiting for what was interrupted")
  const jobsBegan = performance.now()
  await held(undone, () => eventually("every export is ready and every deletion erased", async () => Object.values(await open()).every((count) => count === 0), 120))
  const finished = performance.now() - jobsBegan
  let again = 0
  for (const [index, one] of leaving.slice(0, round).entries()) {
    await held(undone, async () => {
      const told = (subject: string) => post.lettersTo(one.email).filter(({ mail }) => mail.subject === subject)
      const once = (subject: string) => new Set(told(subject).map(({ mail }) => mail.messageId)).size === 1
      const ready = "Your export is ready"
      const [row] = await cluster.statement<{ failed: boolean; tries: number }>("SELECT failed_at IS NOT NULL AS failed, tries FROM exports WHERE workspace_id = $1", [one.workspace])
      if (row!.failed) {
        // Given up where three kills met it, of which its admin is told, and may ask anew at once.
        if (row!.tries < MAX_TRIES) throw new Error(`export ${index} was given up after ${row!.tries} tries`)
        await eventually(`the mail that export ${index} was given up`, () => once("Your export could not be made"), 120)
        const asked = await program.ask("/v1/workspace/export", { json: { workspace: one.workspace, password: NEWCOMER_PASSWORD }, headers: one.session })
        if (asked.status !== 202) throw new Error(`export ${index} was given up, and asked for anew: ${asked.status}`)
        again++
      }
      const letter = await eventually(`the mail about export ${index}`, () => told(ready)[0], 120)
      const archive = await program.ask(/\/v1\/exports\/\S+/.exec(letter.mail.text!)![0])
      const files = await filesIn(archive.bytes)
      if (files.get(`projects/theirs-${index}/files/index.html`)?.equals(bodies[index]!) !== true) throw new Error(`export ${index} is not whole`)
      if (!once(ready)) throw new Error(`export ${index}: two mails`)
    })
  }
  for (const [index, { workspace }] of going.slice(0, round).entries()) {
    await held(undone, async () => {
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
    {
      course: "kills", fault: `kill -9, ${round} times, ${servers} of them PostgreSQL too`,
      meanwhile: `${caught.publishes} kills cut requests off; ${traffic.told()}`, wrong, back
    },
    {
      course: "kills", fault: `the same kills; an export was unfinished at ${caught.exports}, an erasure at ${caught.deletions}`,
      meanwhile: `${Math.min(jobs, round)} exports, each whole and told once, ${again === 0 ? "" : `${again} of them asked for anew after three kills, `}and ${Math.min(jobs, round)} erasures, each leaving nothing`, wrong: undone, back: [finished]
    }
  ]
}
