/** Kills in the middle of publishes, on one data folder: what was acknowledged is there, and nothing is torn. */
import { Clock, Effect, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, it } from "vitest"
import { loadConfig } from "../../src/services/config.ts"
import { Database, Jobs } from "../../src/services/live.ts"
import { House } from "../../src/serving.ts"
import { collectOnce } from "../../src/workers/collect-packs.ts"
import { checkPage, checkVersions, publish } from "../support/ledger.ts"
import type { Ledger } from "../support/ledger.ts"
import { clearAway, demoToken, eventually, newFolder, serve } from "../support/program.ts"

/** Kills of the program, then of PostgreSQL with it; `npm run faults` continues for longer. */
const KILLS = 2
const WRITERS = 6
const TWO_DAYS = 2 * 24 * 60 * 60 * 1000

afterAll(clearAway)

/** Like the loss of a whole machine, it kills PostgreSQL too; the next start replays its log. */
const postmaster = (dataDir: string): number => Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0])

const packsIn = (dataDir: string): Array<string> => {
  const root = join(dataDir, "blobs/packs")
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => path.slice(3))
}

const later = (clock: Clock.Clock): Clock.Clock =>
  Object.assign(Object.create(clock) as Clock.Clock, {
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + TWO_DAYS,
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + TWO_DAYS)
  })

/** Packs and their rows before and after the hourly collection, as it runs two days later. */
const collected = (dataDir: string) =>
  Effect.gen(function*() {
    const settings = yield* loadConfig({ SVC_DATA_DIR: dataDir })
    return yield* Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = Effect.map(sql<{ id: string }>`SELECT id FROM packs`, (found) => found.map(({ id }) => id))
      const before = { packs: packsIn(dataDir), rows: yield* rows }
      yield* Effect.provideService(collectOnce, Clock.Clock, later(yield* Clock.Clock))
      return { before, after: { packs: packsIn(dataDir), rows: yield* rows } }
    }).pipe(Effect.provide(House(settings, Database(settings), Jobs(settings))))
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])), Effect.runPromise)

it("keeps every acknowledged publish through kills under load, tears none, and leaves nothing uncollectable", async () => {
  const dataDir = newFolder()
  const starts: Array<number> = []
  const start = async () => {
    const before = performance.now()
    const program = await serve({ SVC_DATA_DIR: dataDir })
    starts.push(Math.round(performance.now() - before))
    return program
  }
  const ledgers = new Map<string, Ledger>()
  const ledgerOf = (slug: string, site: boolean): Ledger => {
    const ledger = ledgers.get(slug) ?? { slug, site, attempts: 0, acknowledged: new Set<number>() }
    ledgers.set(slug, ledger)
    return ledger
  }
  let program = await start()
  const bearer = { authorization: `Bearer ${demoToken(program)}` }
  const count = { acknowledged: 0, unheard: 0, pages: 0, scratch: 0, servers: 0 }

  /** Publishes until the kill: each round to a new address first, then again and again to the writer's own. */
  const write = async (writer: number, round: number, dead: () => boolean) => {
    for (let turn = 0; !dead(); turn++) {
      const ledger = ledgerOf(turn === 0 ? `page-${writer}-${round}` : `page-${writer}`, writer % 3 === 0)
      try {
        await publish(program, bearer, ledger)
        count.acknowledged++
      } catch (error) {
        if (!dead()) throw error
        count.unheard++
      }
    }
  }

  for (let round = 1; round <= KILLS; round++) {
    let dead = false
    // By then the writers are at different steps: sending, storing the pack, committing.
    const enough = count.acknowledged + WRITERS + Math.floor(Math.random() * 40)
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer, round, () => dead)))
    await Promise.race([eventually("answers under load", () => count.acknowledged >= enough), writers])
    dead = true
    const server = postmaster(dataDir)
    const killed = program.end("SIGKILL")
    if (round % 2 === 0) {
      process.kill(server, "SIGKILL")
      count.servers++
    }
    assert.strictEqual((await killed).signal, "SIGKILL")
    await writers
    count.scratch += readdirSync(join(dataDir, "blobs/scratch")).length
    program = await start()
    await Promise.all([...ledgers.values()].map((ledger) => checkPage(program, ledger)))
    count.pages += ledgers.size
  }
  let versions = 0
  for (const ledger of ledgers.values()) if (ledger.acknowledged.size > 0) versions += await checkVersions(program, bearer, ledger)

  assert.strictEqual((await program.end()).code, 0)
  assert.deepStrictEqual(readdirSync(join(dataDir, "blobs/scratch")), [])
  const { after, before } = await collected(dataDir)
  assert.includeMembers(before.packs, before.rows, "a row without its bytes")
  assert.sameMembers(after.packs, after.rows, "bytes without a row")
  const strays = before.packs.filter((id) => !before.rows.includes(id)).length
  console.log(
    `crash: ${KILLS} kills under ${WRITERS} writers, ${count.servers} of them PostgreSQL's too: ${count.acknowledged} publishes acknowledged, ` +
      `${count.unheard} cut off; none lost, none torn in ${count.pages} pages and ${versions} kept versions; ${count.scratch} scratch files and ` +
      `${strays} stray packs of ${before.packs.length} left by the kills, all gone; starts ${Math.min(...starts)}–${Math.max(...starts)} ms`
  )
})
