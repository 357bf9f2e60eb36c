/** A worker killed in the middle of an export and of an erasure: another takes over both, loses nothing and does nothing twice. */
import { PgClient } from "@effect/sql-pg"
import { DateTime, Effect, Fiber, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, it } from "vitest"
import { DeletionStore } from "../../src/domain/erasure/store.ts"
import { DeletionStoreSql } from "../../src/services/database/erasure.ts"
import { JobsClient } from "../../src/services/jobs/engine.ts"
import { comesIn, NEWCOMER_PASSWORD } from "../support/newcomers.ts"
import type { Newcomer } from "../support/newcomers.ts"
import { openGround } from "../support/pair.ts"
import type { Ground } from "../support/pair.ts"
import { eventually, newFolder } from "../support/program.ts"
import type { Program } from "../support/program.ts"
import { filesIn } from "../support/zips.ts"

let ground: Ground | undefined
afterAll(() => ground?.stop())

const LARGE = Buffer.alloc(3 * 1024 * 1024, "a film of sorts, ")

const put = async (program: Program, { bearer }: Newcomer, slug: string, type: string, body: string | Buffer) => {
  const answer = await program.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...bearer, "content-type": type } })
  assert.strictEqual(answer.status, 201, answer.text)
}

/** Reading or deleting comments blocks until the returned function is called. */
const commentsHeld = async ({ database }: Ground) => {
  const [held, free] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  const holding = Effect.runFork(
    SqlClient.SqlClient.use((sql) =>
      sql.withTransaction(sql`LOCK TABLE comments IN ACCESS EXCLUSIVE MODE`.pipe(Effect.andThen(held.open), Effect.andThen(free.await)))
    ).pipe(Effect.provide(PgClient.layer({ ...database, maxConnections: 1 })))
  )
  await Effect.runPromise(held.await)
  return () => Effect.runPromise(Effect.andThen(free.open, Fiber.join(holding)))
}

/** Does what the worker does every ten minutes. */
const beginDue = ({ database }: Ground) =>
  Effect.runPromise(
    Effect.flatMap(DateTime.now, (now) => DeletionStore.use((store) => store.beginDue(now))).pipe(
      Effect.provide(DeletionStoreSql.pipe(Layer.provide(JobsClient), Layer.provide(PgClient.layer({ ...database, maxConnections: 2 })))),
      Effect.scoped
    )
  )

const packsIn = (dataDir: string) =>
  readdirSync(join(dataDir, "blobs/packs"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name)

it("a worker killed in the middle of an export and of an erasure is replaced by another: one archive, one mail, one erasure", async () => {
  const dataDir = newFolder()
  const here = ground = await openGround({ SVC_DATA_DIR: dataDir })
  const first = await here.start()
  const [ada, bob] = await Promise.all([comesIn(first, here.post, "ada"), comesIn(first, here.post, "bob")])
  await put(first, ada, "taken-film", "video/mp4", Buffer.concat([Buffer.from("00000018667479706d703432000000006d70343269736f6d", "hex"), LARGE]))
  await put(first, ada, "taken-page", "text/html", "<h1>Here</h1>")
  for (const slug of ["erased-1", "erased-2", "erased-3"]) await put(first, bob, slug, "text/html", `<h1>${slug}</h1>`)

  const confirmed = (workspace: string) => ({ workspace, password: NEWCOMER_PASSWORD })
  const free = await commentsHeld(here)
  const asked = await first.ask("/v1/workspace/export", { json: confirmed(ada.workspace), headers: ada.session })
  assert.strictEqual(asked.status, 202, asked.text)
  const deleted = await first.ask("/v1/workspace", { method: "DELETE", json: confirmed(bob.workspace), headers: bob.session })
  assert.strictEqual(deleted.status, 202, deleted.text)
  await here.statement("UPDATE deletions SET erase_on = now()")
  // Zero if the timetable has begun it at the same moment.
  assert.isAtMost(await beginDue(here), 1)

  // They wait for seconds at most, and come again.
  const waiting = async (since = new Date(0)) =>
    (await here.statement<{ count: number }>(
      "SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND backend_start > $1", [since]
    ))[0]!.count
  await eventually("both are in the middle", async () => (await waiting()) === 2)
  const [midway] = await here.statement<{ begun: Date | null; tries: number }>("SELECT begun_at AS begun, tries FROM exports")
  assert.isNotNull(midway!.begun)
  assert.strictEqual((await here.statement("SELECT 1 FROM deletions WHERE begun_at IS NOT NULL AND erased_at IS NULL")).length, 1)
  assert.isNotEmpty(readdirSync(join(dataDir, "blobs/scratch")), "some of the archive lies there")

  assert.strictEqual((await first.end("SIGKILL")).signal, "SIGKILL")
  const killed = performance.now()
  const [{ now }] = await here.statement<{ now: Date }>("SELECT now()") as [{ now: Date }]
  const second = await here.start()
  await eventually("another is where it was", async () => (await waiting(now)) === 2)
  const seconds = (performance.now() - killed) / 1000
  await free()
  const record = async () => (await second.ask(`/v1/workspace/export?workspace=${ada.workspace}`, { headers: ada.bearer })).json
  await eventually("the export is there", async () => (await record()).status === "ready")
  await eventually("it is erased", async () => (await here.statement("SELECT 1 FROM deletions WHERE erased_at IS NOT NULL")).length === 1)
  const ready = () => here.post.lettersTo(ada.email).filter(({ mail }) => mail.subject === "Your export is ready")
  const letter = await eventually("its mail", () => ready()[0])

  const path = /\/v1\/exports\/\S+/.exec(letter.mail.text!)![0]
  const archive = await second.ask(path)
  assert.strictEqual(archive.status, 200, archive.text.slice(0, 200))
  const files = await filesIn(archive.bytes)
  assert.isTrue([...files.values()].some((bytes) => bytes.subarray(24).equals(LARGE)))
  assert.strictEqual(String(files.get("projects/taken-page/files/index.html")), "<h1>Here</h1>")
  for (const slug of ["taken-film", "taken-page"]) {
    for (const name of ["project.json", "comments.json", "share_links.json", "analytics.csv"]) assert.isTrue(files.has(`projects/${slug}/${name}`), `${slug} ${name}`)
  }

  for (const slug of ["erased-1", "erased-2", "erased-3"]) assert.strictEqual((await second.ask("/", { host: `${slug}.svc.localhost` })).status, 404)
  assert.strictEqual((await second.ask("/", { host: "taken-page.svc.localhost" })).status, 200)
  assert.deepStrictEqual((await second.ask("/v1/me", { headers: bob.bearer })).json.workspaces, [])
  const left = await here.statement<{ left: number }>(`
    SELECT (SELECT count(*) FROM workspaces WHERE id = $1)::int + (SELECT count(*) FROM projects WHERE workspace_id = $1)::int
      + (SELECT count(*) FROM packs WHERE workspace_id = $1)::int + (SELECT count(*) FROM audit_entries WHERE workspace_id = $1)::int AS left`, [bob.workspace])
  assert.strictEqual(left[0]!.left, 0)

  assert.strictEqual((await second.end()).code, 0)
  assert.lengthOf(ready(), 1)
  assert.strictEqual((await here.statement("SELECT 1 FROM mails WHERE kind = 'ExportReady'")).length, 1)
  const audit = await here.statement<{ action: string }>("SELECT action FROM audit_entries WHERE workspace_id = $1 AND action LIKE 'export.%' ORDER BY at, id", [ada.workspace])
  assert.isAbove((await here.statement<{ tries: number }>("SELECT tries FROM exports"))[0]!.tries, midway!.tries)
  assert.deepStrictEqual(audit.map(({ action }) => action), ["export.requested", "export.downloaded"])
  assert.lengthOf(second.stdout().match(/: erased\b/g) ?? [], 1)
  const rows = await here.statement<{ id: string }>("SELECT id::text FROM packs UNION ALL SELECT pack_id::text FROM exports WHERE pack_id IS NOT NULL")
  assert.sameMembers(packsIn(dataDir), rows.map(({ id }) => id))
  assert.deepStrictEqual(readdirSync(join(dataDir, "blobs/scratch")), [])
  console.log(`taken over: a worker that starts as another is killed in the middle of two jobs has taken up both after ${seconds.toFixed(1)} s`)
})
