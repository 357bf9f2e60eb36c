/** A database whose disk is full: requests are refused in the envelope, nothing is half done, and everything stored is still served. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Outages } from "../../src/domain/ports/outages.ts"
import { commented } from "../support/commented.ts"
import { Service, serviceWith } from "../support/service.ts"
import { zipOf } from "../support/zips.ts"

/** A file system of 8 MB; undefined if this process may not mount one. */
const smallDisk = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "svc-full-"))
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", folder]).status === 0) return folder
    rmSync(folder, { recursive: true })
    return undefined
  }),
  (folder) => Effect.sync(() => {
    if (folder === undefined) return
    spawnSync("umount", ["--lazy", folder])
    rmSync(folder, { recursive: true, force: true })
  })
)

const GROWING = ["versions", "comments"]

/** Moves the tables that grow to the small disk, and returns the path of the file that fills it. */
const onDisk = Effect.fnUntraced(function*(disk: string) {
  const sql = yield* (yield* Service).inside(SqlClient.SqlClient)
  const space = `small_${randomBytes(6).toString("hex")}`
  const filler = join(disk, "filler")
  // The user that the server runs as, which must own the folder.
  const [server] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
  const { gid, uid } = statSync(`/proc/${server!.pid}`)
  chownSync(disk, uid, gid)
  const lieIn = (place: string) => Effect.forEach(GROWING, (table) => sql.unsafe(`ALTER TABLE ${table} SET TABLESPACE ${place}`), { discard: true })
  yield* Effect.acquireRelease(sql.unsafe(`CREATE TABLESPACE ${space} LOCATION '${disk}'`), () => Effect.orDie(sql.unsafe(`DROP TABLESPACE ${space}`)))
  yield* Effect.acquireRelease(lieIn(space), () => Effect.orDie(lieIn("pg_default")))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(filler, { force: true })))
  return filler
})

layer(serviceWith(), { excludeTestServices: true })("a database whose disk is full", (it) => {
  it.effect("refuses what it cannot keep, keeps nothing of it, and serves on (needs root: mounts a tmpfs)", (test) =>
    Effect.gen(function*() {
      const disk = yield* smallDisk
      if (disk === undefined) return test.skip("no small file system could be mounted")
      const { account, ask, inside } = yield* Service
      const sql = yield* inside(SqlClient.SqlClient)
      const ada = yield* account()
      const { slug } = yield* commented(ada)
      const files = Array.from({ length: 300 }, (_, n) => [n === 0 ? "index.html" : `${n}.html`, randomBytes(40).toString("hex")])
      const site = yield* Effect.promise(() => zipOf(Object.fromEntries(files)))
      const publish = ask("/v1/projects/too-much", { method: "PUT", body: site, headers: { ...ada.bearer, "content-type": "application/zip" } })
      const comment = ask(`/v1/projects/${slug}/comments`, { json: { body: randomBytes(5_000).toString("hex") }, headers: ada.bearer })
      const facts = sql`
        SELECT (SELECT count(*) FROM projects) AS projects, (SELECT count(*) FROM versions) AS versions, (SELECT count(*) FROM packs) AS packs,
          (SELECT count(*) FROM comments) AS comments, (SELECT sum(project_count) FROM workspaces) AS counted, (SELECT sum(storage_bytes) FROM workspaces) AS bytes`

      const filler = yield* onDisk(disk)
      const before = yield* facts
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(64 * 1024), { flag: "a" })
      } catch {
        // Full.
      }
      const cause = yield* Effect.flip(Effect.sandbox(sql`INSERT INTO comments (id, project_id, version, body, created_at, updated_at)
        SELECT gen_random_uuid(), project_id, 1, repeat(md5(n::text), 100), now(), now() FROM versions, generate_series(1, 1000) n`))
      assert.deepStrictEqual((yield* inside(Outages)).outageIn(cause), { what: "away", code: "53100" })

      for (const attempt of [publish, publish, comment]) {
        const { headers, json, status } = yield* attempt
        assert.deepStrictEqual([status, json.error.code, headers["retry-after"]], [503, "unavailable", "2"])
        assert.deepStrictEqual(Object.keys(json.error).sort(), ["code", "details", "field", "message"])
      }
      assert.deepStrictEqual(yield* facts, before)
      assert.strictEqual((yield* ask("/", { host: "too-much.svc.localhost" })).status, 404)
      assert.strictEqual((yield* ask("/", { host: `${slug}.svc.localhost` })).status, 200)
      assert.strictEqual((yield* ask("/v1/me", { headers: ada.bearer })).status, 200)

      rmSync(filler)
      assert.deepStrictEqual([(yield* publish).status, (yield* comment).status], [201, 201])
      assert.strictEqual((yield* ask("/", { host: "too-much.svc.localhost" })).status, 200)
    }))
})
