/** A backup of the embedded service, taken while rows are written, and started from. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Fiber, Layer, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "vitest"
import { backup } from "../../src/services/database/embedded/backup.ts"
import { embeddedPostgres } from "../../src/services/database/embedded.ts"
import { makeRoom } from "../../src/services/database/view-partitions.ts"

const withFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-backup-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const client = (at: { readonly host: string; readonly username: string; readonly database: string }) =>
  PgClient.layer({ ...at, maxConnections: 2 })

it("keeps what was committed before it ends, packs and secret too, and is there whole or not at all", () =>
  Effect.gen(function*() {
    const folder = yield* withFolder
    const [dataDir, into] = [join(folder, "data"), join(folder, "copy")]
    const last = yield* Ref.make(0)
    const nothing = yield* Effect.flip(backup({ dataDir, into }))
    assert.match(nothing.message, /^Nothing runs in /)
    // As the folder looks from outside of a unit of systemd, or of a container.
    mkdirSync(join(dataDir, "postgres"), { recursive: true })
    writeFileSync(join(dataDir, "postgres/postmaster.pid"), "115\n\n\n\n/tmp/svc-pg-inside\n")
    const apart = yield* Effect.flip(backup({ dataDir, into }))
    assert.match(apart.message, /has its socket in \/tmp\/svc-pg-inside, which is not there from here/)
    rmSync(join(dataDir, "postgres"), { recursive: true })
    const before = yield* Effect.gen(function*() {
      const at = yield* embeddedPostgres({ dataDir })
      mkdirSync(join(dataDir, "blobs/packs/ab"), { recursive: true })
      writeFileSync(join(dataDir, "blobs/packs/ab/one"), "bytes")
      writeFileSync(join(dataDir, "blobs/deployment"), "ours")
      writeFileSync(join(dataDir, "secret"), "kept")
      return yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE written (n int PRIMARY KEY, body text)`
        const writing = yield* Ref.updateAndGet(last, (n) => n + 1).pipe(
          Effect.flatMap((n) => sql`INSERT INTO written VALUES (${n}, repeat('x', 4000))`),
          Effect.forever,
          Effect.forkChild
        )
        yield* sql`SELECT 1`.pipe(Effect.repeat({ until: () => Effect.map(Ref.get(last), (n) => n > 50) }))
        const before = yield* Ref.get(last)
        yield* backup({ dataDir, into })
        const again = yield* Effect.flip(backup({ dataDir, into }))
        assert.match(again.message, /is there already/)
        yield* Fiber.interrupt(writing)
        return before
      }).pipe(Effect.provide(client(at)))
    }).pipe(Effect.scoped)
    assert.deepStrictEqual(readdirSync(folder).sort(), ["copy", "data"])
    assert.strictEqual(readFileSync(join(into, "blobs/packs/ab/one"), "utf8"), "bytes")
    assert.strictEqual(readFileSync(join(into, "blobs/deployment"), "utf8"), "ours")
    assert.strictEqual(readFileSync(join(into, "secret"), "utf8"), "kept")

    const [row] = yield* Effect.gen(function*() {
      const at = yield* embeddedPostgres({ dataDir: into })
      return yield* SqlClient.SqlClient.use((sql) => sql<{ rows: number; top: number }>`SELECT count(*)::int AS rows, max(n) AS top FROM written`)
        .pipe(Effect.provide(client(at)))
    }).pipe(Effect.scoped)
    // Rows were written one after the other: none in between is missing, and none from before the backup began.
    assert.strictEqual(row!.rows, row!.top)
    assert.isAtLeast(row!.top, before - 1)
  }).pipe(Effect.scoped, Effect.runPromise))

const PACKS = 4_000

it("runs one at a time, lets partitions of views be made meanwhile, and is not there if it was stopped or its folder removed meanwhile", () =>
  Effect.gen(function*() {
    const folder = yield* withFolder
    const [dataDir, into] = [join(folder, "data"), join(folder, "copy")]
    const at = yield* embeddedPostgres({ dataDir })
    const sql = yield* Effect.provide(SqlClient.SqlClient, yield* Layer.build(client(at)))
    yield* sql`CREATE TABLE views (at timestamptz) PARTITION BY RANGE (at)`
    yield* sql`CREATE TABLE view_visitors (day date) PARTITION BY RANGE (day)`
    mkdirSync(join(dataDir, "blobs/packs/ab"), { recursive: true })
    for (let pack = 0; pack < PACKS; pack++) writeFileSync(join(dataDir, `blobs/packs/ab/${pack}`), "bytes")
    /** The folder that a backup is being written to, once it has reached the packs. */
    const copying = Effect.sync(() => readdirSync(folder).find((name) => name.startsWith("copy.part") && existsSync(join(folder, name, "blobs/packs/ab")))).pipe(
      Effect.delay("1 millis"),
      Effect.repeat({ until: (name) => name !== undefined }),
      Effect.timeout("30 seconds"),
      Effect.map((name) => join(folder, name!))
    )

    const first = yield* Effect.forkChild(backup({ dataDir, into }))
    yield* copying
    yield* makeRoom(sql, [20_000]).pipe(Effect.timeout("20 seconds"))
    const second = yield* Effect.flip(backup({ dataDir, into }))
    assert.match(second.message, /^Another backup of /)
    yield* Fiber.join(first)
    assert.strictEqual(readdirSync(join(into, "blobs/packs/ab")).length, PACKS)
    rmSync(into, { recursive: true })

    // Somebody removes the folder too early.
    const swept = yield* Effect.forkChild(Effect.flip(backup({ dataDir, into })))
    const aside = yield* copying
    // A file that appears during the removal is removed by the retry.
    rmSync(aside, { recursive: true, maxRetries: 20, retryDelay: 1 })
    assert.match((yield* Fiber.join(swept)).message, /^The backup was not taken \(ENOENT/)
    assert.isFalse(existsSync(into))

    // A stop does not copy the rest first, and leaves nothing.
    const stopped = yield* Effect.forkChild(backup({ dataDir, into }))
    yield* copying
    yield* Fiber.interrupt(stopped)
    assert.deepStrictEqual(readdirSync(folder), ["data"])

    mkdirSync(join(folder, "copy.part-killed"))
    assert.deepStrictEqual(yield* backup({ dataDir, into }), [join(folder, "copy.part-killed")])
    assert.deepStrictEqual(readdirSync(folder).sort(), ["copy", "copy.part-killed", "data"])
  }).pipe(Effect.scoped, Effect.runPromise))
