/** Ten kills in the middle of publishes, on one data folder: what was acknowledged is there, and nothing is torn. */
import { Clock, DateTime, Effect, Layer, Logger } from "effect"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { fromBufferPromise } from "yauzl"
import { afterAll, assert, it } from "vitest"
import { SqlClient } from "effect/sql"
import { loadConfig } from "../../src/services/config.ts"
import { Database } from "../../src/services/live.ts"
import { House } from "../../src/serving.ts"
import { collectOnce } from "../../src/workers/collect-packs.ts"
import { clearAway, demoToken, eventually, newFolder, serve } from "../support/program.ts"
import type { Program } from "../support/program.ts"
import { zipOf } from "../support/zips.ts"

const KILLS = 10
const WRITERS = 6
/** As many versions of a project as the demo account's plan keeps. */
const KEPT = 20

/** Every line tells whose it is and where it stands, so that any part out of place shows. */
const bodyOf = (slug: string, attempt: number): Buffer => {
  const seed = createHash("sha256").update(`${slug}:${attempt}`).digest()
  // From a few bytes to two megabytes: in memory, in a scratch file, and in several writes of one.
  const size = Math.floor(2 ** (5 + (seed[0]! / 255) * 16))
  const line = `${slug}:${attempt}:${seed.toString("hex")}\n`
  return Buffer.from(line.repeat(Math.ceil(size / line.length)))
}

const attemptIn = (bytes: Buffer): number => Number(/^[\w-]+:(\d+):/.exec(bytes.subarray(0, 100).toString("latin1"))?.[1])

const isWhole = (slug: string, bytes: Buffer): boolean => bytes.equals(bodyOf(slug, attemptIn(bytes)))

/** What one address was sent, by its only writer. */
interface Ledger {
  readonly slug: string
  readonly site: boolean
  attempts: number
  readonly acknowledged: Set<number>
}

const ledgers = new Map<string, Ledger>()
const ledgerOf = (slug: string, site: boolean): Ledger => {
  const ledger = ledgers.get(slug) ?? { slug, site, attempts: 0, acknowledged: new Set<number>() }
  ledgers.set(slug, ledger)
  return ledger
}

const tally = { sent: 0, acknowledged: 0, unheard: 0, pages: 0, serverKills: 0 }

const publish = async (program: Program, bearer: { authorization: string }, ledger: Ledger): Promise<void> => {
  const attempt = ++ledger.attempts
  const body = bodyOf(ledger.slug, attempt)
  const sent = ledger.site ? await zipOf({ "index.html": body, "other/part.html": body }) : body
  tally.sent++
  const answer = await program.ask(`/v1/projects/${ledger.slug}`, {
    method: "PUT", body: sent, headers: { ...bearer, "content-type": ledger.site ? "application/zip" : "text/html" }
  })
  assert.isTrue(answer.status === 200 || answer.status === 201, `${answer.status} ${answer.text}`)
  ledger.acknowledged.add(attempt)
  tally.acknowledged++
}

/** Publishes until the connection breaks: every round to the writer's own address, and first to a new one. */
const write = async (program: Program, bearer: { authorization: string }, writer: number, round: number, dead: () => boolean) => {
  const site = writer % 3 === 0
  for (let turn = 0; !dead(); turn++) {
    try {
      await publish(program, bearer, ledgerOf(turn === 0 ? `page-${writer}-${round}` : `page-${writer}`, site))
    } catch (error) {
      if (!dead()) throw error
      tally.unheard++
    }
  }
}

/** What is served now: the newest acknowledged body or a later one that was sent, whole; a site's files of one version. */
const check = async (program: Program, { acknowledged, attempts, site, slug }: Ledger): Promise<void> => {
  const served = await program.ask("/", { host: `${slug}.svc.localhost` })
  tally.pages++
  if (served.status === 404 && acknowledged.size === 0) return
  assert.strictEqual(served.status, 200, `${slug} ${served.text.slice(0, 200)}`)
  assert.isTrue(isWhole(slug, served.bytes), `${slug} is torn: ${served.bytes.length} bytes, ${served.text.slice(0, 100)}`)
  const attempt = attemptIn(served.bytes)
  assert.isTrue(attempt >= Math.max(0, ...acknowledged) && attempt <= attempts, `${slug} serves ${attempt}, acknowledged ${[...acknowledged].join()}`)
  if (!site) return
  const part = await program.ask("/other/part.html", { host: `${slug}.svc.localhost` })
  assert.isTrue(part.bytes.equals(served.bytes), `${slug}: files of two versions`)
}

/** Every kept version is a whole body of some attempt, and none that was acknowledged is missing among them. */
const checkVersions = async (program: Program, bearer: { authorization: string }, { acknowledged, slug }: Ledger): Promise<number> => {
  const project = await program.ask(`/v1/projects/${slug}`, { headers: bearer })
  const found: Array<number> = []
  for (const { version } of project.json.versions as ReadonlyArray<{ version: number }>) {
    const zip = await program.ask(`/v1/projects/${slug}/versions/${version}/download`, { headers: bearer })
    for await (const [entry, file] of files(zip.bytes)) {
      assert.isTrue(isWhole(slug, file), `${slug} version ${version}: ${entry} is torn`)
      if (entry === "index.html") found.push(attemptIn(file))
    }
  }
  assert.deepStrictEqual(found, [...found].sort((a, b) => b - a))
  assert.isAtMost(found.length, KEPT)
  const missing = [...acknowledged].filter((attempt) => (found.length < KEPT || attempt > Math.min(...found)) && !found.includes(attempt))
  assert.deepStrictEqual(missing, [], `${slug}: acknowledged and gone`)
  return found.length
}

async function* files(zip: Buffer): AsyncGenerator<readonly [string, Buffer]> {
  const archive = await fromBufferPromise(zip)
  for await (const entry of archive.eachEntry()) yield [entry.fileName, await buffer(await archive.openReadStreamPromise(entry))]
}

/** The kill of a whole machine takes PostgreSQL along; the next start replays its log. */
const postmaster = (dataDir: string): number => Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0])

afterAll(clearAway, 60_000)

it("keeps every acknowledged publish through ten kills under load, tears none, and leaves nothing uncollectable", async () => {
  const dataDir = newFolder()
  const starts: Array<number> = []
  const start = async () => {
    const before = performance.now()
    const program = await serve({ SVC_DATA_DIR: dataDir })
    starts.push(performance.now() - before)
    return program
  }
  let program = await start()
  const bearer = { authorization: `Bearer ${demoToken(program)}` }

  for (let round = 1; round <= KILLS; round++) {
    let dead = false
    const { acknowledged } = tally
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(program, bearer, writer, round, () => dead))
    // While so many answers came, the other writers got anywhere: some send, some are being kept, some committed.
    const enough = acknowledged + WRITERS + Math.floor(Math.random() * 40)
    await Promise.race([eventually("answers under load", () => tally.acknowledged >= enough), Promise.all(writers)])
    dead = true
    const server = round % 2 === 0 ? postmaster(dataDir) : undefined
    const killed = program.end("SIGKILL")
    if (server !== undefined) {
      process.kill(server, "SIGKILL")
      tally.serverKills++
    }
    assert.strictEqual((await killed).signal, "SIGKILL")
    await Promise.all(writers)
    program = await start()
    await Promise.all([...ledgers.values()].map((ledger) => check(program, ledger)))
  }
  const versions = await Promise.all([...ledgers.values()].filter(({ acknowledged }) => acknowledged.size > 0).map((ledger) => checkVersions(program, bearer, ledger)))
  assert.strictEqual((await program.end()).code, 0)
  assert.deepStrictEqual(readdirSync(join(dataDir, "blobs/scratch")), [])

  const { after, before, rows, strays } = await Effect.runPromise(leftovers(dataDir))
  assert.sameMembers(after, rows)
  console.log(
    `crash: ${KILLS} kills under ${WRITERS} writers (${tally.serverKills} of PostgreSQL too): ${tally.sent} publishes sent, ${tally.acknowledged} acknowledged, ` +
      `${tally.unheard} cut off; 0 lost, 0 torn in ${tally.pages} pages and ${versions.reduce((sum, count) => sum + count, 0)} kept versions; ` +
      `scratch empty, ${strays} stray packs of ${before} collected; starts ${Math.round(Math.min(...starts))}–${Math.round(Math.max(...starts))} ms`
  )
}, 180_000)

const packsIn = (dataDir: string): ReadonlyArray<string> => {
  const root = join(dataDir, "blobs/packs")
  return readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => statSync(join(root, path)).isFile()).map((path) => path.slice(3))
}

/** The packs before and after the hourly collection, were it two days later. */
const leftovers = (dataDir: string) =>
  Effect.gen(function*() {
    const settings = yield* loadConfig({ SVC_DATA_DIR: dataDir })
    return yield* Effect.gen(function*() {
      const clock = yield* Clock.Clock
      const later = (ms: number) => ms + 2 * 24 * 60 * 60 * 1000
      const shifted: Clock.Clock = {
        ...clock,
        currentTimeMillisUnsafe: () => later(clock.currentTimeMillisUnsafe()),
        currentTimeMillis: Effect.map(clock.currentTimeMillis, later)
      }
      const sql = yield* SqlClient.SqlClient
      const known = Effect.map(sql<{ id: string }>`SELECT id FROM packs`, (rows) => rows.map(({ id }) => id))
      const held = packsIn(dataDir)
      const named = new Set(yield* known)
      yield* Effect.provideService(collectOnce, Clock.Clock, shifted)
      return { before: held.length, strays: held.filter((id) => !named.has(id)).length, rows: yield* known, after: packsIn(dataDir) }
    }).pipe(Effect.provide(House(settings, Database(settings))))
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))
